// clack's list.
import { select } from "@clack/prompts";
const options = ["PostgreSQL", "SQLite", "MongoDB"].map((value) => ({ value, label: value }));
console.log(await select({ message: "Which database?", options }));
