// Which digit goes to what can be chosen.

const DIGITS = 9;

/** The digit of what stands at this index, from 0. What is disabled keeps its own, so that the others are where one counts them. */
export function digitOf(index: number): number | undefined {
  return index >= 0 && index < DIGITS ? index + 1 : undefined;
}
