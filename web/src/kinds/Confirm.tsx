// Confirm (F5): yes or no, of equal weight: a no is an answer like a yes.

import { texts } from "../texts/page";
import type { Control, ControlProps } from "./control";
import { Pair, type Answer } from "./Pair";

export const confirm: Control<"confirm"> = {
  Field: Confirm,
  begin: () => "",
  decides: "by itself",
  shape: "group",
};

function Confirm(props: ControlProps<"confirm">) {
  const answers: [Answer, Answer] = [
    { word: "yes", label: texts.labels.yes, tone: "plain" },
    { word: "no", label: texts.labels.no, tone: "plain" },
  ];
  return <Pair {...props} answers={answers} layout="together" />;
}
