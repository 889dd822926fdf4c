import { StringDecoder } from 'node:string_decoder';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { messagesIn } from './repairMessage.ts';

/** Longest line of a tool server, characters; a longer one is dropped. */
const MAX_LINE_CHARS = 32 * 1024 * 1024;
/** Most places of a line at which a message is looked for behind other output. */
const MAX_STARTS = 20;
/** Longest text without a line end that is tried as a message, characters. */
const MAX_UNENDED_CHARS = 1024 * 1024;
/** What some programs write that is neither text nor JSON: byte-order marks and NUL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const NOT_TEXT = /[\u0000\ufeff]/g;

interface MessageLinesOptions {
  onMessage(message: JSONRPCMessage): void;
  /** Called for each line that holds no message; `line`: null where it was too long. */
  onNoise(line: string | null): void;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The messages of a line, those behind other output included. */
function parseLine(line: string): JSONRPCMessage[] {
  const whole = messagesIn(parseJson(line));
  if (whole.length > 0) return whole;
  const end = line.lastIndexOf('}') + 1;
  let at = line.indexOf('{');
  for (let tried = 0; at !== -1 && tried < MAX_STARTS; tried += 1) {
    const found = messagesIn(parseJson(line.slice(at, end)));
    if (found.length > 0) return found;
    at = line.indexOf('{', at + 1);
  }
  return [];
}

/**
 * Splits the output of a tool server into messages, one a line. A line that is none is passed to
 * `onNoise`, and the next one is read.
 */
export class MessageLines {
  readonly #options: MessageLinesOptions;
  readonly #decoder = new StringDecoder('utf8');
  #parts: string[] = [];
  #chars = 0;
  /** The rest of a line that was too long is dropped, too. */
  #isDropping = false;

  constructor(options: MessageLinesOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    const lines = this.#decoder.write(chunk).split('\n');
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      this.#keep(line);
      this.#endLine();
    }
    this.#keep(rest);
    // Some servers end their last answer without a line end, and then wait.
    if (!this.#isDropping && this.#chars <= MAX_UNENDED_CHARS && rest.trimEnd().endsWith('}'))
      this.#takeUnended();
  }

  /** No more output comes: what is left without a line end is a line. */
  end(): void {
    this.#keep(this.#decoder.end());
    this.#endLine();
  }

  #keep(part: string): void {
    if (part === '' || this.#isDropping) return;
    this.#parts.push(part);
    this.#chars += part.length;
    if (this.#chars <= MAX_LINE_CHARS) return;
    this.#isDropping = true;
    this.#parts = [];
    this.#chars = 0;
  }

  #takeLine(): string {
    const line = this.#parts.join('').replace(NOT_TEXT, '').trim();
    this.#parts = [];
    this.#chars = 0;
    return line;
  }

  #endLine(): void {
    const wasDropping = this.#isDropping;
    this.#isDropping = false;
    const line = this.#takeLine();
    if (wasDropping) this.#options.onNoise(null);
    else if (line !== '') this.#deliver(line);
  }

  #deliver(line: string): void {
    const messages = parseLine(line);
    if (messages.length === 0) this.#options.onNoise(line);
    for (const message of messages) this.#options.onMessage(message);
  }

  #takeUnended(): void {
    const messages = messagesIn(parseJson(this.#parts.join('').replace(NOT_TEXT, '')));
    if (messages.length === 0) return;
    this.#takeLine();
    for (const message of messages) this.#options.onMessage(message);
  }
}
