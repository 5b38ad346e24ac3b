// Looks at everything that a page ever puts on its screen, however short a time it stands there, for what no text may become.

/** From its next load on, the page notes what it should not have shown. */
export async function watchScreen(page) {
  await page.addInitScript(watchHere, hidden.source);
}

/** What was noted since the page was loaded or last asked. */
export function seenOnScreen(page) {
  return page.evaluate(() => {
    const seen = [...globalThis.hostileSeen];
    globalThis.hostileSeen.clear();
    return seen;
  });
}


/** What hides, or turns other text around. Written out here, so that the check does not believe the code that it checks. */
export const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u180e\u2000-\u200f\u2028-\u202f\u2060-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\u{e0000}-\u{e0fff}]/u;

/** Runs in the page, before anything of the page does. */
function watchHere(hidden) {
  const HIDDEN = new RegExp(hidden, "u");
  // Where a field's own text is told once more, joiners are part of what people type.
  const TURNING = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;
  const FORBIDDEN =
    "script,style,picture,source,svg,math,iframe,frame,object,embed,applet,link,meta,base,template,audio,video,track,canvas,portal,slot,select:not(.finder > select, .audit-filter select)";
  const ATTRIBUTES = /^on|^(?:style|srcset|srcdoc|action|formaction|background|ping|poster|autofocus)$/;

  const seen = new Set();
  globalThis.hostileSeen = seen;
  const isPage = (element) => element?.closest("#page") != null;

  const readText = (node) => {
    const parent = node.parentElement;
    if (!isPage(parent) && parent?.localName !== "title") return;
    const found = (parent.closest(".hidden-characters") ? TURNING : HIDDEN).exec(node.data);
    if (found) seen.add(`${parent.localName} hides U+${found[0].codePointAt(0).toString(16)}: ${JSON.stringify(node.data.slice(0, 80))}`);
  };

  const readAttribute = (element, name) => {
    const value = element.getAttribute(name);
    if (value === null || !isPage(element)) return;
    if (ATTRIBUTES.test(name)) seen.add(`${element.localName} has ${name}=${value.slice(0, 80)}`);
    if (name === "src" && value !== "/icon.svg") seen.add(`${element.localName} loads ${value.slice(0, 80)}`);
    if (name === "href" && !isLinkAllowed(element, value)) seen.add(`${element.localName} leads to ${value.slice(0, 80)}`);
    // A field's own text is its own; when something was is written by the browser, in its own way.
    if (name === "value" || (name === "title" && element.localName === "time")) return;
    const found = HIDDEN.exec(value);
    if (found) seen.add(`${name} of ${element.localName} hides U+${found[0].codePointAt(0).toString(16)}: ${JSON.stringify(value.slice(0, 80))}`);
  };

  /** Places of the page itself; from a text, only what may be followed, and that with care. */
  const isLinkAllowed = (element, href) => {
    if (!element.closest(".context-text")) return /^(?:\/(?:r\/[0-9a-f-]{36}|history|audit|settings|plain)?|#detail)$/.test(href);
    return /^(?:https?:\/\/|mailto:)/.test(href) && element.rel === "noopener noreferrer" && element.target === "_blank";
  };

  const readElement = (element) => {
    if (isPage(element) && element.matches(FORBIDDEN)) seen.add(`there is an element ${element.localName}`);
    for (const { name } of element.attributes) readAttribute(element, name);
  };

  const readAll = (root) => {
    if (root.nodeType === Node.TEXT_NODE) return readText(root);
    if (root.nodeType !== Node.ELEMENT_NODE) return;
    readElement(root);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.TEXT_NODE) readText(node);
      else readElement(node);
    }
  };

  new MutationObserver((records) => {
    for (const { type, target, attributeName, addedNodes } of records) {
      if (type === "attributes") readAttribute(target, attributeName);
      else if (type === "characterData") readText(target);
      else addedNodes.forEach(readAll);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}
