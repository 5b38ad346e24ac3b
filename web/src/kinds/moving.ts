// Where the arrows go in a list: around its ends, and past what can't be chosen.

export type Move = "next" | "previous" | "first" | "last";

/** The one to go to among those that can be chosen, from the active one or from outside the list. */
export function moved(enabled: readonly number[], active: number | undefined, move: Move): number | undefined {
  const place = active === undefined ? -1 : enabled.indexOf(active);
  switch (move) {
    case "next":
      return enabled[place + 1] ?? enabled[0];
    case "previous":
      return place > 0 ? enabled[place - 1] : enabled.at(-1);
    case "first":
      return enabled[0];
    case "last":
      return enabled.at(-1);
  }
}
