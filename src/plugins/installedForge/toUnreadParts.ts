import { SvcError } from '../../shared/errors/errors.ts';
import { UnreadParts } from '../../providers/rest/unreadParts.ts';
import type { PrPart } from '../../contract/schema/forge/prDetail.ts';
import type { LeftOut } from './scmAnswers.ts';

/** What is missing of a pull request without a member of a plugin's answer. */
const PARTS: Readonly<Record<Exclude<LeftOut['member'], ''>, readonly PrPart[]>> = {
  comments: ['comments', 'threads'],
  reviews: ['reviews'],
  checks: ['checks'],
  mergeable: ['mergeability'],
  mergeState: ['mergeability'],
  hindrances: ['mergeability'],
};

/** What could not be read of the answer about a pull request. */
export function toUnreadParts(leftOut: readonly LeftOut[]): UnreadParts {
  const parts = new UnreadParts();
  for (const { member, index, why } of leftOut) {
    const of = member === '' ? [] : PARTS[member];
    if (index === null) parts.note(of, new SvcError('invalid', why));
    else parts.noteItem(of, why);
  }
  return parts;
}
