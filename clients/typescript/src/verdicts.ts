// Brings the hub's verdicts from a plain y-websocket provider to those who wait for them.

import type { ByteReader } from "./bytes.js";
import { Resending, type Sender } from "./resending.js";
import { isFinalVerdict, readVerdict, VERDICT_MESSAGE, type HubVerdict } from "./verdict.js";
import { closeWaits, expectVerdicts, settle } from "./waiting.js";

/** What of a `WebsocketProvider` is used. */
export interface VerdictProvider extends Sender {
  // Handlers of other types take more than this file knows of.
  messageHandlers: ((encoder: any, decoder: any, provider: any, emitSynced: boolean, messageType: number) => void)[];
  // Its events are typed by name, and so differ between implementations.
  on(event: any, listener: any): unknown;
  off(event: any, listener: any): unknown;
}

/**
 * Lets a provider bring verdicts, until the function that this returns is called. `onVerdict` hears each of them, also those on
 * proposals from before a reload, for which nobody waits any more, and each that is not final. What it throws goes to the console.
 */
export function attachVerdicts(provider: VerdictProvider, onVerdict?: (verdict: HubVerdict) => unknown): () => void {
  const before = provider.messageHandlers[VERDICT_MESSAGE];
  const resending = new Resending(provider);
  let unexpect: (() => void) | undefined = expectVerdicts(provider.doc);

  const handle = (_encoder: unknown, decoder: ByteReader) => {
    const verdict = tryRead(decoder);
    if (!verdict) return;
    if (isFinalVerdict(verdict)) {
      resending.remove(verdict.key);
      settle(provider.doc, verdict);
    } else {
      resending.add(verdict.key);
    }
    tell(onVerdict, verdict);
  };
  const closed = ({ code, reason }: { code: number; reason: string }) => {
    resending.stop();
    unexpect?.();
    unexpect = undefined;
    closeWaits(provider.doc, code, reason);
  };
  // Whoever calls `connect` after a final close is back in business.
  const connected = ({ status }: { status: string }) => {
    if (status === "connected") unexpect ??= expectVerdicts(provider.doc);
  };
  provider.messageHandlers[VERDICT_MESSAGE] = handle;
  provider.on("closed", closed);
  provider.on("status", connected);

  return () => {
    if (provider.messageHandlers[VERDICT_MESSAGE] === handle) {
      if (before) provider.messageHandlers[VERDICT_MESSAGE] = before;
      else delete provider.messageHandlers[VERDICT_MESSAGE];
    }
    provider.off("closed", closed);
    provider.off("status", connected);
    resending.stop();
    unexpect?.();
    unexpect = undefined;
  };
}

/** An exception in a handler would end a Node process; a verdict nobody can read is said and left. */
function tryRead(decoder: ByteReader): HubVerdict | undefined {
  try {
    return readVerdict(decoder);
  } catch (error) {
    console.error("askback: a verdict can't be read", error);
    return undefined;
  }
}

/** Somebody else's mistake is to be seen, and not to keep later verdicts from arriving. */
function tell(onVerdict: ((verdict: HubVerdict) => unknown) | undefined, verdict: HubVerdict): void {
  const report = (error: unknown) => console.error("askback: onVerdict threw", error);
  try {
    Promise.resolve(onVerdict?.(verdict)).catch(report);
  } catch (error) {
    report(error);
  }
}
