import { sha256 } from '../base/system/ids/ids.ts';

const MARK = /\n*(?:<!-- svc:op=[0-9a-f]{24} -->|\[\/\/\]: # \(svc:op=[0-9a-f]{24}\))\s*$/;

const toMarkName = (operationId: string): string => `svc:op=${sha256(operationId).slice(0, 24)}`;

/**
 * The end of every text that svc writes on a forge, invisible to people: finding it again proves
 * that the write was done.
 */
export const formatMark = (operationId: string): string => `<!-- ${toMarkName(operationId)} -->`;

/**
 * The mark for a forge that shows comments of HTML as text: a link definition that nothing refers
 * to is shown nowhere.
 */
export const formatLinkMark = (operationId: string): string =>
  `[//]: # (${toMarkName(operationId)})`;

export const addMark = (text: string, operationId: string): string =>
  text === '' ? formatMark(operationId) : `${text}\n\n${formatMark(operationId)}`;

/** A link definition begins on its own line after an empty one. */
export const addLinkMark = (text: string, operationId: string): string =>
  text === '' ? formatLinkMark(operationId) : `${text}\n\n${formatLinkMark(operationId)}`;

export const hasMark = (text: string, operationId: string): boolean =>
  [formatMark(operationId), formatLinkMark(operationId)].some((mark) =>
    text.trimEnd().endsWith(mark),
  );

/** Whether svc wrote it; anyone can imitate that, so callers check the author as well. */
export const isMarked = (text: string): boolean => MARK.test(text);

export const removeMark = (text: string): string => text.replace(MARK, '');
