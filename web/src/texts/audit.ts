// The texts of the audit log.

const events = (count: number) => `${count.toLocaleString("en")} ${count === 1 ? "event" : "events"}`;

export const auditTexts = {
  filter: "Filter the audit log",
  fields: { room: "Room", by: "Done by", status: "What happened", id: "ID of a request", from: "From", until: "To" },
  anyChange: "Anything",
  statuses: { pending: "Asked", answered: "Answered", declined: "Declined or rejected", cancelled: "Cancelled", expired: "Expired" },
  changes: { created: "Asked", answered: "Answered", declined: "Declined", rejected: "Rejected", cancelled: "Cancelled", expired: "Expired" },
  look: "Look again",
  looking: "Looking…",
  none: "Nothing in the audit log matches.",
  all: "That is all.",
  older: "Show older ones",
  unreachable: "The hub could not be reached.",
  by: "by",
  number: (number: number) => `No. ${number.toLocaleString("en")}`,
  exportJson: "Export as JSON Lines",
  exportCsv: "Export as CSV",
  exporting: (count: number) => `${events(count)} so far…`,
  exported: (count: number) => (count === 0 ? "There is nothing to export." : `${events(count)} exported, the oldest first.`),
  exportFailed: (count: number, why: string) => `The file has ${events(count)} only: ${why}`,
  exportTooLarge: (count: number) => `The file has the first ${events(count)} only: choose a shorter time for the others.`,
} as const;
