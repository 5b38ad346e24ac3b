// What a person has chosen for this browser.

import { signal } from "@preact/signals";

/** What each setting can be; the first is the default. */
const CHOICES = {
  shortcuts: ["on", "off"],
  notifications: ["off", "on"],
  theme: ["system", "light", "dark"],
  grouping: ["room", "agent"],
} as const;

type Settings = { [Name in keyof typeof CHOICES]: (typeof CHOICES)[Name][number] };

export type Setting = keyof Settings;
export type Theme = Settings["theme"];
export type Grouping = Settings["grouping"];

const chosen = signal<Settings>({
  shortcuts: read("shortcuts"),
  notifications: read("notifications"),
  theme: read("theme"),
  grouping: read("grouping"),
});

export function setting<Name extends Setting>(name: Name): Settings[Name] {
  return chosen.value[name];
}

export function isOn(name: "shortcuts" | "notifications"): boolean {
  return setting(name) === "on";
}

export function choose<Name extends Setting>(name: Name, value: Settings[Name]): void {
  chosen.value = { ...chosen.value, [name]: value };
  try {
    localStorage.setItem(keyOf(name), value);
  } catch {
    // Where nothing can be kept it lasts as long as the page.
  }
}

function read<Name extends Setting>(name: Name): Settings[Name] {
  const known = CHOICES[name] as readonly string[] as readonly Settings[Name][];
  try {
    const kept = localStorage.getItem(keyOf(name));
    return known.find((value) => value === kept) ?? (known[0] as Settings[Name]);
  } catch {
    return known[0] as Settings[Name];
  }
}

function keyOf(name: Setting): string {
  return `askback.${name}`;
}
