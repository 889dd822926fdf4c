import { shorten } from '../../base/text/clip.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import { isUnexpectedValue } from './expectedValues.ts';

/** Most reasons that are named for left-out items. */
const MAX_NAMED = 3;
export const MAX_ITEM_WHY_CHARS = 150;

/**
 * Why something could not be read, as a clause of at most `most` characters. An error that is not
 * svc's own means a value of an unexpected shape.
 */
export function explainUnread(error: unknown, most: number): string {
  const why = shorten(toErrorMessage(error), most).replace(/\.$/, '');
  return error instanceof SvcError || isUnexpectedValue(error)
    ? why
    : `it is not as expected: ${why}`;
}

export const joinReasons = (reasons: readonly string[]): string =>
  [...new Set(reasons)].slice(0, MAX_NAMED).join('; ');
