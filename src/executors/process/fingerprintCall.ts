import { createHash } from 'node:crypto';

/** Most of a text that a fingerprint is made of, characters. */
const MAX_PRINTED_CHARS = 262_144;

/** What differs between two calls that are the same for a person. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/(?:\/private)?\/(?:var\/folders|(?:var\/)?tmp)\/[^\s'"`)]+/g, '<temporary>'],
  [/\b(?:0x)?(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, '<hex>'],
  [/\d+(?:[.,:]\d+)*/g, '<number>'],
];

/** The text without numbers, times, long hexadecimal words and temporary paths. */
export const maskVaryingParts = (text: string): string =>
  MASKS.reduce(
    (out, [pattern, word]) => out.replace(pattern, word),
    text.slice(0, MAX_PRINTED_CHARS),
  );

/** Keys of objects in order, so that the same arguments make the same text. */
const sortObjectKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortObjectKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortObjectKeys(inner)]),
  );
};

/** Fingerprint of a text, or of arguments: the same for what differs in masked parts alone. */
export const fingerprintCall = (value: unknown): string =>
  createHash('sha256')
    .update(
      maskVaryingParts(
        typeof value === 'string' ? value : (JSON.stringify(sortObjectKeys(value)) ?? ''),
      ),
    )
    .digest('hex')
    .slice(0, 16);
