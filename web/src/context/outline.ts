// Which heading of the page a heading of a text becomes: below the page's own, and without a level left out.

const LEVELS = ["h3", "h4", "h5", "h6"] as const;

export class Outline {
  /** The depths of the headings that the next one may stand under. */
  private readonly above: number[] = [];

  level(depth: number): (typeof LEVELS)[number] {
    while ((this.above.at(-1) ?? 0) >= depth) this.above.pop();
    const level = LEVELS[this.above.length] ?? "h6";
    this.above.push(depth);
    return level;
  }
}
