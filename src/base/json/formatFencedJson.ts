/**
 * Characters that people do not see or take for the end of a line: format, control, fillers,
 * selectors, tags, unassigned ones.
 */
const UNSEEN = /[`<]|(?!\n)[\p{C}\p{DI}\p{Zl}\p{Zp}]|\u2800/gu;

const escapeAsCodes = (char: string): string =>
  [...Array(char.length).keys()]
    .map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');

/**
 * JSON in a fence that nothing inside can close: backticks and `<` are escaped, and so is every
 * invisible character, so that text hidden from people is not hidden from the model either. An
 * untrusted text never begins a line of its own.
 */
export function formatFencedJson(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2).replace(UNSEEN, escapeAsCodes)}\n\`\`\``;
}
