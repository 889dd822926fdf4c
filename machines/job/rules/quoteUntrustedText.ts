import { revealHiddenText } from './revealHiddenText.ts';

/**
 * Untrusted text, or text of an agent, with every line marked, so that none can look like one of
 * svc; invisible characters are shown.
 */
export const quoteUntrustedText = (text: string): string =>
  revealHiddenText(text)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

/** The same as one line without its ends, for the middle of a line of svc. */
export const flattenUntrustedText = (text: string): string =>
  revealHiddenText(text).replace(/\s+/gu, ' ').trim();
