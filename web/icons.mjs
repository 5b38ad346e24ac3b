// Draws the PNG icons of `public/` from its SVG, with Chromium: node icons.mjs

import { readFileSync, writeFileSync } from "node:fs";
import { Browser } from "./tests/browser.mjs";

const file = (name) => new URL(`public/${name}`, import.meta.url);
const svg = readFileSync(file("icon.svg"), "utf8");

/** Platforms that cut the shape themselves take an icon that fills its square, with what matters in the middle. */
const square = svg.replace(' rx="14"', "");
const maskable = square.replace("<path", '<g transform="translate(6.4 6.4) scale(.8)"><path').replace("</svg>", "</g></svg>");

const ICONS = [
  ["icon-192.png", svg, 192],
  ["icon-512.png", svg, 512],
  ["icon-maskable-512.png", maskable, 512],
  ["apple-touch-icon.png", square, 180],
];

const browser = await Browser.start();
const page = await browser.window({ origin: "" });
for (const [name, drawing, size] of ICONS) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px}</style>${drawing}`);
  writeFileSync(file(name), await page.screenshot({ omitBackground: true }));
}
await browser.end();
