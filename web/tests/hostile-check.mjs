// What must hold for a hostile text in a page: nothing runs, nothing is loaded, nothing is hidden, nothing stands still.

/** Elements that load, run, submit or restyle; none of them is ever made from the text of an agent. */
const FORBIDDEN =
  "script,style,img,picture,source,svg,math,iframe,frame,form,object,embed,applet,link,meta,base,template,audio,video,track,canvas,dialog,details,portal,slot,input,select,textarea";

/** A task that keeps the page from answering for longer than this is noticed, in milliseconds. */
export const LONGEST_TASK_MS = 200;

/**
 * Watches `page` from before it is opened. `isOwn` says which requests are the page's own.
 * `problems()` says what happened since, and forgets it; `longestTask()` likewise, in milliseconds.
 */
export async function watch(page, isOwn) {
  const seen = [];
  page.on("request", (request) => isOwn(request.url()) || seen.push(`requested ${request.url().slice(0, 200)}`));
  page.on("dialog", (dialog) => {
    seen.push(`opened a dialog: ${dialog.message().slice(0, 200)}`);
    return dialog.dismiss();
  });
  page.on("popup", (popup) => seen.push(`opened a window: ${popup.url().slice(0, 200)}`));
  page.on("download", (download) => seen.push(`downloaded ${download.url().slice(0, 200)}`));
  page.on("pageerror", (error) => seen.push(`threw ${error.message.slice(0, 200)}`));
  page.on("console", (message) => /Content Security Policy|TrustedHTML/i.test(message.text()) && seen.push(`was stopped only by the policy: ${message.text().slice(0, 200)}`));
  await page.addInitScript(() => {
    globalThis.hostileWatch = { longest: 0 };
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.hostileWatch.longest = Math.max(globalThis.hostileWatch.longest, duration);
    }).observe({ type: "longtask", buffered: true });
  });
  return {
    async problems() {
      const ran = await page.evaluate(() => {
        const was = "hostileRan" in globalThis || "polluted" in {};
        delete globalThis.hostileRan;
        return was;
      });
      return [...seen.splice(0), ...(ran ? ["ran a script"] : [])];
    },
    async longestTask() {
      return page.evaluate(() => {
        const { longest } = globalThis.hostileWatch;
        globalThis.hostileWatch.longest = 0;
        return longest;
      });
    },
  };
}

/**
 * The longest task while `draw` draws, in milliseconds: the least of several tries, because a machine that is busy
 * with something else makes any task long, and a page that stands still does so every time.
 */
export async function longestTaskOf(watched, draw, tries = 3) {
  let least = Infinity;
  for (let count = 0; count < tries && least > LONGEST_TASK_MS; count += 1) {
    await watched.longestTask();
    await draw();
    least = Math.min(least, await watched.longestTask());
  }
  return least;
}

/** Waits until the contexts within `root` are drawn whole and Markdown is formatted. */
export async function drawn(root, timeout = 120_000) {
  const page = root.page();
  const element = await root.elementHandle();
  await page.waitForFunction((root) => root.querySelector(".context") && !root.querySelector(".still-drawing, [aria-busy='true']"), element, { timeout, polling: 50 });
}

/** What is wrong with how `contexts` are shown within `root`, in this order. All are looked at in one go: there may be many. */
export async function checkContexts(root, contexts) {
  const shown = await root.evaluate(lookAtContexts, FORBIDDEN);
  if (shown.length !== contexts.length) return [`shows ${shown.length} of ${contexts.length}`];
  return contexts.flatMap((context, index) => {
    const { problems, text, seen } = shown[index];
    return [...problems, ...checkExact(text, context), ...checkSeen(seen, context)].map((problem) => `${context.name}, as ${context.type}: ${problem}`);
  });
}

