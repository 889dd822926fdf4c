import { parseJsonOrNull } from '../../../base/json/parseJsonOrNull.ts';
import { StringDecoder } from 'node:string_decoder';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { parseRpcMessages } from './repairMessage.ts';

/** A JSON string, or a number that JSON does not have. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\b(?:Infinity|NaN)\b/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
const CONTROL = /[\u0000-\u001f]/g;

const escapeControl = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * JSON of libraries that are not strict: Python writes NaN and Infinity, and some leave raw tabs in
 * strings.
 */
const repairJson = (line: string): string =>
  line.replace(STRING_OR_NUMBER, (part) =>
    part.startsWith('"') ? part.replace(CONTROL, escapeControl) : 'null',
  );

/** Longest line of a tool server, characters; a longer one is dropped. */
export const MAX_LINE_CHARS = 32 * 1024 * 1024;
/** Characters kept of a dropped line. */
const START_CHARS = 200;
/** Most positions in a line where a message behind other output is tried. */
const MAX_STARTS = 20;
/** Longest text without a line end that is tried as a message, characters. */
const MAX_UNENDED_CHARS = 1024 * 1024;
/** What some programs write beside text and JSON: byte-order marks and NUL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const NOT_TEXT = /[\u0000\ufeff]/g;

interface MessageLinesOptions {
  onMessage(message: JSONRPCMessage): void;
  onNoise(line: string): void;
  /** Called for each line that is dropped for its length. */
  onTooLong(start: string): void;
}

function parseLine(line: string): JSONRPCMessage[] {
  const whole = parseRpcMessages(parseJsonOrNull(line));
  if (whole.length > 0) return whole;
  const end = line.lastIndexOf('}') + 1;
  let at = line.indexOf('{');
  for (let attempts = 0; at !== -1 && attempts < MAX_STARTS; attempts += 1) {
    const messages = parseRpcMessages(parseJsonOrNull(line.slice(at, end)));
    if (messages.length > 0) return messages;
    at = line.indexOf('{', at + 1);
  }
  return line.includes('"jsonrpc"') ? parseRpcMessages(parseJsonOrNull(repairJson(line))) : [];
}

/** Splits a tool server's output into messages, one a line. Other lines go to `onNoise`. */
export class MessageLines {
  readonly #options: MessageLinesOptions;
  readonly #decoder = new StringDecoder('utf8');
  #parts: string[] = [];
  #chars = 0;
  /** Start of a line that is too long and whose rest is being dropped; null = none. */
  #dropped: string | null = null;

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
    if (this.#dropped === null && this.#chars <= MAX_UNENDED_CHARS && rest.trimEnd().endsWith('}'))
      this.#takeUnended();
  }

  end(): void {
    this.#keep(this.#decoder.end());
    this.#endLine();
  }

  #keep(part: string): void {
    if (part === '' || this.#dropped !== null) return;
    this.#parts.push(part);
    this.#chars += part.length;
    if (this.#chars <= MAX_LINE_CHARS) return;
    this.#dropped = this.#parts.join('').slice(0, START_CHARS);
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
    const droppedText = this.#dropped;
    this.#dropped = null;
    const line = this.#takeLine();
    if (droppedText !== null) this.#options.onTooLong(droppedText);
    else if (line !== '') this.#deliver(line);
  }

  #deliver(line: string): void {
    const messages = parseLine(line);
    if (messages.length === 0) this.#options.onNoise(line);
    for (const message of messages) this.#options.onMessage(message);
  }

  #takeUnended(): void {
    const messages = parseRpcMessages(parseJsonOrNull(this.#parts.join('').replace(NOT_TEXT, '')));
    if (messages.length === 0) return;
    this.#takeLine();
    for (const message of messages) this.#options.onMessage(message);
  }
}
