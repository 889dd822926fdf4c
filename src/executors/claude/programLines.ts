import { StringDecoder } from 'node:string_decoder';
import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import { type Fields, toFields } from '../../base/json/untrusted.ts';

/** Longest line of the program, characters; a longer one is dropped. */
const MAX_LINE_CHARS = 32 * 1024 * 1024;

/**
 * Splits the program's output into its messages, one JSON object a line. Lines that are none, or
 * that are too long, are dropped.
 */
export class ProgramLines {
  readonly #decoder = new StringDecoder('utf8');
  #parts: string[] = [];
  #chars = 0;

  /** The messages that are complete with these bytes. */
  push(chunk: Buffer): Fields[] {
    const lines = this.#decoder.write(chunk).split('\n');
    const rest = lines.pop() ?? '';
    const messages = lines.flatMap((line) => {
      this.#keep(line);
      return this.#takeLine();
    });
    this.#keep(rest);
    return messages;
  }

  #keep(part: string): void {
    this.#chars += part.length;
    if (this.#chars <= MAX_LINE_CHARS) this.#parts.push(part);
    else this.#parts = [];
  }

  #takeLine(): Fields[] {
    const message = toFields(parseJsonOrNull(this.#parts.join('')));
    this.#parts = [];
    this.#chars = 0;
    return typeof message.type === 'string' ? [message] : [];
  }
}
