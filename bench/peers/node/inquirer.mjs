// Inquirer's list.
import { select } from "@inquirer/prompts";
console.log(await select({ message: "Which database?", choices: ["PostgreSQL", "SQLite", "MongoDB"] }));