/** Runs in the page. Of each context: what must not be there whatever the text, the text of its nodes, and what the browser calls visible. */
function lookAtContexts(root, forbidden) {
  // Written out here, so that the check does not believe the code that it checks.
  const HIDDEN =
    /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u180e\u2000-\u200f\u2028-\u202f\u2060-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff]|[\u{e0000}-\u{e0fff}]/u;

  const lookAtElements = (figure, problems) => {
    for (const element of figure.querySelectorAll(forbidden)) problems.add(`has an element ${element.localName}`);
    const walker = document.createTreeWalker(figure, NodeFilter.SHOW_ELEMENT);
    for (let element = walker.nextNode(); element; element = walker.nextNode()) {
      if (element.namespaceURI !== "http://www.w3.org/1999/xhtml") problems.add(`has an element of another kind: ${element.localName}`);
      for (const { name } of element.attributes) {
        if (/^on|^(?:style|src|srcset|srcdoc|action|formaction|background|ping|poster|id|name|autofocus)$/.test(name)) problems.add(`has an attribute ${name}`);
      }
      if (element.localName !== "a") continue;
      const { protocol } = element;
      if (!["http:", "https:", "mailto:"].includes(protocol)) problems.add(`links to ${protocol}`);
      if (!/^(?:https?:\/\/|mailto:)/i.test(element.getAttribute("href") ?? "")) problems.add("links to where the page is");
      if (element.rel !== "noopener noreferrer" || element.target !== "_blank" || element.referrerPolicy !== "no-referrer") problems.add("links without care");
    }
  };

  const textOf = (place, problems) => {
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    const text = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement: parent, data } = node;
      if (parent.closest(".context-ours")) continue;
      if (parent.matches("mark.hidden-character")) {
        text.push(String.fromCodePoint(Number.parseInt(data.slice("<U+".length), 16)));
        continue;
      }
      const hidden = HIDDEN.exec(data);
      if (hidden) problems.add(`hides U+${hidden[0].codePointAt(0).toString(16)}`);
      text.push(data);
    }
    return text.join("");
  };

  const seenOf = (place) => {
    // What is far away is laid out only when it comes near. Until then the browser calls it invisible, so ask for its styles.
    const blocks = [...place.querySelectorAll(".rows-block")];
    const isFar = (block) => getComputedStyle(block).contentVisibility === "auto";
    const [near, far] = [blocks.filter((block) => !isFar(block)), blocks.filter(isFar)];
    if (far.length === 0) return place.innerText;
    const isSeen = (block) => block.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    return [...near.map((block) => block.innerText), ...far.filter(isSeen).map((block) => block.textContent)].join("");
  };

  return [...root.querySelectorAll(".context")].map((figure) => {
    const problems = new Set();
    const place = figure.querySelector(".context-text");
    lookAtElements(figure, problems);
    const text = textOf(place, problems);
    return { text, seen: seenOf(place), problems: [...problems] };
  });
}

/** Whether the text nodes are the text: all of it, in order; only Markdown's own signs may become structure. */
function checkExact(shown, { type, text }) {
  const structure = type === "markdown" ? /[ \t\n*_~`[\]()<>!#+\-.|:\\="']/g : type === "json" ? /[ \t\n\r]/g : /[ \t\n]/g;
  const essence = (text) => text.replace(/\r\n/g, "\n").replace(structure, "");
  const wanted = type === "markdown" ? essence(withoutTasks(text)) : essence(text);
  const got = type === "markdown" ? essence(shown.replace(/[☐☑]/g, "")) : essence(shown);
  if (got === wanted) return [];
  let at = 0;
  while (got[at] === wanted[at]) at += 1;
  const near = (text) => JSON.stringify(text.slice(Math.max(0, at - 20), at + 20));
  return [`shows ${near(got)} instead of ${near(wanted)} (${got.length} and ${wanted.length} characters)`];
}

/** Whether every word is among what the browser says is visible, in the order in which the words are written. */
function checkSeen(visible, { type, text }) {
  const seen = visible.replace(/\s/g, "");
  const words = (type === "markdown" ? withoutTasks(text) : text).match(/(?:(?![\u115f\u1160\u3164\uffa0])[\p{L}\p{N}])+/gu) ?? [];
  let from = 0;
  for (const word of words) {
    const at = seen.indexOf(word, from);
    if (at < 0) return [`hides the word ${JSON.stringify(word.slice(0, 40))}`];
    from = at + word.length;
  }
  return [];
}

/** The x of a task becomes a box with a tick. */
function withoutTasks(text) {
  return text.replace(/^((?:[ \t]*(?:[-+*]|\d{1,9}[.)]|>)[ \t]+)+)\[[xX]\](?=[ \t])/gm, "$1");
}
