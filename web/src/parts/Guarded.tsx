// What goes wrong in one part of the page does not take the rest with it.

import { Component, type ComponentChildren } from "preact";
import { texts } from "../texts/page";

interface GuardedProps {
  children: ComponentChildren;
}

export class Guarded extends Component<GuardedProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static override getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown) {
    console.error("askback: this part of the page failed", error);
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div class="state" role="alert">
        <p>{texts.app.failed}</p>
        <button type="button" onClick={() => location.reload()}>
          {texts.reach.reload}
        </button>
      </div>
    );
  }
}
