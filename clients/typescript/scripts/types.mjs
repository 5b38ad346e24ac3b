// Writes src/generated/*.ts from the project's JSON Schemas; with --check it only says whether they are fresh.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const SCHEMAS = new URL("../../../schemas/", import.meta.url);
const GENERATED = new URL("../src/generated/", import.meta.url);
const SUFFIX = ".schema.json";

/** What programs write may be given as constants; what they read is theirs. */
const READ_ONLY_LISTS = new Set(["request.schema.json", "ask-user-question.schema.json"]);

/** Components of the API's file that are schemas of their own, and the modules that have their types. */
const IMPORTED = { Outcome: ["AskbackOutcome", "./outcome.js"], Request: ["AskbackRequest", "./request.js"] };

const pascal = (text) => text.replace(/(?:^|[-_ ])(\w)/g, (_, letter) => letter.toUpperCase());

/** A definition whose `type` is one word is a question of that kind. */
const nameOf = (name, schema) => pascal(name) + (schema.properties?.type?.const ? "Question" : "");

/** The definitions of a file, where references to them point, and the schema that the file itself is, if it is one. */
function partsOf({ $defs = {}, components, ...root }) {
  if (components) return { definitions: components.schemas, prefix: "#/components/schemas/", root: undefined };
  return { definitions: $defs, prefix: "#/$defs/", root };
}

/** The TypeScript module for one schema. */
function moduleOf(schema, file) {
  const { definitions, prefix, root } = partsOf(schema);
  const imports = new Set();

  /** The type that a reference stands for. */
  function referred(reference) {
    const name = reference.startsWith(prefix) ? reference.slice(prefix.length) : "";
    if (Object.hasOwn(definitions, name)) return nameOf(name, definitions[name]);
    if (!Object.hasOwn(IMPORTED, name)) throw new Error(`${file}: ${reference} is not defined`);
    const [type, from] = IMPORTED[name];
    imports.add(`import type { ${type} } from "${from}";\n`);
    return type;
  }

  const comment = (text, indent) => (text ? `${indent}/** ${text.split("\n")[0]} */\n` : "");

  /** The members of an object; what else it may hold is `unevaluatedProperties`' concern, which types can't say. */
  function objectOf(schema, indent) {
    const required = new Set(schema.required);
    const inner = `${indent}  `;
    const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
      const mark = required.has(name) ? "" : "?";
      return `${comment(member.description, inner)}${inner}${name}${mark}: ${typeOf(member, inner)};\n`;
    });
    return `{\n${members.join("")}${indent}}`;
  }

  const union = (types) => (types.length === 1 ? types[0] : types.join(" | "));

  function typeOf(schema, indent) {
    const known = new Set(["$ref", "const", "enum", "anyOf", "oneOf", "allOf", "properties", "type"]);
    if (Object.keys(schema).every((key) => key === "description")) return "unknown";
    if (!Object.keys(schema).some((key) => known.has(key))) throw new Error(`${file}: no type for ${JSON.stringify(schema)}`);
    if (schema.$ref) return referred(schema.$ref);
    if ("const" in schema) return JSON.stringify(schema.const);
    if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
    const variants = schema.anyOf ?? schema.oneOf;
    if (variants || schema.allOf) {
      const parts = (schema.allOf ?? []).map((part) => typeOf(part, indent));
      if (variants) parts.push(`(${union(variants.map((variant) => typeOf(variant, indent)))})`);
      return parts.join(" & ");
    }
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)));
    switch (schema.type) {
      case "string":
      case "boolean":
      case "null":
        return schema.type;
      case "number":
      case "integer":
        return "number";
      case "array":
        return arrayOf(schema, indent);
      default:
        if (schema.properties) return objectOf(schema, indent);
        // Not `Record`, which is a type of the API.
        return `{ [name: string]: ${typeOf(schema.additionalProperties, indent)} }`;
    }
  }

  function arrayOf(schema, indent) {
    const item = typeOf(schema.items, indent);
    const prefix = READ_ONLY_LISTS.has(file) ? "readonly " : "";
    if (schema.minItems === 2 && schema.maxItems === 2) return `${prefix}[${item}, ${item}]`;
    const stands = item.startsWith("(") || item.startsWith("{") || !/[|&]/.test(item);
    return `${prefix}${stands ? item : `(${item})`}[]`;
  }

  function declare(name, schema) {
    const head = comment(schema.description ?? schema.title, "");
    const plain = schema.properties && !schema.allOf && !schema.oneOf;
    return plain
      ? `${head}export interface ${name} ${objectOf(schema, "")}\n`
      : `${head}export type ${name} = ${typeOf(schema, "")};\n`;
  }

  const declarations = Object.entries(definitions).map(([name, definition]) => declare(nameOf(name, definition), definition));
  if (root) declarations.push(declare(pascal(root.title), root));
  const head = `// Generated by \`npm run generate\` from schemas/${file}; edit that instead.\n`;
  return [head, ...(imports.size > 0 ? [[...imports].sort().join("")] : []), ...declarations].join("\n");
}

const check = process.argv.includes("--check");
let stale = 0;
for (const file of readdirSync(SCHEMAS).filter((name) => name.endsWith(SUFFIX)).sort()) {
  const target = new URL(file.replace(SUFFIX, ".ts"), GENERATED);
  const text = moduleOf(JSON.parse(readFileSync(new URL(file, SCHEMAS), "utf8")), file);
  if (!check) {
    writeFileSync(target, text);
    continue;
  }
  let found = "";
  try {
    found = readFileSync(target, "utf8");
  } catch {
    // A file that is missing is as stale as one that differs.
  }
  if (found !== text) {
    stale += 1;
    console.error(`src/generated/${file.replace(SUFFIX, ".ts")} is not what schemas/${file} says: run \`npm run generate\``);
  }
}
process.exitCode = stale > 0 ? 1 : 0;
