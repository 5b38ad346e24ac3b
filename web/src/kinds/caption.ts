// The texts of an approval's buttons: the asker's label, and the meaning of pressing it (S7).

import type { Question } from "@askback/client";
import { texts } from "../texts/page";

type Approval = Extract<Question, { type: "approval" }>;

export type Decision = "approve" | "reject";

export interface Caption {
  label: string;
  /** Shown beside a label that is not the default one: an asker chose it, and it could say anything. */
  meaning: string | undefined;
}

export function captionOf(question: Approval, decision: Decision): Caption {
  const usual = texts.labels[decision];
  const label = question.labels?.[decision === "approve" ? 0 : 1] ?? usual;
  return { label, meaning: label === usual ? undefined : texts.meanings[decision] };
}

/** `Delete them (approve)`. */
export function captionText({ label, meaning }: Caption): string {
  return meaning === undefined ? label : `${label} (${meaning})`;
}
