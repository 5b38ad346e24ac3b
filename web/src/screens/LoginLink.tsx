// For a browser that has opened a login link: nothing is redeemed until the person says so.

import type { Api } from "@askback/client";
import { useEffect, useState } from "preact/hooks";
import { replace } from "../address";
import { findLogin, logIn, person } from "../hub/session";
import { Shown } from "../parts/Shown";
import { loginTexts } from "../texts/more";
import { texts } from "../texts/page";

type State =
  | { is: "looking" }
  | { is: "found"; login: Api.Login }
  /** The link was used, or has expired. */
  | { is: "used" }
  /** Nothing was redeemed. */
  | { is: "not found"; detail: string }
  /** The hub may have redeemed the link, and its answer did not arrive. */
  | { is: "lost"; detail: string };

/** The code of a link and where it leads, from the fragment, which browsers send to no server. */
function readLink(): { code: string; to: string } {
  const parameters = new URLSearchParams(location.hash.slice(1));
  return { code: parameters.get("code") ?? "", to: pathOf(parameters.get("to") ?? "/") };
}

/** The path, if it is one of this page. */
function pathOf(to: string): string {
  const url = URL.canParse(to, location.origin) ? new URL(to, location.origin) : undefined;
  return url?.origin === location.origin && to.startsWith("/") ? url.pathname + url.search + url.hash : "/";
}

export function LoginLink() {
  const [{ code, to }] = useState(readLink);
  const [state, setState] = useState<State>({ is: "looking" });
  const [isBusy, setBusy] = useState(false);
  const fail = ({ status, detail }: { status: number; detail: string }, is: "not found" | "lost") =>
    setState(status === 401 ? { is: "used" } : { is, detail });
  const look = async () => {
    const reply = await findLogin(code);
    if (reply.ok) setState({ is: "found", login: reply.body });
    else fail(reply, "not found");
  };
  useEffect(() => void look(), []);
  const enter = async () => {
    setBusy(true);
    const reply = await logIn(code);
    if (!reply.ok) fail(reply, "lost");
    else if (reply.body.isNewPage) location.replace(to);
    else replace(to);
    setBusy(false);
  };
  if (state.is === "looking") return <main class="state login" />;
  if (state.is !== "found") return <Failed state={state} onAgain={() => void look()} />;
  const current = person.value;
  return (
    <main class="state login">
      <h1>
        {loginTexts.as} <Name name={state.login.name} />
        {current && current.name !== state.login.name ? (
          <>
            {" "}
            {loginTexts.insteadOf} <Name name={current.name} />
          </>
        ) : null}
        ?
      </h1>
      {state.login.room === null ? null : (
        <p>
          {loginTexts.room} <Name name={state.login.room} />.
        </p>
      )}
      <p>{loginTexts.why}</p>
      <p class="buttons">
        <button type="button" class="primary" disabled={isBusy} onClick={() => void enter()}>
          {loginTexts.enter}
        </button>{" "}
        <button type="button" onClick={() => replace("/")}>
          {loginTexts.cancel}
        </button>
      </p>
    </main>
  );
}

function Failed({ state, onAgain }: { state: Exclude<State, { is: "looking" | "found" }>; onAgain: () => void }) {
  return (
    <main class="state login">
      <h1>{state.is === "used" ? loginTexts.used : loginTexts.failed}</h1>
      {state.is === "used" ? null : (
        <p>
          <Shown text={state.detail} />
        </p>
      )}
      <p>{state.is === "used" ? loginTexts.usedWhy : state.is === "lost" ? loginTexts.lostWhy : loginTexts.notFoundWhy}</p>
      {state.is === "not found" ? null : <pre tabIndex={0}>{texts.login.command}</pre>}
      <p class="buttons">
        {state.is === "not found" ? (
          <button type="button" onClick={onAgain}>
            {texts.request.again}
          </button>
        ) : null}{" "}
        <button type="button" onClick={() => replace("/")}>
          {texts.request.back}
        </button>
      </p>
    </main>
  );
}

function Name({ name }: { name: string }) {
  return (
    <bdi class="strong">
      <Shown text={name} layout="line" />
    </bdi>
  );
}
