import { hash, timingSafeEqual } from 'node:crypto';
import { SvcError } from '../../../base/errors/errors.ts';

/** Fewest characters of a token: about 64 bits. */
const FEWEST_CHARACTERS = 16;

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/**
 * Tells in constant time whether a text is the token of SVC_CLOUD_METRICS_TOKEN; null = nothing is. Throws SvcError
 * `bad-argument` for one that could be guessed or not be sent.
 */
export function createTokenMatch(token: string | null): (text: string | undefined) => boolean {
  if (token === null) return () => false;
  if (token.length < FEWEST_CHARACTERS || !/^[A-Za-z0-9._~+/=-]+$/.test(token))
    throw new SvcError(
      'bad-argument',
      `SVC_CLOUD_METRICS_TOKEN must have ${FEWEST_CHARACTERS} or more letters, digits and ._~+/=-. Make one with: openssl rand -base64 32`,
    );
  const expected = digest(token);
  return (text) => text !== undefined && timingSafeEqual(digest(text), expected);
}
