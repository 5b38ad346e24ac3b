// Parts of the page that are loaded when they are first needed.

import { signal, type Signal } from "@preact/signals";
import { h, type ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { reach } from "../hub/room";
import { texts } from "../texts/page";

type Loaded<Props> = { is: "coming" } | { is: "there"; Component: ComponentType<Props> } | { is: "failed" };

/** One of them. */
export interface Part<Props> {
  state: Signal<Loaded<Props> | undefined>;
  load: () => Promise<ComponentType<Props>>;
}

export function part<Props = object>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  return { state: signal(undefined), load };
}

/** Begins to load it, unless that has begun. */
export function prepare<Props>({ state, load }: Part<Props>): void {
  if (state.peek() && state.peek()?.is !== "failed") return;
  state.value = { is: "coming" };
  load().then(
    (Component) => (state.value = { is: "there", Component }),
    // The hub is away, or it is a newer one that has other files.
    () => (state.value = { is: "failed" }),
  );
}

/** The part, once it is there. */
export function Later<Props extends object>({ part, props }: { part: Part<Props>; props: NoInfer<Props> }) {
  const { is } = reach.value;
  // Also once more when the hub is back.
  useEffect(() => prepare(part), [part, is === "live"]);
  const state = part.state.value;
  if (state?.is === "there") return h(state.Component, props);
  if (state?.is !== "failed") return null;
  return (
    <p class="state" role="status">
      {texts.app.partFailed}{" "}
      <button type="button" onClick={() => prepare(part)}>
        {texts.request.again}
      </button>{" "}
      {reach.value.is === "live" ? (
        <button type="button" onClick={() => location.reload()}>
          {texts.reach.reload}
        </button>
      ) : null}
    </p>
  );
}
