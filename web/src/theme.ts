// Light or dark: as the system has it, or as the person has chosen.

import { effect } from "@preact/signals";
import { setting } from "./settings";

export function followTheme(): void {
  const bars = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')];
  // The first one is for dark, and each has the colour of its theme.
  const [dark = "", light = ""] = bars.map((bar) => bar.content);
  effect(() => {
    const theme = setting("theme");
    document.documentElement.dataset.theme = theme;
    bars.forEach((bar, index) => (bar.content = (theme === "system" ? index === 0 : theme === "dark") ? dark : light));
  });
}
