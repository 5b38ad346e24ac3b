// The label of an option. One that is recommended says so in the colour of success, and keeps its suffix (Q2).

import type { OfferedOption } from "@askback/client";
import { Shown } from "../parts/Shown";

const SUFFIX = "(Recommended)";

export function OptionLabel({ option }: { option: OfferedOption }) {
  if (!option.isRecommended) return <Shown text={option.label} layout="line" />;
  return (
    <>
      <Shown text={option.label.slice(0, -SUFFIX.length)} layout="line" />
      <span class="recommended">{SUFFIX}</span>
    </>
  );
}
