import { hasMark } from '../../../git/marks.ts';
import { readAtPath, readTextAt } from '../../../base/json/untrusted.ts';

/** Whether this account wrote an item of a list with this operation. */
export const isWrittenBy = (login: string, one: unknown, operationId: string): boolean =>
  readAtPath(one, 'user', 'login') === login && hasMark(readTextAt(one, 'body'), operationId);
