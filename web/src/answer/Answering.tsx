// The form of a request, once the controls for its kinds of questions are loaded: those of a decision are there at once.

import { useState } from "preact/hooks";
import type { RequestView } from "../hub/request";
import { isKnown } from "../kinds/registry";
import { Later } from "../parts/later";
import { furtherControls } from "../screens/screens";
import { AnswerForm } from "./AnswerForm";

export function Answering({ view }: { view: RequestView }) {
  // Decided once: a form that moved elsewhere in the tree would lose what was entered in it.
  const [isReady] = useState(() => view.questions.every(isKnown));
  const form = <AnswerForm view={view} />;
  return isReady ? form : <Later part={furtherControls} props={{ children: form }} />;
}
