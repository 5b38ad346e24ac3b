// Markdown as elements: the lexer's tokens and no HTML, and whatever would lose a word is shown as it is written.

import { Lexer, type MarkedToken, type Token, type Tokens } from "marked";
import type { ComponentChildren, VNode } from "preact";
import { Shown } from "../parts/Shown";
import { contextTexts } from "../texts/context";
import { isKept } from "./kept";
import { DEEPEST_NESTING } from "./limits";
import { drawLink } from "./markdown-link";
import { drawTable, isWhole } from "./markdown-table";
import { Ours, TaskBox } from "./marks";
import { Outline } from "./outline";
import { Scroller } from "./Scroller";

/** The elements of `text`, or nothing if the lexer gives up on it. */
export function format(text: string): VNode[] | undefined {
  const source = text.replace(/\r\n/g, "\n");
  let tokens: Token[];
  try {
    tokens = new Lexer({ gfm: true, async: false }).lex(source);
  } catch {
    // It calls itself for what is nested, and there is an end to that.
    return undefined;
  }
  const drawing: Drawing = { outline: new Outline(), depth: 0 };
  const parts: VNode[] = [];
  let from = 0;
  for (const token of tokens) {
    const at = source.indexOf(token.raw, from);
    if (at < 0) return undefined;
    if (source.slice(from, at).trim() !== "") parts.push(asWritten(source.slice(from, at)));
    from = at + token.raw.length;
    const shown = draw(token, drawing);
    parts.push(isKept(token.raw, shown) ? <>{shown}</> : asWritten(token.raw));
  }
  if (source.slice(from).trim() !== "") parts.push(asWritten(source.slice(from)));
  return parts;
}

/** Everything below is a function and not a component, because `isKept` looks at what is drawn. */
interface Drawing {
  outline: Outline;
  depth: number;
}

/** A part of the text with its signs, line by line. */
function asWritten(text: string): VNode {
  return (
    <pre class="as-written" dir="auto">
      <Shown text={text.replace(/\n+$/, "")} />
    </pre>
  );
}

function drawAll(tokens: readonly Token[], drawing: Drawing): ComponentChildren {
  return tokens.map((token) => draw(token, drawing));
}

function draw(anyToken: Token, above: Drawing): ComponentChildren {
  // Without extensions the lexer makes no other tokens than its own.
  const token = anyToken as MarkedToken;
  if (above.depth >= DEEPEST_NESTING) return <Shown text={token.raw} />;
  const drawing: Drawing = { ...above, depth: above.depth + 1 };
  switch (token.type) {
    case "space":
      return null;
    case "paragraph":
      return <p dir="auto">{drawAll(token.tokens, drawing)}</p>;
    case "heading": {
      const Level = drawing.outline.level(token.depth);
      return <Level dir="auto">{drawAll(token.tokens, drawing)}</Level>;
    }
    case "blockquote":
      return <blockquote>{drawAll(token.tokens, drawing)}</blockquote>;
    case "list": {
      const List = token.ordered ? "ol" : "ul";
      return <List role="list">{drawAll(token.items, drawing)}</List>;
    }
    case "list_item":
      return (
        <li>
          <span class="list-marker">{marker(token)}</span>
          <div dir="auto">{drawAll(token.tokens, drawing)}</div>
        </li>
      );
    case "code":
      return (
        <div class="markdown-code">
          {token.lang ? (
            <span class="markdown-code-language" dir="ltr">
              <Shown text={token.lang} />
            </span>
          ) : null}
          <Scroller name={contextTexts.codeBlock} class="markdown-code-text">
            <pre dir="ltr">
              <code>
                <Shown text={token.text} />
              </code>
            </pre>
          </Scroller>
        </div>
      );
    case "table":
      return isWhole(token) ? drawTable(token, (tokens) => drawAll(tokens, drawing)) : asWritten(token.raw);
    case "hr":
      return <hr />;
    case "def":
      return asWritten(token.raw);
    case "html":
      return token.block ? asWritten(token.raw) : literal(token.raw);
    case "text":
      return token.tokens ? drawAll(token.tokens, drawing) : <Shown text={token.text} />;
    case "escape":
      return <Shown text={token.text} />;
    case "strong":
      return <strong>{drawAll(token.tokens, drawing)}</strong>;
    case "em":
      return <em>{drawAll(token.tokens, drawing)}</em>;
    case "del":
      return <del>{drawAll(token.tokens, drawing)}</del>;
    case "codespan":
      return (
        <code dir="ltr">
          <Shown text={token.text} />
        </code>
      );
    case "br":
      return <br />;
    case "checkbox":
      return <TaskBox checked={token.checked} written={token.raw.charAt(1)} />;
    case "link":
      return drawLink(token, drawAll(token.tokens, drawing));
    case "image":
      return (
        <span class="image-not-loaded">
          <Ours>{contextTexts.image}</Ours>
          <Shown text={token.raw.slice("![".length)} />
        </span>
      );
    default:
      return unknown(token);
  }
}

/** The number as it is written, which the browser's own would not be; or a dot, unless there is the box of a task. */
function marker({ raw, task }: Tokens.ListItem): VNode | null {
  const number = /^\s*(\d+[.)])/.exec(raw)?.[1];
  if (number !== undefined) return <Shown text={number} />;
  return task ? null : <Ours>{contextTexts.bullet}</Ours>;
}

/** A tag in a line: it is text, and looks like what it is. */
function literal(text: string): VNode {
  return (
    <code dir="ltr" class="literal">
      <Shown text={text} />
    </code>
  );
}

/** Does not compile unless every token is drawn above; and a token of a later lexer is shown as it is written. */
function unknown(token: never): ComponentChildren {
  return <Shown text={(token as { raw: string }).raw} />;
}
