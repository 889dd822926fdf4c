import { isScreened } from './leastSecret.ts';
import { screenSecrets } from './screenSecrets.ts';

/**
 * Fewest characters of a base64 piece that is searched for: shorter ones occur in any base64 text.
 */
const SHORTEST_PIECE = 10;

/**
 * What is left of a secret's base64 wherever it occurs within a longer text that is encoded as a
 * whole, such as the `name:token` of Basic authorization: one piece for each of the three places in
 * a group of three bytes that it can begin at.
 */
function listBase64Pieces(secret: string, alphabet: 'base64' | 'base64url'): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2]
    .map((before) => {
      const encoded = Buffer.concat([Buffer.alloc(before), bytes])
        .toString(alphabet)
        .replace(/=+$/, '');
      // Characters that also depend on the neighbours are not the secret's own.
      const first = Math.ceil((before * 8) / 6);
      const last = Math.floor(((before + bytes.length) * 8) / 6);
      return encoded.slice(first, last);
    })
    .filter((piece) => piece.length >= SHORTEST_PIECE);
}

/** The secret as it appears in plain text, in JSON, in addresses and forms, and in base64. */
export const listSecretForms = (secret: string): string[] => [
  ...new Set([
    secret,
    JSON.stringify(secret).slice(1, -1),
    // Half a surrogate pair, which no address can hold, would throw: bytes do not have such halves.
    encodeURIComponent(Buffer.from(secret).toString()),
    new URLSearchParams([['', secret]]).toString().slice(1),
    ...listBase64Pieces(secret, 'base64'),
    ...listBase64Pieces(secret, 'base64url'),
  ]),
];

/**
 * As `screenSecrets`, for every form of the secrets; the longest first, since one may be part of
 * another.
 */
export const screenSecretForms = (secrets: readonly string[]): ((text: string) => string) =>
  screenSecrets(
    secrets
      .filter(isScreened)
      .flatMap(listSecretForms)
      .toSorted((a, b) => b.length - a.length),
  );
