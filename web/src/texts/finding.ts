// The texts of searching and narrowing a list.

export const findingTexts = {
  lists: { inbox: "Search the inbox", history: "Search the history" },
  text: "Search",
  room: "Room",
  anyRoom: "All rooms",
  agent: "Agent",
  anyAgent: "All agents",
  kind: "Kind",
  anyKind: "All kinds",
  result: "Outcome",
  anyResult: "All outcomes",
  grouping: "Group by",
  groupings: { room: "By room", agent: "By agent" },
  found: (shown: number, count: number) => `${shown.toLocaleString("en")} of ${count.toLocaleString("en")}`,
  clear: "Clear",
  close: "Close",
} as const;
