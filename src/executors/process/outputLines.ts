import { stripVTControlCharacters } from 'node:util';
import { changeBesideColours } from '../../base/output/colouredText.ts';

/** Longest line that is kept, bytes; the rest is dropped. */
export const MAX_LINE_BYTES = 8_192;
const CUT_MARK = ' … [line cut]';
const NEWLINE = 0x0a;

const stripControlChars = (part: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  stripVTControlCharacters(part).replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');

/**
 * What a terminal would show of a line: without escapes (except, with `colours`, those for
 * colours), and without what carriage returns overwrite.
 */
function renderTerminalLine(raw: string, colours: boolean): string {
  const visible = raw.split('\r').findLast((part) => stripControlChars(part) !== '') ?? '';
  return colours ? changeBesideColours(visible, stripControlChars) : stripControlChars(visible);
}

/** Splits a byte stream into lines of text; holds at most one line of MAX_LINE_BYTES. */
export class OutputLines {
  readonly #onLine: (line: string) => void;
  readonly #colours: boolean;
  #parts: Buffer[] = [];
  #held = 0;
  #cut = false;

  /** `colours`: keeps the sequences that set colours and weights. Default: false. */
  constructor(onLine: (line: string) => void, { colours = false }: { colours?: boolean } = {}) {
    this.#onLine = onLine;
    this.#colours = colours;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#hold(chunk.subarray(from, end));
      this.#emit();
      from = end + 1;
    }
    if (from < chunk.length) this.#hold(chunk.subarray(from));
  }

  /** Ends the stream: a last line without a newline counts. */
  end(): void {
    if (this.#held > 0) this.#emit();
  }

  #hold(bytes: Buffer): void {
    const room = MAX_LINE_BYTES - this.#held;
    if (bytes.length > room) this.#cut = true;
    const fittingBytes = bytes.subarray(0, room);
    if (fittingBytes.length === 0) return;
    // Copied: a view would keep the whole chunk in memory.
    this.#parts.push(Buffer.from(fittingBytes));
    this.#held += fittingBytes.length;
  }

  #emit(): void {
    const text = Buffer.concat(this.#parts).toString('utf8');
    // The cut may have split a character.
    const line = this.#cut
      ? `${renderTerminalLine(text.replace(/\ufffd$/, ''), this.#colours)}${CUT_MARK}`
      : renderTerminalLine(text, this.#colours);
    this.#parts = [];
    this.#held = 0;
    this.#cut = false;
    this.#onLine(line);
  }
}
