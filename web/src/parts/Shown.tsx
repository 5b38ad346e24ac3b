// Text of an agent, or of anybody else: what would hide, or turn other text around, is a visible mark.

import { showPieces, type Layout, type Purpose } from "@askback/client";

interface ShownProps {
  text: string;
  layout?: Layout;
  /** Exact, unless the text is only read: what is decided on is seen with every invisible character. */
  purpose?: Purpose;
}

export function Shown({ text, layout = "block", purpose = "exact" }: ShownProps) {
  const pieces = showPieces(text, layout, purpose);
  return <>{pieces.map((piece) => (piece.isMark ? <mark class="hidden-character">{piece.text}</mark> : piece.text))}</>;
}
