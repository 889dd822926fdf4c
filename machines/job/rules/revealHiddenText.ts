/** Line ends of every kind: one of them left in would start a line that is not quoted. */
const LINE_ENDS = /\r\n|[\r\v\f\u0085\u2028\u2029]/gu;

/**
 * Characters that a person reading the pull request does not see, but an agent would: format,
 * control, private, and all that Unicode says is to be left out where it is not known (fillers,
 * selectors, tags). U+FE0F only makes an emoji of a sign.
 */
const INVISIBLE = /(?:(?!\n|\t|\uFE0F)[\p{DI}\p{Cf}\p{Cc}\p{Co}\p{Cs}]|\u2800)+/gu;

/** Named at most, of one run of invisible characters. */
const MAX_NAMED = 8;

const formatCodePoint = (char: string): string =>
  `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

function describeInvisibleRun(run: string): string {
  const chars = [...run];
  const more = chars.length > MAX_NAMED ? ` and ${chars.length - MAX_NAMED} more` : '';
  return `[invisible: ${chars.slice(0, MAX_NAMED).map(formatCodePoint).join(' ')}${more}]`;
}

/**
 * Untrusted text with everything shown that a person would not see: HTML comments become `[HTML
 * comment: …]`, invisible characters their code points. Lines end in `\n` alone.
 */
export const revealHiddenText = (text: string): string =>
  text
    .replace(LINE_ENDS, '\n')
    .replace(INVISIBLE, describeInvisibleRun)
    .replace(
      /<!--([\s\S]*?)(?:-->|$)/gu,
      (_all, inside: string) => `[HTML comment: ${inside.trim()}]`,
    );
