import type { Conversation, Reply } from '../conversation.ts';
import type { Json } from '../jsonBody.ts';

/** Pieces of text that a stream is cut into, characters. */
const PIECE_CHARS = 24;

/** Tokens of output that an answer tells when it begins. */
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

/** One way of speaking to a model. */
export interface Wire {
  /**
   * What a request says; `model` and `stream` come from the URL where the wire puts them there.
   */
  conversation(body: Json, address: { model: string; stream: boolean }): Conversation;
  /** The reply as one document. */
  whole(reply: Reply): unknown;
  /** The reply as a stream of events, the end of the stream included. */
  events(reply: Reply): WireEvent[];
  /** The body of an error. */
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
