// Email (F7): one address, by the rule of HTML's email field.

import { checkTyped, FREE_TEXT_LENGTH } from "../free-text.js";
import { single, type Reader } from "../question.js";
import { keep, Refusal } from "../rule.js";
import { quote } from "../show.js";

const LOCAL = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+$/;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

export const readEmail: Reader<"email"> = (question, given) => {
  const expected = `an address such as name@${question.domain ?? "example.com"}`;
  // HTML strips the space around an address before it looks at it.
  const written = single(given).trim();
  checkTyped(written, FREE_TEXT_LENGTH, () => expected);
  const at = written.lastIndexOf("@");
  const domain = written.slice(at + 1);
  if (at < 0 || !LOCAL.test(written.slice(0, at)) || !domain.split(".").every((label) => LABEL.test(label))) {
    throw new Refusal("email", `${quote(written)} is not an email address`, expected);
  }
  const fits = question.domain === undefined || question.domain.toLowerCase() === domain.toLowerCase();
  keep("domain", fits, () => [`${quote(written)} is at another domain (a subdomain is another, too)`, expected]);
  return { written };
};
