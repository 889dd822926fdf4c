/**
 * Characters that a person does not see, or that change the order in which others are shown
 * (Trojan Source): controls, format characters, what fonts leave out, unusual spaces and line
 * breaks. A tab and a line feed do not count.
 */
const HIDDEN =
  /(?![\t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00A0\u2000-\u200A\u202F\u205F\u2800]/u;
const EACH_HIDDEN = new RegExp(HIDDEN, 'gu');
/** A run of plain ASCII, which most lines are: no need to look closer. */
const PLAIN = /^[\t\n\x20-\x7E]*$/;
/** What belongs to an emoji: its colour or text form, and what joins several into one. */
const IN_EMOJI =
  /\p{Extended_Pictographic}[\p{Emoji_Modifier}]?(?:\uFE0F|\uFE0E)?(?:\u200D\p{Extended_Pictographic}[\p{Emoji_Modifier}]?\uFE0F?)*/gu;

/** A character that must be shown by name, such as U+202E, as offsets into its text. */
interface HiddenCharacter {
  from: number;
  to: number;
  name: string;
}

const toCodePointName = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Where emoji are: characters within them are not hidden, they are part of a picture. */
function findEmojiRanges(text: string): [number, number][] {
  return [...text.matchAll(IN_EMOJI)].map(({ index, 0: { length } }) => [index, index + length]);
}

/** The characters of a text that must be shown by name, in their order. */
export function findHiddenCharacters(text: string): HiddenCharacter[] {
  if (PLAIN.test(text) || !HIDDEN.test(text)) return [];
  const emoji = findEmojiRanges(text);
  return [...text.matchAll(EACH_HIDDEN)].flatMap(({ index, 0: character }) =>
    emoji.some(([from, to]) => index >= from && index < to)
      ? []
      : [{ from: index, to: index + character.length, name: toCodePointName(character) }],
  );
}

export const hasHiddenCharacters = (text: string): boolean => findHiddenCharacters(text).length > 0;

/** A text with every hidden character replaced by its name in brackets, but line ends kept. */
export function nameHiddenCharacters(rawText: string): string {
  const text = rawText.replaceAll('\r\n', '\n');
  let printable = '';
  let at = 0;
  for (const { from, to, name } of findHiddenCharacters(text)) {
    printable += `${text.slice(at, from)}[${name}]`;
    at = to;
  }
  return printable + text.slice(at);
}
