// The APIs in which programs call their models. Each has the path that it is called at, the tool results in a call's body, and a block
// (`use(…)` or `say(…)`) as the events of a stream or as a whole answer.

const event = (type, data) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

/** Anthropic's Messages API, which Claude Code speaks. */
export const MESSAGES = {
  path: "/v1/messages",

  results: ({ messages = [] }) =>
    messages
      .map(({ content }) => content)
      .filter(Array.isArray)
      .flat()
      .filter(({ type }) => type === "tool_result"),

  whole: ({ model }, block) => ({ ...messageOf(model), content: [block], ...endingOf(block) }),

  *events({ model }, block) {
    yield event("message_start", { message: { ...messageOf(model), content: [], stop_reason: null, stop_sequence: null } });
    const isText = block.type === "text";
    const delta = isText ? { type: "text_delta", text: block.text } : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
    yield event("content_block_start", { index: 0, content_block: isText ? { type: "text", text: "" } : { ...block, input: {} } });
    yield event("content_block_delta", { index: 0, delta });
    yield event("content_block_stop", { index: 0 });
    yield event("message_delta", { delta: endingOf(block), usage: { output_tokens: 1 } });
    yield event("message_stop", {});
  },
};

const messageOf = (model) => ({ id: "msg_story", type: "message", role: "assistant", model, usage: { input_tokens: 1, output_tokens: 1 } });

const endingOf = ({ type }) => ({ stop_reason: type === "tool_use" ? "tool_use" : "end_turn", stop_sequence: null });

/** OpenAI's Responses API, which Codex speaks. The tools of an MCP server are in a namespace: `use("mcp__askback/AskUserQuestion", …)`. */
export const RESPONSES = {
  path: "/v1/responses",

  results: ({ input }) => input.filter(({ type }) => type === "function_call_output").map(({ call_id, output }) => ({ tool_use_id: call_id, content: output })),

  *events(_, block) {
    yield event("response.created", { response: { id: "resp_story" } });
    yield event("response.output_item.done", { output_index: 0, item: itemOf(block) });
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, input_tokens_details: null, output_tokens_details: null };
    yield event("response.completed", { response: { id: "resp_story", output: [], usage } });
  },
};

function itemOf(block) {
  if (block.type === "text") return { type: "message", role: "assistant", id: "msg_story", content: [{ type: "output_text", text: block.text }] };
  const [namespace, name] = block.name.split("/");
  return { type: "function_call", id: `fc_${block.id}`, call_id: block.id, namespace, name, arguments: JSON.stringify(block.input) };
}

/** OpenAI's Chat Completions API, which Qwen Code speaks. Its stories call no tools. */
export const COMPLETIONS = {
  path: "/v1/chat/completions",

  results: () => [],

  whole: ({ model }, { text }) => ({
    ...completionOf(model, "chat.completion"),
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
  }),

  *events({ model }, { text }) {
    const chunk = (delta, finish_reason) => {
      const choices = [{ index: 0, delta, finish_reason }];
      return `data: ${JSON.stringify({ ...completionOf(model, "chat.completion.chunk"), choices })}\n\n`;
    };
    yield chunk({ role: "assistant", content: text }, null);
    yield chunk({}, "stop");
    yield "data: [DONE]\n\n";
  },
};

const completionOf = (model, object) => ({ id: "chatcmpl-story", object, created: 1, model });
