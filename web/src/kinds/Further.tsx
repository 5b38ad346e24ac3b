// The controls of all kinds that are not a decision between two buttons, one line each: what needs them is drawn when they are there.

import type { ComponentChildren } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { disturb } from "../answer/calm";
import { choice } from "./Choice";
import { date } from "./DateField";
import { dropdown } from "./Dropdown";
import { email } from "./Email";
import { multiline } from "./Multiline";
import { number } from "./NumberField";
import { rating } from "./Rating";
import { addControls } from "./registry";
import { text } from "./Text";
import { unknown } from "./Unknown";

addControls({ text, multiline, choice, number, email, date, dropdown, rating, unknown });

export interface FurtherProps {
  children: ComponentChildren;
}

export function Further({ children }: FurtherProps) {
  // It was not there a moment ago.
  useLayoutEffect(disturb, []);
  return <>{children}</>;
}
