import { joinIntoOneLine } from './clip.ts';

/** Longest text that is kept, characters. */
const MAX_TEXT_CHARS = 300;
/** Longest title of a page, or beginning of one without a title, characters. */
const MAX_TITLE_CHARS = 100;

const PAGE =
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)?<(?:!doctype\s+html|html|head|body)\b/i;
/** Tags of HTML; angle brackets around anything else are kept, such as `<branch>`. */
const TAG =
  /<\/?(?:a|abbr|b|body|br|center|code|div|em|font|h[1-6]|head|hr|html|i|img|li|link|meta|ol|p|pre|script|small|span|strong|style|table|tbody|td|th|title|tr|tt|u|ul)\b[^<>]*>/gi;
const HIDDEN = /<(script|style|head)\b[\s\S]*?<\/\1\s*>/gi;
const TITLES = [/<title\b[^>]*>([\s\S]*?)<\/title/i, /<h1\b[^>]*>([\s\S]*?)<\/h1/i];
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  apos: "'",
  nbsp: ' ',
};

export const isHtmlPage = (text: string): boolean => PAGE.test(text);

/** A text of a server for people, on one line: without tags; a page of HTML as its title. */
export function htmlToPlainText(text: string): string {
  const decoded = (part: string): string =>
    joinIntoOneLine(
      part
        .replace(TAG, ' ')
        .replace(/&(#39|\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole),
    );
  if (PAGE.test(text)) {
    const title = TITLES.map((one) => decoded(one.exec(text)?.[1] ?? '')).find((one) => one !== '');
    const linkText = title ?? decoded(text.replace(HIDDEN, ' '));
    return linkText === ''
      ? 'an empty page of HTML'
      : `a page of HTML ("${linkText.slice(0, MAX_TITLE_CHARS)}")`;
  }
  return decoded(text.replace(HIDDEN, ' ')).slice(0, MAX_TEXT_CHARS);
}
