import { sha256 } from '../lib/ids.ts';

const MARK = /\n*<!-- svc:op=[0-9a-f]{24} -->\s*$/;

/** What stands at the end of every text that svc writes on a forge, unseen by people: found again, it says that the write was done. */
export const markOf = (operationId: string): string => `<!-- svc:op=${sha256(operationId).slice(0, 24)} -->`;

export const marked = (text: string, operationId: string): string =>
  text === '' ? markOf(operationId) : `${text}\n\n${markOf(operationId)}`;

export const hasMark = (text: string, operationId: string): boolean => text.trimEnd().endsWith(markOf(operationId));

/** Whether svc wrote it; anybody can imitate that, so whoever asks looks at the author as well. */
export const isMarked = (text: string): boolean => MARK.test(text);

export const withoutMark = (text: string): string => text.replace(MARK, '');
