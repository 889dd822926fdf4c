/** Markup that is safe to send: made by `html` alone. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

export type HtmlValue = Html | string | number | false | null | readonly Html[];

function toMarkup(value: HtmlValue): string {
  if (value === false || value === null) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escapeText(String(value));
}

/** Markup in which every value that is not markup itself is escaped, in texts and in quoted attributes. */
export const html = (parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html =>
  new Html(parts.map((part, n) => part + toMarkup(values[n] ?? null)).join(''));
