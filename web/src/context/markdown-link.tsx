// A link that says where it leads, beside its own text.

import type { Tokens } from "marked";
import type { ComponentChildren, VNode } from "preact";
import { Shown } from "../parts/Shown";
import { contextTexts } from "../texts/context";
import { targetOf } from "./link";
import { Ours } from "./marks";

export function drawLink(link: Tokens.Link, text: ComponentChildren): VNode {
  const target = targetOf(link.href);
  const followed = target ? (
    <a href={target.address} rel="noopener noreferrer" target="_blank" referrerpolicy="no-referrer">
      <bdi>{text}</bdi>
    </a>
  ) : (
    <bdi>{text}</bdi>
  );
  return (
    <>
      {followed}
      {saysItself(link) ? null : written(link)}
      {target?.otherHost === undefined ? null : (
        <Ours>
          {" "}
          <span class="other-host">{contextTexts.leadsTo(target.otherHost)}</span>
        </Ours>
      )}
    </>
  );
}

/** Whether the text is the address itself. */
function saysItself({ autolink, href, text, raw }: Tokens.Link): boolean {
  return autolink === true || (raw === text && href === text);
}

/** The target and the title: after the text where they are written, otherwise as something we add. */
function written({ href, title, raw }: Tokens.Link): VNode {
  const target = (
    <bdi class="link-target" dir="ltr">
      (<Shown text={href} layout="line" />
      {title ? (
        <>
          {' "'}
          <Shown text={title} />"
        </>
      ) : null}
      )
    </bdi>
  );
  if (raw.endsWith(")")) return <> {target}</>;
  const label = /\]\[((?:[^[\]\\]|\\.)+)\]$/.exec(raw)?.[1];
  return (
    <>
      {label === undefined ? null : (
        <bdi class="link-target">
          [<Shown text={label} />]
        </bdi>
      )}
      <Ours> {target}</Ours>
    </>
  );
}
