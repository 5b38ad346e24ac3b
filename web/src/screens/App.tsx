// What is around every screen: the way between them, whether the hub is there, and the list of what waits beside the rest.

import { useEffect, useRef } from "preact/hooks";
import { useStanding } from "../answer/calm";
import { origin, place, type Place } from "../address";
import { reach, tryNow, waiting } from "../hub/room";
import { isTabOnly } from "../hub/session";
import { isHelpOpen } from "../keyboard";
import { Announcements } from "../parts/announcements";
import { FindButton } from "../parts/FindButton";
import { Guarded } from "../parts/Guarded";
import { Later } from "../parts/later";
import { isOn } from "../settings";
import { texts } from "../texts/page";
import { Inbox } from "./Inbox";
import { Login } from "./Login";
import { Missed } from "./Missed";
import { Nowhere } from "./Nowhere";
import { auditScreen, historyScreen, keysDialog, loginLinkScreen, requestScreen, settingsScreen, shortIdScreen } from "./screens";

export function App() {
  const here = place.value;
  if (here.is === "login") return <Later part={loginLinkScreen} props={{}} />;
  if (reach.value.is === "unknown") return <Login />;
  return (
    <div class={`app at-${here.is}`}>
      <a class="skip" href="#detail">
        {texts.app.skip}
      </a>
      <Header here={here} />
      <Reaching />
      <main class="panes">
        <section class="list" aria-label={texts.inbox.title}>
          <div class="list-head">
            <ListTitle level={here.is === "inbox" ? 1 : 2} />
            <FindButton list="inbox" />
          </div>
          <Inbox current={here.is === "request" ? here.id : undefined} level={here.is === "inbox" ? 2 : 3} />
        </section>
        <div class="detail" id="detail" tabIndex={-1}>
          {here.is === "request" || here.is === "short" || here.is === "audit" ? <WayBack from={here.is} /> : null}
          <Guarded key={location.pathname}>
            <Screen here={here} />
          </Guarded>
        </div>
      </main>
      {isHelpOpen.value ? <Later part={keysDialog} props={{}} /> : null}
      <Announcements />
    </div>
  );
}

function Screen({ here }: { here: Place }) {
  switch (here.is) {
    case "inbox":
      // The list beside it says so.
      if (waiting.value?.length === 0) return null;
      return (
        <div class="state pick">
          <span class="icon icon-inbox" aria-hidden="true" />
          <p>{texts.inbox.pick}</p>
          {isOn("shortcuts") ? <p class="muted keys-hint">{texts.inbox.keys}</p> : null}
        </div>
      );
    case "request":
      return <Later key={here.id} part={requestScreen} props={{ id: here.id }} />;
    case "short":
      return <Later key={here.end} part={shortIdScreen} props={{ end: here.end }} />;
    case "history":
      return <Later key="history" part={historyScreen} props={{}} />;
    case "audit":
      return <Later key="audit" part={auditScreen} props={{}} />;
    case "settings":
      return <Later key="settings" part={settingsScreen} props={{}} />;
    case "login":
    case "nowhere":
      return <Nowhere />;
  }
}

/** Back to the list that one came from. Beside the inbox itself it is not needed, and the style sheet hides it. */
function WayBack({ from }: { from: Place["is"] }) {
  const path = from === "audit" ? "/history" : origin.value;
  const label = path === "/history" ? texts.app.history : path === "/audit" ? texts.app.audit : texts.app.inbox;
  return (
    <a class={path === "/" ? "way-back to-inbox" : "way-back"} href={path} data-here aria-label={texts.app.back(label)}>
      <span class="icon icon-back" aria-hidden="true" />
      {label}
    </a>
  );
}

/** The list is the screen itself, or stands beside another. */
function ListTitle({ level }: { level: 1 | 2 }) {
  const Heading = `h${level}` as const;
  const heading = useRef<HTMLHeadingElement>(null);
  const count = waiting.value?.length;
  const wasThere = useRef(false);
  // Whoever comes back is taken there; a page that has just been opened begins at its beginning.
  useEffect(() => {
    if (level === 1 && wasThere.current) heading.current?.focus({ preventScroll: true });
    wasThere.current = true;
  }, [level]);
  return (
    <Heading ref={heading} class="list-title" tabIndex={-1}>
      {texts.inbox.title}
      {count === undefined || count === 0 ? null : <span class="tally">{count}</span>}
    </Heading>
  );
}

/** The section that a screen belongs to. */
const PARENTS: Partial<Record<Place["is"], Place["is"]>> = { request: "inbox", short: "inbox", audit: "history" };

function Header({ here }: { here: Place }) {
  const count = waiting.value?.length ?? 0;
  const link = (path: string, is: Place["is"], label: string) => (
    <li>
      <a href={path} data-here aria-current={here.is === is ? "page" : is === PARENTS[here.is] ? true : undefined}>
        {label}
      </a>
    </li>
  );
  return (
    <header class="top">
      <a class="brand" href="/" data-here>
        <img src="/icon.svg" alt={texts.app.name} width="24" height="24" />
        <span aria-hidden="true">{texts.app.name}</span>
      </a>
      <nav aria-label={texts.app.sections}>
        <ul role="list">
          {link("/", "inbox", count > 0 ? `${texts.app.inbox} (${count})` : texts.app.inbox)}
          {link("/history", "history", texts.app.history)}
          {link("/settings", "settings", texts.app.settings)}
        </ul>
      </nav>
    </header>
  );
}

function Reaching() {
  const { is } = reach.value;
  const standing = useStanding();
  useEffect(() => {
    window.addEventListener("online", tryNow);
    return () => window.removeEventListener("online", tryNow);
  }, []);
  return (
    <div ref={standing} role="status" class="reaching">
      {reach.value.is === "refused" ? (
        <div class="notice error">
          <p>{texts.reach.refused}</p>
          <p>{reach.value.closed.message}</p>
          <button type="button" onClick={() => location.reload()}>
            {texts.reach.reload}
          </button>
        </div>
      ) : null}
      <Missed />
      {isTabOnly.value ? (
        <div class="notice warning">
          <p>{texts.login.tabOnly}</p>
        </div>
      ) : null}
      {is === "offline" ? (
        <div class="notice warning">
          <p>{texts.reach.offline}</p>
          <button type="button" onClick={tryNow}>
            {texts.reach.tryNow}
          </button>
        </div>
      ) : null}
    </div>
  );
}
