// What is asked in stories, and what a model is to read of the answer.

/** Claude's own shape, with one question. */
export const choice = (question) => ({
  questions: [
    {
      question,
      header: "Database",
      multiSelect: false,
      options: [
        { label: "PostgreSQL (Recommended)", description: "Grows with you" },
        { label: "SQLite", description: "One file" },
      ],
    },
  ],
});

/** Q6, to the letter. */
export const answered = (question, selected) =>
  `User answered the following questions:\n\n1. Database (${question})\n   Selected: ${selected}\n\nProceeding with user selections.`;

/** A request of ours with one question that a dialog can show, too. */
export const text = (message) => ({ type: "text", id: "name", message });

export const TOOLS = ["AskUserQuestion", "cancel_request", "execute_code", "list_requests", "request_user_input", "wait_for_answer"];

/** Those that a model is to see at once. */
export const ASKING_TOOLS = ["AskUserQuestion", "request_user_input"];
