import { isScreened, screenSecrets } from './screenSecrets.ts';

/** Fewest characters of a base64 piece: shorter ones occur in any base64 text. */
const SHORTEST_PIECE = 10;

/**
 * The parts of a secret's base64 that stay the same inside a longer encoded text, such as
 * `name:token` of Basic authorization: one for each of its three possible offsets in a group of
 * three bytes.
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

/** As `screenSecrets`, for every form of the secrets; longest first. */
export const screenSecretForms = (secrets: readonly string[]): ((text: string) => string) =>
  screenSecrets(
    secrets
      .filter(isScreened)
      .flatMap(listSecretForms)
      .toSorted((a, b) => b.length - a.length),
  );
