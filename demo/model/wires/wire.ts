import type { Conversation, Reply } from '../conversation.ts';
import type { Json } from '../jsonBody.ts';

const PIECE_CHARS = 24;

/** Tokens of output that are reported when an answer begins. */
export const FIRST_OUTPUT = 1;

/** One event of a stream. `text` = it carries a piece of text that people see. */
export interface WireEvent {
  /** Name of the event; null where the wire has only data. */
  event: string | null;
  /** JSON, or a word of the wire itself. */
  data: unknown;
  text?: true;
  /** It tells the tokens of the request: those of the input alone, or all. */
  tells?: 'input' | 'all';
}

export interface Wire {
  /** Reads a request; `model` and `stream` come from the URL on wires that put them there. */
  conversation(body: Json, address: { model: string; stream: boolean }): Conversation;
  whole(reply: Reply): unknown;
  events(reply: Reply): WireEvent[];
  failure(status: number, message: string): unknown;
  /** It tells what was written to a cache. */
  tellsWrites?: true;
}

/** A text in pieces, none of them cutting a character in two. */
export function splitIntoPieces(text: string, pieceChars: number | null = null): string[] {
  const characters = [...text];
  const size = pieceChars ?? PIECE_CHARS;
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  );
}
