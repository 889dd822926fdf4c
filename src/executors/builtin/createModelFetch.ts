import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import {
  fetchWithoutRedirects,
  RedirectError,
} from '../../base/system/network/fetchWithoutRedirects.ts';
import { AnswerError, type AnswerFailure } from './answerError.ts';
import { screenStream, toStream } from './answerStream.ts';
import { parseLenientJson } from './parseLenientJson.ts';
import { stringifyFinite } from './ownMembers.ts';
import type { RequestParameters } from './requestParameters.ts';
import { isMarkupPage, parseRefusal } from '../process/refusal/parseRefusal.ts';
import { findError, type Wire } from './screenPiece.ts';
import { screenAnswer, toPieces } from './screenAnswer.ts';

const MAX_REFUSAL_BYTES = 64 * 1024;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_ENCODING_CHARS = 40;
const EVENTS = 'text/event-stream';
/** The beginning of an event stream, or a possible part of it. */
const EVENT_LINE = /^\uFEFF?\s*(?:data|event|id|retry|error)?:/;
const UNCLEAR = /^\uFEFF?\s*[a-z]{0,5}$/;
/** A body that begins like this is not an event stream, whatever its type says. */
const NO_EVENT = /^\uFEFF?\s*[{[<]/;

export interface ModelCall {
  wire: Wire;
  isStreamed: boolean;
  /**
   * Parameters that the model is known to refuse; newly refused ones are tried again at once.
   * Default: none.
   */
  parameters?: RequestParameters;
  /** Removes secrets from what an endpoint says instead of an answer. */
  screen(text: string): string;
  /** Called with every part of an answer that arrives, comments and pings included. */
  onBytes?(): void;
}

type Body = NonNullable<Response['body']>;
type Bytes = Uint8Array<ArrayBuffer>;

const createPulseTransform = (onBytes: () => void): TransformStream<Bytes, Bytes> =>
  new TransformStream({
    transform(bytes, controller) {
      onBytes();
      controller.enqueue(bytes);
    },
  });

const EMPTY: Body = new Response('').body ?? new ReadableStream();

/** At most this many bytes of a body as text; the rest is not waited for. */
async function readBodyText(body: Body, most: number): Promise<{ text: string; isCut: boolean }> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const bytes of body) {
    size += bytes.length;
    text += decoder.decode(bytes.subarray(0, Math.max(0, bytes.length - (size - most))), {
      stream: true,
    });
    if (size > most) return { text, isCut: true };
  }
  return { text: text + decoder.decode(), isCut: false };
}

