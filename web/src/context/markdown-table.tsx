// A table. One that would leave out cells is not drawn as a table.

import type { Token, Tokens } from "marked";
import type { ComponentChildren, VNode } from "preact";
import { contextTexts } from "../texts/context";
import { Scroller } from "./Scroller";

/** Whether no row has more cells than the head, which the lexer would cut off. */
export function isWhole({ raw, header }: Tokens.Table): boolean {
  return raw.split("\n").every((line) => {
    const row = line.trim().replace(/^\|/, "").replace(/\|$/, "");
    return row.replace(/\\\|/g, "").split("|").length <= header.length;
  });
}

export function drawTable(table: Tokens.Table, drawCell: (tokens: Token[]) => ComponentChildren): VNode {
  return (
    <Scroller name={contextTexts.table} class="markdown-table">
      <table>
        <thead>
          <tr>
            {table.header.map((cell) => (
              <th scope="col" dir="auto" class={cell.align ? `align-${cell.align}` : undefined}>
                {drawCell(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <tr>
              {row.map((cell) => (
                <td dir="auto" class={cell.align ? `align-${cell.align}` : undefined}>
                  {drawCell(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}
