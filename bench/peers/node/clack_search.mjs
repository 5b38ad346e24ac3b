// clack's list with its filter, over the options in a file.
import { readFileSync } from "node:fs";
import { autocomplete } from "@clack/prompts";
const names = readFileSync(process.argv[2], "utf8").trimEnd().split("\n");
const options = names.map((value) => ({ value, label: value }));
console.log(await autocomplete({ message: "Which file?", options }));
