// Markdown as elements: the lexer's tokens and no HTML, and whatever would lose a word is shown as it is written.

import { Lexer, type MarkedToken, type Token, type Tokens } from "marked";
import type { ComponentChildren, VNode } from "preact";
import { Shown } from "../parts/Shown";
import { contextTexts } from "../texts/context";
import { blocksIn } from "./blocks";
import { isKept } from "./kept";
import { DEEPEST_NESTING, MOST_BLOCK_WORK, MOST_PARAGRAPH_WORK, MOST_PART_ELEMENTS } from "./limits";
import { drawLink } from "./markdown-link";
import { drawTable, isWhole } from "./markdown-table";
import { Ours, TaskBox } from "./marks";
import { Outline } from "./outline";
import { blocksOf, layoutWeight, linesOf, rowsOf } from "./rows";
import { Scroller } from "./Scroller";
import { heavySigns, WORK_OF_SCROLLER, workOfBlocks, workWithin, type Budget } from "./work";

/** What an element adds to the weight of its text, and one that may scroll. */
const WEIGHT_OF_ELEMENT = 50;
const WEIGHT_OF_SCROLLER = 400;

function isScroller({ type }: Pick<Token, "type">): boolean {
  return type === "code" || type === "table";
}

function weightOfToken({ type, raw }: Token): number {
  const itself = isScroller({ type }) ? WEIGHT_OF_SCROLLER : WEIGHT_OF_ELEMENT;
  return itself + layoutWeight(raw) + (WEIGHT_OF_ELEMENT * heavySigns(raw)) / 2;
}

/** A part of a formatted text. */
export interface FormattedPart {
  shown: VNode;
  /** Whether it is shown as it is written, because formatting it would take too long. */
  isAsWritten: boolean;
  /** What it takes to lay it out. */
  weight: number;
}

/** A part of the text as the lexer reads it: its blocks are known, and the texts in them are still to be read. */
interface Lexed {
  written: string;
  tokens: Token[];
  /** What is left to be read of it; nothing if it takes too much work. */
  texts: Lexer["inlineQueue"] | undefined;
}

/** The parts of `text`, in steps of bounded work; there may be steps between them. */
export function* format(text: string, budget: Budget): Generator<FormattedPart | undefined, void> {
  const lexer = new Lexer({ gfm: true, async: false });
  const all: Lexed[] = [];
  // All blocks first: a link may be defined in any of them.
  for (const written of blocksIn(text.replace(/\r\n/g, "\n"))) {
    all.push(lexed(written, lexer, budget));
    yield;
  }
  const drawing: Drawing = { outline: new Outline(), depth: 0 };
  let tooComplex = "";
  for (const { written, tokens, texts } of all) {
    let isWithin = texts !== undefined;
    for (const { src, tokens: within } of texts ?? []) {
      isWithin &&= readWithin(src, within, lexer);
      yield;
    }
    if (isWithin) {
      yield* noted(tooComplex);
      tooComplex = "";
      yield* drawn(written, tokens, drawing);
    } else {
      tooComplex += written;
    }
  }
  yield* noted(tooComplex);
}

function lexed(written: string, lexer: Lexer, budget: Budget): Lexed {
  const tokens: Token[] = [];
  const tooMuch = { written, tokens, texts: undefined };
  const work = workOfBlocks(written);
  if (work > MOST_BLOCK_WORK || !budget.spend(work)) return tooMuch;
  lexer.inlineQueue = [];
  try {
    lexer.blockTokens(written, tokens);
  } catch {
    // It calls itself for what is nested, and there is an end to that.
    return tooMuch;
  }
  const texts = lexer.inlineQueue;
  const each = texts.map(({ src }) => workWithin(src));
  const elements = texts.length + heavySigns(written) / 2;
  const fits = elements <= MOST_PART_ELEMENTS && each.every((work) => work <= MOST_PARAGRAPH_WORK);
  const scrollers = tokens.filter(isScroller).length * WORK_OF_SCROLLER;
  return fits && budget.spend(each.reduce((sum, work) => sum + work, scrollers)) ? { written, tokens, texts } : tooMuch;
}

/** Has the lexer read a text within a block, as it does by itself. Whether it did. */
function readWithin(text: string, tokens: Token[], lexer: Lexer): boolean {
  lexer.state.inRawBlock = false;
  try {
    lexer.inlineTokens(text, tokens);
    return true;
  } catch {
    return false;
  }
}

/** The tokens as elements, and whatever the lexer left out of them as it is written. */
function* drawn(written: string, tokens: readonly Token[], drawing: Drawing): Generator<FormattedPart> {
  let from = 0;
  for (const token of tokens) {
    const at = written.indexOf(token.raw, from);
    if (at < 0) break;
    yield* pieces(written.slice(from, at));
    from = at + token.raw.length;
    const shown = draw(token, drawing);
    if (isKept(token.raw, shown)) yield { shown: <>{shown}</>, isAsWritten: false, weight: weightOfToken(token) };
    else yield* pieces(token.raw);
  }
  yield* pieces(written.slice(from));
}

/** What is not formatted, with a note that says so. */
function* noted(text: string): Generator<FormattedPart> {
  if (text.trim() === "") return;
  const note = <p class="context-ours too-complex">{contextTexts.tooComplexToFormat}</p>;
  yield { shown: note, isAsWritten: true, weight: WEIGHT_OF_ELEMENT };
  yield* pieces(text);
}

/** A text as it is written, in pieces that are laid out quickly. */
function* pieces(text: string): Generator<FormattedPart> {
  if (text.trim() === "") return;
  for (const rows of blocksOf(rowsOf(linesOf(text)))) {
    const written = rows.map(({ text, goesOn }) => (goesOn ? text : `${text}\n`)).join("");
    yield { shown: asWritten(written), isAsWritten: false, weight: WEIGHT_OF_ELEMENT + layoutWeight(written) };
  }
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
