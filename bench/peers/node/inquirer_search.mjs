// Inquirer's search, over the options in a file. It leaves the finding to its user.
import { readFileSync } from "node:fs";
import { search } from "@inquirer/prompts";
const options = readFileSync(process.argv[2], "utf8").trimEnd().split("\n");
const source = (typed) => options.filter((option) => option.toLowerCase().includes((typed ?? "").toLowerCase()));
console.log(await search({ message: "Which file?", source }));
