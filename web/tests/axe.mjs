// Runs axe on a page, as the rules of accessibility that a machine can check.

import { readFileSync } from "node:fs";

const SOURCE = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What is wrong, in a line each. By the rules named, or by all. */
export async function violations(page, rules) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(SOURCE);
  const only = rules ? { type: "rule", values: rules } : { type: "tag", values: TAGS };
  const found = await page.evaluate((runOnly) => window.axe.run({ runOnly, resultTypes: ["violations"] }), only);
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 120)} (${failureSummary?.split("\n").at(-1)?.trim()})`),
  );
}
