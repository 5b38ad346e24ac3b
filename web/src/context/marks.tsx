// What stands in a formatted text without having been written there.

import type { ComponentChildren } from "preact";
import { contextTexts } from "../texts/context";

/** Something the page says, beside what the agent wrote. */
export function Ours({ children }: { children: ComponentChildren }) {
  return <span class="context-ours">{children}</span>;
}

interface TaskBoxProps {
  checked: boolean;
  /** What stands between the brackets. */
  written: string;
}

/** The box of a task. It is no control: nobody could change it. */
export function TaskBox({ checked }: TaskBoxProps) {
  const { done, toDo } = contextTexts;
  return (
    <span class="task-box" role="img" aria-label={checked ? done : toDo}>
      {checked ? "☑" : "☐"}
    </span>
  );
}
