// The protocol's own conformance suite, for both eras. What does not apply is listed with its reason, and the list is held to be true.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { Hub } from "../../clients/typescript/live/hub.mjs";
import { compare, conform, scenariosOf } from "./support/conformance.mjs";
import { Proxy } from "./support/proxy.mjs";

const KNOWN = JSON.parse(readFileSync(new URL("conformance.json", import.meta.url), "utf8"));

let hub;
let proxy;

before(async () => {
  // The tools that the suite calls, in a binary that was built with them.
  process.env.ASKBACK_CONFORMANCE = "1";
  hub = await Hub.start();
  // The suite knows no tokens.
  proxy = await Proxy.before(hub, hub.asker);
});
after(async () => {
  proxy?.end();
  await hub?.end();
});

describe("the suite", { concurrency: true }, () => {
  for (const [revision, known] of Object.entries(KNOWN)) {
    test(`${revision}: what applies passes, and what does not apply fails as it is listed`, async () => {
      const results = await conform(`http://${proxy.host}/mcp?room=shop&wait=5`, revision);
      assert.deepEqual([...results.keys()].sort(), await scenariosOf(revision), "every scenario ran");
      assert.deepEqual(compare(results, known), []);
    });
  }
});

test("the list is held to be true in both directions", () => {
  const check = (id, status) => ({ id, status, errorMessage: "why" });
  const results = new Map([
    ["one", [check("a", "SUCCESS"), check("b", "FAILURE")]],
    ["two", [check("c", "SUCCESS")]],
  ]);
  assert.deepEqual(compare(results, { "one:b": "reason" }), []);
  assert.deepEqual(compare(results, { one: "reason" }), []);
  assert.deepEqual(compare(results, {}), ["fails: one:b: why"]);
  assert.deepEqual(compare(results, { one: "reason", two: "reason" }), ["is listed, and does not fail: two"]);
  const malformed = new Map([["one", [check("b", "FAILURE"), check("wire-schema-valid", "FAILURE")]]]);
  assert.deepEqual(compare(malformed, { one: "reason" }), ["fails: one:wire-schema-valid: why"]);
  assert.deepEqual(compare(results, { "one:b": "reason", "one:a": "reason" }), ["is listed, and does not fail: one:a"]);
});
