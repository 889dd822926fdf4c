import { shorten } from '../../shared/text/clip.ts';
import { toErrorMessage, SvcError } from '../../shared/errors/errors.ts';
import { isUnexpectedValue } from './expectedValues.ts';

/** Most reasons that are named for what was left out. */
const MAX_NAMED = 3;
/** Longest reason why one item was left out, characters. */
export const MAX_ITEM_WHY_CHARS = 150;

/**
 * Why something could not be read, as a clause of at most `most` characters. An error that is not
 * svc's own is about a value of another shape than expected.
 */
export function explainUnread(error: unknown, most: number): string {
  const why = shorten(toErrorMessage(error), most).replace(/\.$/, '');
  return error instanceof SvcError || isUnexpectedValue(error)
    ? why
    : `it is not as expected: ${why}`;
}

/** The first of the reasons why items were left out, each once. */
export const joinReasons = (reasons: readonly string[]): string =>
  [...new Set(reasons)].slice(0, MAX_NAMED).join('; ');
