// Numbers as the decimals people read, compared without rounding.

/** `digits` × 10 to the power of `exponent`. */
interface Decimal {
  digits: bigint;
  exponent: number;
}

/** A finite number in HTML's floating-point grammar: no `+`, no `5.`, no hex, no names. */
export function parseNumber(text: string): number | undefined {
  if (!/^-?(?:\d+|\d*\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** The next number above or below that lies a whole number of `step`s from `base`, exactly: 0.3 after 0.2 by 0.1. */
export function nextOnStep(number: number, base: number, step: number, direction: "up" | "down"): number {
  const { scaledNumber, scaledBase, scaledStep, exponent } = scaled(number, base, step);
  if (scaledStep === 0n) return number;
  const distance = scaledNumber - scaledBase;
  // Division rounds towards zero, and this one has to round down.
  const rest = ((distance % scaledStep) + scaledStep) % scaledStep;
  const below = scaledNumber - rest;
  const next = direction === "up" ? below + scaledStep : rest === 0n ? below - scaledStep : below;
  return Number(`${next}e${exponent}`);
}

/** Whether `number` lies a whole number of `step`s from `base`, exactly, in the decimals they are written in. */
export function isOnStep(number: number, base: number, step: number): boolean {
  const { scaledNumber, scaledBase, scaledStep } = scaled(number, base, step);
  return scaledStep !== 0n && (scaledNumber - scaledBase) % scaledStep === 0n;
}

/** All three as whole numbers of the same power of ten. */
function scaled(number: number, base: number, step: number) {
  const decimals = [exact(number), exact(base), exact(step)] as const;
  const exponent = Math.min(...decimals.map((decimal) => decimal.exponent));
  const scale = (decimal: Decimal) => decimal.digits * 10n ** BigInt(decimal.exponent - exponent);
  return { scaledNumber: scale(decimals[0]), scaledBase: scale(decimals[1]), scaledStep: scale(decimals[2]), exponent };
}

/** The decimal that the shortest written form denotes, so that 0.3 is three tenths. */
function exact(number: number): Decimal {
  const [mantissa = "0", exponent = "0"] = String(number).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
