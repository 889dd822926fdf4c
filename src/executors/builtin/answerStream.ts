import { createParser } from 'eventsource-parser';
import { type Fields, toFields, toStringOrEmpty } from '../../base/json/untrusted.ts';
import { stringifyFinite } from './ownMembers.ts';
import { parseLenientJson } from './parseLenientJson.ts';
import { createPieceScreen, findError, toErrorPiece, type Wire } from './screenPiece.ts';

/** Longest piece of a streamed answer, characters: more would fill the memory. */
const MAX_PIECE_CHARS = 16_000_000;
/**
 * Longest streamed answer, characters. An endpoint that never ends one would fill the memory and the
 * log of the session, whose own limit fails the job.
 */
const MAX_STREAM_CHARS = 12_000_000;
/** A piece has about so many characters around its text, and its text at least so many. */
const FRAME_CHARS = 200;
const LEAST_CHARS = 20;
const MAX_QUOTED_CHARS = 200;
const MAX_LINES = 10;
const DONE = '[DONE]';

const parseAnswerPiece = (data: string): unknown => {
  try {
    return parseLenientJson(data);
  } catch {
    return {
      error: {
        message: `Part of the answer is not valid JSON: ${data.slice(0, MAX_QUOTED_CHARS)}`,
      },
    };
  }
};

const toEvent = (piece: Fields): string => `data: ${stringifyFinite(piece)}\n\n`;

const describeEndless = (maxChars: number): string =>
  `The answer does not end: it has more than ${maxChars} characters. Check the model, and its settings for the longest answer.`;

/**
 * The event stream of a model's endpoint in the provider's form: unknown pieces are left out, and
 * errors of any form become those of svc. `screen`: removes secrets; `maxChars`: see
 * {@link MAX_STREAM_CHARS}.
 */
export function screenStream(
  wire: Wire,
  screen: (text: string) => string,
  maxChars: number = MAX_STREAM_CHARS,
): TransformStream<string, string> {
  const screenPiece = createPieceScreen(wire);
  let out: TransformStreamDefaultController<string> | null = null;
  /** Lines outside of the event stream, until the first event. */
  let others: string[] | null = [];
  let sentChars = 0;
  const sendError = (error: unknown) => out?.enqueue(screen(toEvent(toErrorPiece(error, wire))));
  const send = (event: string) => {
    if (sentChars > maxChars) return;
    sentChars += Math.max(LEAST_CHARS, event.length - FRAME_CHARS);
    if (sentChars <= maxChars) return out?.enqueue(event);
    sendError({ code: 'invalid_answer', message: describeEndless(maxChars) });
    out?.terminate();
  };
  const take = (event: string, data: string) => {
    if (data.trim() === '') return;
    others = null;
    if (data.trim().toUpperCase() === DONE) return send(`data: ${DONE}\n\n`);
    const value = parseAnswerPiece(data);
    const error = findError(value, event, wire);
    const fields = toFields(value);
    const typedEvent =
      toStringOrEmpty(fields.type) === '' && event !== '' ? { ...fields, type: event } : fields;
    const piece =
      error === undefined || fields.usage !== undefined ? screenPiece(typedEvent) : null;
    if (piece !== null) send(toEvent(piece));
    if (error !== undefined) sendError(error);
  };
  const parser = createParser({
    maxBufferSize: MAX_PIECE_CHARS,
    onEvent: ({ event = '', data }) => take(event, data),
    onError: ({ type, field, value = '', line = '' }) => {
      // Older llama.cpp servers write an error under a field name of its own.
      if (type === 'unknown-field' && field === 'error') sendError(parseAnswerPiece(value));
      else if (type === 'unknown-field' && others !== null && others.length < MAX_LINES)
        others.push(line.slice(0, MAX_QUOTED_CHARS));
      if (type === 'max-buffer-size-exceeded')
        sendError({
          message: `A piece of the answer is longer than ${MAX_PIECE_CHARS} characters.`,
        });
    },
  });
  return new TransformStream({
    transform(chunk, controller) {
      out = controller;
      parser.feed(chunk);
    },
    flush(controller) {
      out = controller;
      parser.reset({ consume: true });
      if (others !== null && others.length > 0) sendError({ message: others.join(' ') });
    },
  });
}

/** The events of an answer that came as a whole. */
export const toStream = (pieces: readonly Fields[]): string =>
  `${pieces.map(toEvent).join('')}data: ${DONE}\n\n`;
