// What somebody has chosen for this browser.

import { signal } from "@preact/signals";

export type Setting = "shortcuts" | "notifications";

const DEFAULTS: Record<Setting, boolean> = { shortcuts: true, notifications: false };

const chosen = signal<Record<Setting, boolean>>({ shortcuts: read("shortcuts"), notifications: read("notifications") });

export function isOn(setting: Setting): boolean {
  return chosen.value[setting];
}

export function choose(setting: Setting, value: boolean): void {
  chosen.value = { ...chosen.value, [setting]: value };
  try {
    localStorage.setItem(nameOf(setting), value ? "on" : "off");
  } catch {
    // Where nothing can be kept it lasts as long as the page.
  }
}

function read(setting: Setting): boolean {
  try {
    const kept = localStorage.getItem(nameOf(setting));
    return kept === null ? DEFAULTS[setting] : kept === "on";
  } catch {
    return DEFAULTS[setting];
  }
}

function nameOf(setting: Setting): string {
  return `askback.${setting}`;
}
