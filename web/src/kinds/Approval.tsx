// Approval (F0): go ahead or not, by two buttons that stand well apart.

import { captionOf } from "./caption";
import type { Control, ControlProps } from "./control";
import { Pair, type Answer } from "./Pair";

export const approval: Control<"approval"> = {
  Field: Approval,
  begin: () => "",
  decides: "by itself",
  shape: "group",
};

function Approval(props: ControlProps<"approval">) {
  // Their order and their colours never depend on the labels.
  const answers: [Answer, Answer] = [
    { word: "approve", ...captionOf(props.question, "approve"), tone: "success" },
    { word: "reject", ...captionOf(props.question, "reject"), tone: "error" },
  ];
  return <Pair {...props} answers={answers} layout="apart" />;
}
