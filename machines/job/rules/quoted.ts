import { visibleText } from './visibleText.ts';

/**
 * Text of an agent or a stranger with every line marked, so that none can look like one of ours;
 * what a person would not see is shown.
 */
export const quoted = (text: string): string =>
  visibleText(text)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

/** The same as one line without its ends, for the middle of a line of ours. */
export const inOneLine = (text: string): string => visibleText(text).replace(/\s+/gu, ' ').trim();
