/** Characters that look like others, or like nothing, by code point. */
const NAMES: Readonly<Record<number, string>> = {
  0: 'NUL',
  27: 'escape',
  160: 'no-break space',
  173: 'soft hyphen',
  5760: 'ogham space',
  8203: 'zero-width space',
  8204: 'zero-width non-joiner',
  8205: 'zero-width joiner',
  8206: 'left-to-right mark',
  8207: 'right-to-left mark',
  8208: 'hyphen',
  8209: 'non-breaking hyphen',
  8210: 'figure dash',
  8211: 'en dash',
  8212: 'em dash',
  8213: 'horizontal bar',
  8216: 'left single quotation mark',
  8217: 'right single quotation mark',
  8220: 'left double quotation mark',
  8221: 'right double quotation mark',
  8232: 'line separator',
  8233: 'paragraph separator',
  8239: 'narrow no-break space',
  8287: 'medium mathematical space',
  8288: 'word joiner',
  8722: 'minus sign',
  12288: 'ideographic space',
  65279: 'byte order mark',
  65306: 'full-width colon',
};

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Cyrillic}/u, 'Cyrillic'],
  [/\p{Script=Greek}/u, 'Greek'],
  [/\p{Script=Armenian}/u, 'Armenian'],
  [/[\uFF01-\uFF5E]/u, 'full-width'],
  [/\p{Zs}/u, 'a space'],
  [/\p{Cf}/u, 'invisible'],
  [/\p{Cc}/u, 'control character'],
  [/\p{Pd}/u, 'a dash'],
];

/** A character as one can look it up: `U+00A0 (no-break space)`, `U+043E "о" (Cyrillic)`. */
export function describeCodePoint(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const hex = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  const visible = /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? ` "${character}"` : '';
  const name = NAMES[point] ?? KINDS.find(([pattern]) => pattern.test(character))?.[1];
  return name === undefined ? `${hex}${visible}` : `${hex}${visible} (${name})`;
}

const MAX_NAMED = 3;
const UNUSUAL = /[^\x20-\x7E]/gu;

/**
 * A sentence that names the characters of `source` that are not ASCII, since in names they are
 * mostly look-alikes; '' = none exist. Characters that `near` has too are expected.
 */
export function describeUnusualCharacters(source: string, near = ''): string {
  const unusual = [...new Set(source.match(UNUSUAL))].filter((one) => !near.includes(one));
  if (unusual.length === 0) return '';
  const names = unusual.slice(0, MAX_NAMED).map(describeCodePoint).join(', ');
  return ` It contains ${names}${unusual.length > MAX_NAMED ? ' and others' : ''}.`;
}
