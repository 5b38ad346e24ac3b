// The texts of the screens that are loaded when somebody goes there.

export const historyTexts = {
  title: "History",
  empty: "Nothing has been answered yet.",
  noneFound: "Nothing here matches what you look for. Older ones may.",
  older: "Show older ones",
  searchOlder: "Search older ones",
  looking: "Looking…",
  failed: "The hub could not be reached. Try again.",
  all: "That is all.",
  pending: "waiting",
} as const;

export const shortIdTexts = {
  several: "Several questions have an id that ends so",
  missingWhy: "None of the newest questions that you may see has an id that ends so. An older one needs its whole id in the address.",
} as const;

export const settingsTexts = {
  title: "Settings",
  you: "You are logged in as",
  room: "You see the room",
  logOut: "Log out",
  logOutQueued: "Answers that are not sent yet would be lost.",
  logOutFailed: "The hub could not be reached, so you are still logged in.",
  theme: "Colours",
  themes: { system: "As the system", light: "Light", dark: "Dark" },
  shortcuts: "Keys for moving and choosing",
  shortcutsHow: "Ctrl+Enter sends in any case.",
  notifications: "Tell me when a question comes while I look elsewhere",
  notificationsNot: "This browser does not notify here: it needs https or this machine’s own address, and your permission.",
  plain: "Open the page without scripts",
  plainFailed: "The hub could not be reached.",
  keys: "All keys",
} as const;

export const loginTexts = {
  as: "Log in as",
  insteadOf: "instead of",
  room: "This login is for the room",
  why: "Log in only with a link that you asked for. What you answer in this browser is signed with this name.",
  enter: "Log in",
  cancel: "Cancel",
  used: "This link no longer works",
  usedWhy: "It was used, or has expired: a link works once, for ten minutes. For a new one, run this on the machine of the hub:",
  failed: "Logging in did not work",
  notFoundWhy: "The link was not used up.",
  lostWhy: "The hub may have used the link up. If it no longer works, run this on the machine of the hub for a new one:",
} as const;

export const keysTexts = {
  title: "Keys",
  close: "Close",
  off: "Settings switches them off. Ctrl+Enter works in any case.",
  list: [
    ["j, k", "the next, the previous question in the list"],
    ["Enter", "opens it"],
    ["n", "opens the next question"],
    ["i", "goes back to the inbox"],
    ["0 – 9", "chooses an option; with Approve and Reject or Yes and No it goes there, and Enter decides"],
    ["Ctrl+Enter", "sends what you have entered"],
    ["?", "shows this list"],
  ],
} as const;
