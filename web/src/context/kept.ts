// Whether formatting kept everything that was written: Markdown has many ways to leave words out.

import { isValidElement, type ComponentChildren, type VNode } from "preact";
import { Shown } from "../parts/Shown";
import { Ours, TaskBox } from "./marks";

/** What may become structure: blanks, and the signs that Markdown is written with. */
const STRUCTURE = /[ \t\n*_~`[\]()<>!#+\-.|:\\="']/g;

/** Whether `shown` has the same letters in the same order as what was `written`. */
export function isKept(written: string, shown: ComponentChildren): boolean {
  const pieces: string[] = [];
  collect(shown, pieces);
  return essence(written.replace(/\r\n/g, "\n")) === essence(pieces.join(""));
}

function essence(text: string): string {
  return text.replace(STRUCTURE, "");
}

/** The texts of others in `shown`; what we say ourselves could otherwise stand in for what is missing. */
function collect(shown: ComponentChildren, pieces: string[]): void {
  if (Array.isArray(shown)) {
    for (const child of shown) collect(child, pieces);
    return;
  }
  if (!isValidElement(shown)) return;
  const { type, props } = shown as VNode<{ text?: string; written?: string; children?: ComponentChildren }>;
  if (type === Ours) return;
  if (type === Shown) pieces.push(props.text ?? "");
  else if (type === TaskBox) pieces.push(props.written ?? "");
  else collect(props.children, pieces);
}
