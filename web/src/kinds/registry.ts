// Every kind of question with its control. Those of decisions are here from the beginning, and the others are loaded for the first
// question that needs one.

import type { KindName, Question } from "@askback/client";
import { approval } from "./Approval";
import { confirm } from "./Confirm";
import type { Control } from "./control";

type Controls = { readonly [Kind in KindName]: Control<Kind> } & { readonly unknown: Control<KindName> };

let controls: Partial<Controls> = { approval, confirm };

/** All kinds must have one by then. */
export function addControls(further: Omit<Controls, "approval" | "confirm">): void {
  controls = { ...further, approval, confirm } satisfies Controls;
}

/** Whether the control of a question is loaded. */
export function isKnown(question: Question): boolean {
  return Object.hasOwn(controls, question.type) || Object.hasOwn(controls, "unknown");
}

/** The control of a question. A hub may be newer than the page, and ask in ways that the page does not know. */
export function controlOf(question: Question): Control<KindName> {
  const known = Object.hasOwn(controls, question.type) ? controls[question.type] : controls.unknown;
  if (known === undefined) throw new Error(`no control for ${question.type} is loaded`);
  return known as unknown as Control<KindName>;
}
