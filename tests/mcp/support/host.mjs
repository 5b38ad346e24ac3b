// An editor around Claude Code: whatever Claude Code would ask in its own terminal, it asks here.

import { until } from "../../../clients/typescript/live/hub.mjs";
import { PATIENCE_MS } from "./hook.mjs";

export class Host {
  #child;
  #rest = "";
  /** What it was asked, oldest first: `{tool_name, input, …}`. */
  asked = [];
  /** How many of these questions were taken back. */
  takenBack = 0;

  /** Has it work on something, and hears what it says. */
  attend(child) {
    this.#child = child;
    child.stdout.on("data", (data) => this.#hear(data));
    this.#tell({ type: "user", message: { role: "user", content: "Ask." } });
  }

  #tell(message) {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #hear(data) {
    const lines = (this.#rest + data).split("\n");
    this.#rest = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      if (message.type === "control_request") this.asked.push({ id: message.request_id, ...message.request });
      if (message.type === "control_cancel_request") this.takenBack += 1;
      if (message.type === "result") this.#child.stdin.end();
    }
  }

  /** What it is asked about a tool, as soon as it is. */
  question(tool) {
    return until(`Claude Code asks by itself about ${tool}`, () => this.asked.find(({ tool_name }) => tool_name === tool), PATIENCE_MS);
  }

  /** Decides it, as its user would. */
  decide({ id }, decision) {
    this.#tell({ type: "control_response", response: { subtype: "success", request_id: id, response: decision } });
  }
}
