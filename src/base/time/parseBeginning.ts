import { parseShortDuration } from './parseShortDuration.ts';
import { SvcError } from '../errors/errors.ts';

/**
 * Epoch ms of a past time: ISO, or an age such as `12h`. Throws SvcError `bad-argument` for any
 * other text; `what` is the subject of the error's sentence.
 */
export function parseBeginning(what: string, text: string, now: number): number {
  const ago = parseShortDuration(text);
  const at =
    ago === null ? (/^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN) : now - ago;
  if (Number.isFinite(at) && at <= now) return at;
  throw new SvcError(
    'bad-argument',
    `${what} cannot start at "${text}": give a past time, such as 2026-11-20T18:00:00Z, or how long ago, such as 12h or 2d.`,
  );
}
