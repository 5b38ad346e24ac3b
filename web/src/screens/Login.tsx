// For a browser that nobody is logged in with.

import { texts } from "../texts/page";

export function Login() {
  return (
    <main class="state login">
      <h1>{texts.login.title}</h1>
      <p>{texts.login.why}</p>
      <p>{texts.login.how}</p>
      <pre tabIndex={0}>{texts.login.command}</pre>
      <p>{texts.login.then}</p>
      <p class="muted">{texts.login.kept}</p>
    </main>
  );
}
