// The places of a rating, and the face of each.

import type { RatingQuestion } from "@askback/client";

/** From the worst to the best. */
const FACES = ["😞", "🙁", "😐", "🙂", "😀"] as const;

/** Places of the longest scale. */
const MOST_PLACES = 21;

/** Every place in its written form, from the lowest to the highest. */
export function placesOf({ min = 1, max = 5 }: RatingQuestion): string[] {
  const count = Math.min(max - min + 1, MOST_PLACES);
  // Beyond 2⁵³, adding 1 to a double gives the same again.
  return Array.from({ length: count }, (_, index) => String(BigInt(min) + BigInt(index)));
}

/** The faces spread over the scale: the nearest to where the place is. */
export function faceOf(index: number, count: number): string {
  const last = FACES.length - 1;
  return FACES[Math.round((index * last) / Math.max(count - 1, 1))] ?? FACES[last] ?? "";
}
