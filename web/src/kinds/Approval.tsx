// Approval (F0): go ahead or not, by two buttons that stand well apart.

import { texts } from "../texts/page";
import type { Control, ControlProps } from "./control";
import { Pair, type Answer } from "./Pair";

export const approval: Control<"approval"> = {
  Field: Approval,
  begin: () => "",
  decides: "by itself",
  shape: "group",
};

function Approval(props: ControlProps<"approval">) {
  const [approve, reject] = props.question.labels ?? [texts.labels.approve, texts.labels.reject];
  const answers: [Answer, Answer] = [
    { word: "approve", label: approve, tone: "success" },
    { word: "reject", label: reject, tone: "error" },
  ];
  return <Pair {...props} answers={answers} layout="apart" />;
}
