// Reads options joined by ", " (F11), although an option may itself contain ", ": of options only if it can be, else
// options around one stretch of other text.

/** What stands between two selections. */
export const SEPARATOR = ", ";

/** A stretch of a joined answer. */
export type Stretch = { option: string } | { other: string };

/** A place in the tree of the options' comma-separated parts. */
interface Node {
  /** The option that ends here, by its index. */
  option?: number;
  next: Map<string, Node>;
}

/** The option last read on the way to a place, and the place before it. */
interface Link {
  option: number;
  from: number;
}

/** A set of options that are told apart again when joined; the hub refuses to ask with others. */
export class Joined {
  /** How many parts the options have together. */
  readonly size: number = 0;
  readonly #options: readonly string[];
  readonly #root: Node = { next: new Map() };

  constructor(options: readonly string[]) {
    this.#options = options;
    for (const [index, option] of options.entries()) {
      let at = this.#root;
      for (const part of option.split(SEPARATOR)) {
        const next: Node = at.next.get(part) ?? { next: new Map() };
        at.next.set(part, next);
        at = next;
        this.size += 1;
      }
      at.option = index;
    }
  }

  /**
   * Reads a joined answer. Among several stretches of other text, with no option twice around them, the shortest counts,
   * then the first. Nothing is read if there is other text where none is allowed.
   */
  read(text: string, other: "offered" | "absent"): Stretch[] | undefined {
    const parts = text.split(SEPARATOR);
    const before = this.#forward(parts);
    const whole = before.reading(parts.length);
    if (whole) return whole.map((option) => this.#stretch(option));
    if (other === "absent") return undefined;
    const after = this.#backward(parts);
    const gap = shortestGap(parts, before.used(), after.used());
    if (!gap) return undefined;
    const [start, end] = gap;
    const around = [before.reading(start) ?? [], after.reading(end) ?? []] as const;
    return [
      ...around[0].map((option) => this.#stretch(option)),
      { other: parts.slice(start, end).join(SEPARATOR) },
      ...around[1].map((option) => this.#stretch(option)),
    ];
  }

  #stretch(option: number): Stretch {
    return { option: this.#options[option] ?? "" };
  }

  /** Every option that stands in `parts` at `start`, the shortest first, and the place after it. */
  *#optionsAlong(parts: readonly string[], start: number): Generator<{ option: number; end: number }> {
    let at = this.#root;
    for (let place = start; place < parts.length; place += 1) {
      const next = at.next.get(parts[place] ?? "");
      if (!next) return;
      at = next;
      if (at.option !== undefined) yield { option: at.option, end: place + 1 };
    }
  }

  #forward(parts: readonly string[]): Sweep {
    const sweep = new Sweep(parts.length + 1, "forward");
    for (let from = 0; from < parts.length; from += 1) {
      if (!sweep.reaches(from)) continue;
      for (const { option, end } of this.#optionsAlong(parts, from)) sweep.links[end] ??= { option, from };
    }
    return sweep;
  }

  #backward(parts: readonly string[]): Sweep {
    const sweep = new Sweep(parts.length + 1, "backward");
    for (let place = parts.length - 1; place >= 0; place -= 1) {
      for (const { option, end } of this.#optionsAlong(parts, place)) {
        if (sweep.reaches(end)) sweep.links[place] ??= { option, from: end };
      }
    }
    return sweep;
  }
}

/**
 * Which beginnings (or endings) of an answer are made of options only. Each is so in one way, because the options are
 * uniquely decodable, so one link per place is enough.
 */
class Sweep {
  readonly links: (Link | undefined)[];
  readonly #order: "forward" | "backward";

  constructor(places: number, order: "forward" | "backward") {
    this.links = new Array<Link | undefined>(places).fill(undefined);
    this.#order = order;
  }

  get #origin(): number {
    return this.#order === "forward" ? 0 : this.links.length - 1;
  }

  reaches(place: number): boolean {
    return place === this.#origin || this.links[place] !== undefined;
  }

  /** The options between the origin and `place`, in the order of the text. */
  reading(place: number): number[] | undefined {
    const options: number[] = [];
    for (let at = place; at !== this.#origin; ) {
      const link = this.links[at];
      if (!link) return undefined;
      options.push(link.option);
      at = link.from;
    }
    return this.#order === "forward" ? options.reverse() : options;
  }

  /** For each place the options on the way to it, one bit each; none where there is no way, or one uses an option twice. */
  used(): (bigint | undefined)[] {
    const used = new Array<bigint | undefined>(this.links.length).fill(undefined);
    used[this.#origin] = 0n;
    const last = this.links.length - 1;
    for (let step = 0; step <= last; step += 1) {
      const place = this.#order === "forward" ? step : last - step;
      const link = this.links[place];
      const before = link && used[link.from];
      if (!link || before === undefined) continue;
      const bit = 1n << BigInt(link.option);
      if ((before & bit) === 0n) used[place] = before | bit;
    }
    return used;
  }
}

/** The shortest run of parts, in code points, that leaves only options before and after it, none of them twice. */
function shortestGap(
  parts: readonly string[],
  before: readonly (bigint | undefined)[],
  after: readonly (bigint | undefined)[],
): [start: number, end: number] | undefined {
  // Code points up to each part, so that the length of any run is one subtraction.
  const offsets = [0];
  for (const part of parts) offsets.push((offsets.at(-1) ?? 0) + [...part].length + SEPARATOR.length);
  const length = (start: number, end: number) => (offsets[end] ?? 0) - (offsets[start] ?? 0);
  const ends = [...after.keys()].filter((end) => after[end] !== undefined);
  let best: [number, number] | undefined;
  for (const [start, left] of before.entries()) {
    if (left === undefined) continue;
    for (const end of ends) {
      if (end <= start) continue;
      if (best && length(start, end) >= length(...best)) break;
      if ((left & (after[end] ?? 0n)) === 0n) {
        best = [start, end];
        break;
      }
    }
  }
  return best;
}
