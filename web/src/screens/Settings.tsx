// What somebody can choose here, and the way out.

import type { Api } from "@askback/client";
import { useState } from "preact/hooks";
import { sendings } from "../answer/sending";
import { post } from "../hub/calls";
import { logOut, person } from "../hub/session";
import { isHelpOpen } from "../keyboard";
import { useScreen } from "../parts/screen";
import { Shown } from "../parts/Shown";
import { canNotify, switchNotifications } from "../reaching";
import { choose, isOn, setting, type Theme } from "../settings";
import { settingsTexts } from "../texts/more";

export function Settings() {
  const heading = useScreen(settingsTexts.title);
  return (
    <div class="settings">
      <h1 ref={heading} tabIndex={-1}>
        {settingsTexts.title}
      </h1>
      <Themes />
      <Switch
        id="shortcuts"
        label={settingsTexts.shortcuts}
        how={settingsTexts.shortcutsHow}
        isOn={isOn("shortcuts")}
        onSwitch={(on) => choose("shortcuts", on ? "on" : "off")}
      />
      <Switch
        id="notifications"
        label={settingsTexts.notifications}
        how={canNotify() ? "" : settingsTexts.notificationsNot}
        isOn={isOn("notifications")}
        onSwitch={(on) => void switchNotifications(on)}
        isDisabled={!canNotify()}
      />
      <p>
        <button type="button" onClick={() => (isHelpOpen.value = true)}>
          {settingsTexts.keys}
        </button>
      </p>
      <Plain />
      <LogOut />
    </div>
  );
}

const THEMES: readonly Theme[] = ["system", "light", "dark"];

function Themes() {
  return (
    <fieldset class="themes">
      <legend>{settingsTexts.theme}</legend>
      {THEMES.map((theme) => (
        <label key={theme} class="segment">
          <input type="radio" name="theme" checked={setting("theme") === theme} onChange={() => choose("theme", theme)} />
          {settingsTexts.themes[theme]}
        </label>
      ))}
    </fieldset>
  );
}

interface SwitchProps {
  id: string;
  label: string;
  how: string;
  isOn: boolean;
  isDisabled?: boolean;
  onSwitch: (on: boolean) => void;
}

function Switch({ id, label, how, isOn, isDisabled = false, onSwitch }: SwitchProps) {
  return (
    <div class="switch">
      <input
        type="checkbox"
        id={id}
        checked={isOn}
        disabled={isDisabled}
        aria-describedby={how === "" ? undefined : `${id}-how`}
        onChange={(event) => onSwitch(event.currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        {how === "" ? null : (
          <p id={`${id}-how`} class="muted">
            {how}
          </p>
        )}
      </div>
    </div>
  );
}

/** The page without scripts has sessions of its own, so that a link logs this browser in there, too. */
function Plain() {
  const [problem, setProblem] = useState("");
  const open = async () => {
    const reply = await post<Api.LoginLink>("/login-links", { plain: true });
    if (reply.ok) location.assign(reply.body.url);
    else setProblem(settingsTexts.plainFailed);
  };
  return (
    <p>
      <button type="button" onClick={() => void open()}>
        {settingsTexts.plain}
      </button>{" "}
      <span class="problem" role="alert">
        {problem}
      </span>
    </p>
  );
}

function LogOut() {
  const [problem, setProblem] = useState("");
  const isQueued = [...sendings.value.values()].some((sending) => sending.is === "on its way");
  const leave = async () => {
    if (!(await logOut())) setProblem(settingsTexts.logOutFailed);
  };
  if (!person.value) return null;
  return (
    <section class="you">
      <p>
        {settingsTexts.you}{" "}
        <bdi class="strong">
          <Shown text={person.value.name} layout="line" />
        </bdi>
        .{" "}
        {person.value.room === null ? null : (
          <>
            {settingsTexts.room}{" "}
            <bdi class="strong">
              <Shown text={person.value.room} layout="line" />
            </bdi>
            .
          </>
        )}
      </p>
      {isQueued ? <p class="notice warning">{settingsTexts.logOutQueued}</p> : null}
      <button type="button" onClick={() => void leave()}>
        {settingsTexts.logOut}
      </button>
      <p class="problem" role="alert">
        {problem}
      </p>
    </section>
  );
}