/** Reads enough of a body to recognise it; `body` is still the whole. */
async function peek(body: Body): Promise<{ begin: string; body: Body }> {
  const parts: Bytes[] = [];
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let begin = '';
  while (UNCLEAR.test(begin)) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    begin += decoder.decode(value, { stream: true });
  }
  const rest = new ReadableStream<Bytes>({
    async pull(controller) {
      const part = parts.shift();
      if (part !== undefined) return controller.enqueue(part);
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { begin, body: rest };
}

const parseAnswerOrNull = (text: string): unknown => {
  try {
    return parseLenientJson(text);
  } catch {
    return null;
  }
};

const quoteRefusalWords = (words: string): string => (words === '' ? 'it gives no details' : words);

const SENTENCES: Readonly<Record<AnswerFailure['as'], (status: number, type: string) => string>> = {
  refusal: (status) => `The model endpoint answers ${status}`,
  stream: () => 'The model endpoint answers with an error',
  other: (status, type) =>
    `The model endpoint answers ${status} with ${type || 'no content type'}, which is not a model response`,
};

function toAnswerError(as: AnswerFailure['as'], answer: Response, text: string): AnswerError {
  const { status, headers } = answer;
  const refusal = parseRefusal(text);
  const type = (headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
  return new AnswerError(`${SENTENCES[as](status, type)}: ${quoteRefusalWords(refusal.words)}`, {
    as,
    status,
    headers: Object.fromEntries(headers),
    body: parseJsonOrNull(text) ?? text,
    refusal,
  });
}

/** An error within an answer that began well. `error`: in the server's form. */
export const toStreamError = (error: unknown): AnswerError =>
  toAnswerError('stream', new Response(null), stringifyFinite(error));

const createOtherError = (message: string, status: number): AnswerError =>
  new AnswerError(message, {
    as: 'other',
    status,
    headers: {},
    body: message,
    refusal: parseRefusal(message),
  });

/** svc asks for answers as they are: one that is compressed all the same may be of any size. */
const readEncoding = ({ headers }: Response): string => {
  const encoding = (headers.get('content-encoding') ?? '').slice(0, MAX_ENCODING_CHARS);
  return encoding === 'identity' ? '' : encoding;
};

/** An address that redirects is no model endpoint: the same request would be redirected again. */
function refuseRedirect(error: unknown): never {
  if (!(error instanceof RedirectError)) throw error;
  throw createOtherError(error.message, error.status);
}

/**
 * The fetch of a model's provider: the one place where svc reads what an endpoint sends. A refusal,
 * and a 200 that is not an answer, throw AnswerError; answers are brought into the form that the
 * provider takes.
 */
export function createModelFetch(call: ModelCall): typeof fetch {
  const { wire, isStreamed, screen, parameters, onBytes = () => {} } = call;

  const readAtOnce = async (answer: Response, body: Body): Promise<Response> => {
    const { text: answerText, isCut } = await readBodyText(body, MAX_ANSWER_BYTES);
    if (isCut) throw new Error(`The answer is longer than ${MAX_ANSWER_BYTES} bytes.`);
    const value = parseAnswerOrNull(answerText);
    if (value !== null && findError(value, '', wire) !== undefined)
      throw toAnswerError('stream', answer, screen(answerText));
    const whole = isMarkupPage(answerText) ? null : screenAnswer(value, wire);
    if (whole === null) throw toAnswerError('other', answer, screen(answerText));
    const [text, type] = isStreamed
      ? [toStream(toPieces(whole, wire)), EVENTS]
      : [stringifyFinite(whole), 'application/json'];
    const headers = new Headers(answer.headers);
    headers.set('content-type', type);
    headers.delete('content-length');
    return new Response(text, { status: answer.status, headers });
  };

  const readStream = async (answer: Response, source: Body): Promise<Response> => {
    const isNamed = (answer.headers.get('content-type') ?? '').includes('event-stream');
    // Servers also stream under other types, and answer as a whole when asked to stream.
    const { begin, body } = await peek(source);
    const isStream = isNamed ? !NO_EVENT.test(begin) : EVENT_LINE.test(begin);
    if (!isStream) return readAtOnce(answer, body);
    const content = body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(screenStream(wire, screen))
      .pipeThrough(new TextEncoderStream());
    return new Response(content, { status: answer.status, headers: answer.headers });
  };

  return async (input, init) => {
    for (;;) {
      const requestBody = parameters ? parameters.apply(init?.body) : init?.body;
      const headers = new Headers(init?.headers);
      headers.set('accept-encoding', 'identity');
      const request = { ...init, headers, ...(requestBody == null ? {} : { body: requestBody }) };
      const answer = await fetchWithoutRedirects(input, request).catch(refuseRedirect);
      onBytes();
      const encoding = readEncoding(answer);
      if (encoding !== '' && answer.ok) {
        void answer.body?.cancel();
        throw createOtherError(
          `The model endpoint answers ${answer.status} with the content-encoding ${encoding}, which svc does not ask for`,
          answer.status,
        );
      }
      const body = (answer.body ?? EMPTY).pipeThrough(createPulseTransform(onBytes));
      if (answer.ok) return isStreamed ? readStream(answer, body) : readAtOnce(answer, body);
      const { text } = await readBodyText(body, MAX_REFUSAL_BYTES);
      const error = toAnswerError('refusal', answer, encoding === '' ? screen(text) : '');
      if (!parameters?.learn(answer.status, error.unanswered.refusal, requestBody)) throw error;
    }
  };
}
