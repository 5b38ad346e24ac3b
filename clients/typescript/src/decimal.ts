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

/** Whether `number` lies a whole number of `step`s from `base`, exactly, in the decimals they are written in. */
export function isOnStep(number: number, base: number, step: number): boolean {
  const decimals = [exact(number), exact(base), exact(step)] as const;
  const exponent = Math.min(...decimals.map((decimal) => decimal.exponent));
  const scale = (decimal: Decimal) => decimal.digits * 10n ** BigInt(decimal.exponent - exponent);
  const [scaledNumber, scaledBase, scaledStep] = [scale(decimals[0]), scale(decimals[1]), scale(decimals[2])];
  return scaledStep !== 0n && (scaledNumber - scaledBase) % scaledStep === 0n;
}

/** The decimal that the shortest written form denotes, so that 0.3 is three tenths. */
function exact(number: number): Decimal {
  const [mantissa = "0", exponent = "0"] = String(number).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
