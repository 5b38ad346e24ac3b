// The connection to everything that this person may see: what waits, what has ended, and whether the hub is there.

import {
  finals,
  isFinalVerdict,
  pending,
  resumeProposal,
  unsettled,
  type HubVerdict,
  type Unsettled,
  type Verdict,
} from "@askback/client";
import { connect, type AskbackProvider, type Closed } from "@askback/client/provider";
import { batch, computed, signal } from "@preact/signals";
import * as Y from "yjs";
import { viewOf, type RequestView } from "./request";

/** Everything that the person may see is one room. */
const INBOX = "@inbox";

/** Tried again at least so often: whoever looks at the page wants to know. */
const LONGEST_PAUSE_MS = 2500;

/** Codes after which the same works with a new document. */
const OUTDATED = [4409, 4413];
const UNKNOWN = 4401;

/** How the connection is. */
export type Reach =
  /** For the first time. */
  | { is: "connecting" }
  | { is: "live" }
  /** The hub can't be reached, and is tried again. */
  | { is: "offline" }
  /** Nobody is logged in here, or not any more. */
  | { is: "unknown" }
  /** The hub refuses, for a reason that trying again does not mend. */
  | { is: "refused"; closed: Closed };

export const reach = signal<Reach>({ is: "connecting" });

/** The requests of the document; nothing until it is complete for the first time. */
export const waiting = signal<readonly RequestView[] | undefined>(undefined);
export const ended = signal<readonly RequestView[]>([]);

const byId = computed(() => new Map([...(waiting.value ?? []), ...ended.value].map((view) => [view.id, view])));

/** The request as the document shows it, if it does. */
export function inRoom(id: string): RequestView | undefined {
  return byId.value.get(id);
}

let provider: AskbackProvider | undefined;

/** The secret of the session that connections are made with. */
let secret: string | undefined;

/** The replica that proposals are written into. */
export function replica(): Y.Doc {
  return opened().doc;
}

export function start(session: string): void {
  secret = session;
  reach.value = { is: "connecting" };
  opened();
}

function opened(): AskbackProvider {
  return provider ?? open(new Y.Doc());
}

export function stop(): void {
  provider?.destroy();
  provider?.doc.destroy();
  provider = undefined;
}

/** Tries now, not at the next turn. */
export function tryNow(): void {
  if (!provider || reach.value.is !== "offline") return;
  provider.disconnect();
  provider.connect();
}

function open(doc: Y.Doc): AskbackProvider {
  const opened = connect({ url: location.origin, room: INBOX, token: secret, doc, maxBackoffTime: LONGEST_PAUSE_MS, onVerdict: hear });
  provider = opened;
  let isComplete = false;
  const read = () => {
    // Until it is complete, what is missing would look as if it had gone.
    if (!isComplete) return;
    batch(() => {
      waiting.value = pending(doc).map(viewOf);
      ended.value = finals(doc).map(viewOf);
    });
  };
  opened.on("sync", (isSynced: boolean) => {
    if (!isSynced) return;
    isComplete = true;
    read();
    reach.value = { is: "live" };
  });
  opened.on("status", ({ status }: { status: string }) => {
    // What the hub refuses stays refused when the connection ends for it.
    const wasUsable = reach.value.is === "live" || reach.value.is === "connecting";
    if (status === "disconnected" && wasUsable) reach.value = { is: "offline" };
  });
  opened.on("connection-error", () => {
    if (reach.value.is === "connecting") reach.value = { is: "offline" };
  });
  opened.on("closed", ({ code }: { code: number }) => closed(opened, code));
  doc.getArray("inputRequests").observe(read);
  return opened;
}

function closed(ended: AskbackProvider, code: number): void {
  if (OUTDATED.includes(code) && mayRenew()) {
    renew(ended);
  } else if (code === UNKNOWN) {
    reach.value = { is: "unknown" };
  } else {
    reach.value = { is: "refused", closed: ended.closed ?? { code, reason: "", message: "" } };
  }
}

/** A hub that takes no document at all is not asked for ever. */
const RENEWALS = 3;
const RENEWALS_WITHIN_MS = 60_000;

let renewals: number[] = [];

function mayRenew(): boolean {
  const now = performance.now();
  renewals = [...renewals.filter((at) => now - at < RENEWALS_WITHIN_MS), now];
  return renewals.length <= RENEWALS;
}

/** A new document in the place of one that the hub does not take any more, with what was not settled in it. */
function renew(outdated: AskbackProvider): void {
  const kept = unsettled(outdated.doc);
  outdated.destroy();
  open(new Y.Doc());
  for (const one of kept) resumed.forEach((listener) => listener(one, resume(one)));
  outdated.doc.destroy();
}

/**
 * Proposes again what was not judged, under its own key, once the document is complete. Before that all of them would be one
 * message, which may be more than the hub takes.
 */
export async function resume(one: Unsettled): Promise<Verdict> {
  for (;;) {
    const current = opened();
    await current.ready.catch(() => undefined);
    if (current === provider) return resumeProposal(current.doc, one);
  }
}

type Resumed = (proposed: Unsettled, verdict: Promise<Verdict>) => void;
type TriedAgain = (requestId: string) => void;

const resumed: Resumed[] = [];
const triedAgain: TriedAgain[] = [];

/** Hears of proposals that go on in another document, and so have another promise. */
export function onResumed(listener: Resumed): void {
  resumed.push(listener);
}

/** Hears of proposals that the hub could not judge just now. They are sent again by themselves. */
export function onTriedAgain(listener: TriedAgain): void {
  triedAgain.push(listener);
}

function hear(verdict: HubVerdict): void {
  const { requestId } = verdict;
  if (isFinalVerdict(verdict) || requestId === null) return;
  triedAgain.forEach((listener) => listener(requestId));
}
