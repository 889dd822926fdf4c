import { revealHiddenText } from './revealHiddenText.ts';

/**
 * Marks every line of untrusted or agent text, so that none can look like one of svc, and shows
 * invisible characters.
 */
export const quoteUntrustedText = (text: string): string =>
  revealHiddenText(text)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

/** The same as one line, trimmed, for the middle of a line of svc. */
export const flattenUntrustedText = (text: string): string =>
  revealHiddenText(text).replace(/\s+/gu, ' ').trim();
