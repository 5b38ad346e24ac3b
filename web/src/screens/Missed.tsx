// Answers that did not count, for somebody who is no longer where they gave them.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { pathOf, place } from "../address";
import { sendings, type Sending } from "../answer/sending";
import { fetched } from "../hub/fetched";
import { nameOf } from "../hub/request";
import { inRoom } from "../hub/room";
import { Shown } from "../parts/Shown";
import { texts } from "../texts/page";

/** Which of them somebody has seen, as they were then. */
const seen = signal<ReadonlySet<Sending>>(new Set());

export function Missed() {
  const here = place.value.is === "request" ? place.value.id : undefined;
  const bad = [...sendings.value].filter(([, { is }]) => is === "late" || is === "wrong" || is === "failed");
  const shown = here === undefined ? undefined : sendings.value.get(here);
  // Where it was given, it says so itself.
  useEffect(() => {
    if (shown) see([shown]);
  }, [shown]);
  const missed = bad.filter(([id, sending]) => id !== here && !seen.value.has(sending));
  if (missed.length === 0) return null;
  return (
    <div class="notice warning missed">
      <ul role="list">
        {missed.map(([id, sending]) => (
          <li key={id}>
            {sending.is === "late" ? texts.missed.late : texts.missed.wrong}{" "}
            <a href={pathOf(id)} data-here>
              <Shown text={titleOf(id)} layout="line" />
            </a>
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => see(missed.map(([, sending]) => sending))}>
        {texts.missed.forget}
      </button>
    </div>
  );
}

function see(sendings: readonly Sending[]): void {
  seen.value = new Set([...seen.peek(), ...sendings]);
}

function titleOf(id: string): string {
  const other = fetched.value.get(id);
  const view = inRoom(id) ?? (other?.is === "there" ? other.view : undefined);
  return view ? nameOf(view) : id;
}
