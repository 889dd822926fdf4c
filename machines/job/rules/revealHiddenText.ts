/** Line ends of every kind: any left in would start an unquoted line. */
const LINE_ENDS = /\r\n|[\r\v\f\u0085\u2028\u2029]/gu;

/**
 * Characters that a person does not see but an agent would: format, control, private use, and
 * Unicode's default-ignorable (fillers, selectors, tags). U+FE0F is exempt: it only makes an emoji.
 */
const INVISIBLE = /(?:(?!\n|\t|\uFE0F)[\p{DI}\p{Cf}\p{Cc}\p{Co}\p{Cs}]|\u2800)+/gu;

/** Most invisible characters named per run. */
const MAX_NAMED = 8;

const formatCodePoint = (char: string): string =>
  `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

function describeInvisibleRun(run: string): string {
  const chars = [...run];
  const more = chars.length > MAX_NAMED ? ` and ${chars.length - MAX_NAMED} more` : '';
  return `[invisible: ${chars.slice(0, MAX_NAMED).map(formatCodePoint).join(' ')}${more}]`;
}

/**
 * Makes hidden parts of untrusted text visible: HTML comments become `[HTML comment: …]`, invisible
 * characters their code points. All lines end in `\n`.
 */
export const revealHiddenText = (text: string): string =>
  text
    .replace(LINE_ENDS, '\n')
    .replace(INVISIBLE, describeInvisibleRun)
    .replace(
      /<!--([\s\S]*?)(?:-->|$)/gu,
      (_all, inside: string) => `[HTML comment: ${inside.trim()}]`,
    );
