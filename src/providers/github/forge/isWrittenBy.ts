import { hasMark } from '../../../git/marks.ts';
import { at, textAt } from '../../../lib/untrusted.ts';

/** Whether a comment or a review of a list is the one that this account wrote with an operation. */
export const isWrittenBy = (login: string, one: unknown, operationId: string): boolean =>
  at(one, 'user', 'login') === login && hasMark(textAt(one, 'body'), operationId);
