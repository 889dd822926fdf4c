import { hasMark } from '../../../git/marks.ts';
import { readAtPath, readTextAt } from '../../../shared/json/untrusted.ts';

/** Whether a comment or a review of a list is the one that this account wrote with an operation. */
export const isWrittenBy = (login: string, one: unknown, operationId: string): boolean =>
  readAtPath(one, 'user', 'login') === login && hasMark(readTextAt(one, 'body'), operationId);
