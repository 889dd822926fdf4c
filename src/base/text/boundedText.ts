/** Keeps the beginning and the end of a text of any length: at most `most` characters. */
export class BoundedText {
  readonly #half: number;
  #head = '';
  #tail = '';
  #dropped = 0;

  constructor(most: number) {
    this.#half = Math.floor(most / 2);
  }

  push(text: string): void {
    const room = this.#half - this.#head.length;
    this.#head += text.slice(0, Math.max(0, room));
    const rest = this.#tail + text.slice(Math.max(0, room));
    const over = Math.max(0, rest.length - this.#half);
    this.#dropped += over;
    this.#tail = rest.slice(over);
  }

  toString(): string {
    if (this.#dropped === 0) return this.#head + this.#tail;
    return `${this.#head}\n[… ${this.#dropped} characters left out …]\n${this.#tail}`;
  }
}

/** Cuts a complete text in the same way. */
export const boundText = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const boundedText = new BoundedText(most);
  boundedText.push(text);
  return boundedText.toString();
};

/** What no person and no model can read: control characters, except tabs and line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]+/g;

/** A text in which runs of control characters are a note of their number. */
export const replaceControlRuns = (text: string): string =>
  text.replace(CONTROLS, ({ length }) =>
    length === 1 ? '\ufffd' : `[${length} control characters]`,
  );
