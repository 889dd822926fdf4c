import { toFields, toStringOrEmpty } from '../../../base/json/untrusted.ts';
import { parseRpcMessages } from './repairMessage.ts';

/** Longest answer of a tool server over HTTP, bytes. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

interface WatchOptions {
  fetch: typeof fetch;
  /** Failures in a row after which a stream is not resumed. */
  maxResumptions: number;
  /**
   * Called when the stream for a request's answer has ended and cannot be resumed, also if the
   * answer has come.
   */
  onStreamEnd(requestId: string | number): void;
}

const isStream = ({ headers }: Response): boolean =>
  /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');

function readRpcRequestId(body: unknown): string | number | null {
  if (typeof body !== 'string') return null;
  const { id, method } = toFields(JSON.parse(body));
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number')
    ? id
    : null;
}

/** The body, piece by piece; `onPiece` may replace or refuse one. */
function mapBody(
  body: ReadableStream<Bytes>,
  { onPiece, onEnd }: { onPiece(piece: Bytes): Bytes; onEnd(): void },
): ReadableStream<Bytes> {
  const reader = body.getReader();
  return new ReadableStream<Bytes>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(onPiece(value));
        controller.close();
      } catch (error) {
        void reader.cancel().catch(() => {});
        controller.error(error);
      }
      onEnd();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Throws when an answer exceeds the limit. */
const limitBytes = (): ((piece: Bytes) => Bytes) => {
  let bytes = 0;
  return (piece) => {
    bytes += piece.length;
    if (bytes <= MAX_ANSWER_BYTES) return piece;
    throw new Error(`The answer is longer than ${MAX_ANSWER_BYTES} bytes.`);
  };
};

/** Longest event id that is read, characters. */
const MAX_EVENT_ID_CHARS = 1_000;

/** Reads the ids of events, from which a stream can be resumed. */
const readEventIds = () => {
  const decoder = new TextDecoder('latin1');
  let rest = '\n';
  let last: string | null = null;
  return {
    take(piece: Bytes): void {
      const text = rest + decoder.decode(piece, { stream: true });
      last = [...text.matchAll(/[\r\n]id: ?([^\r\n]+)(?=[\r\n])/g)].at(-1)?.[1] ?? last;
      const lineStart = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'), 0);
      rest = text.slice(lineStart, lineStart + MAX_EVENT_ID_CHARS);
    },
    /** Id of the last event with one; null = none. */
    last: (): string | null => last,
  };
};

async function repairWhole(response: Response, body: ReadableStream<Bytes>): Promise<Response> {
  const { status } = response;
  const headers = new Headers(response.headers);
  const content = (await new Response(body).text()).replace(/^\ufeff/, '');
  let messages: unknown[] = [];
  try {
    messages = parseRpcMessages(JSON.parse(content));
  } catch {
    // Not JSON: the transport reports what is wrong.
  }
  if (messages.length === 0) return new Response(content, { status, headers });
  headers.set('content-type', 'application/json');
  return new Response(JSON.stringify(messages.length === 1 ? messages[0] : messages), {
    status,
    headers,
  });
}

/**
 * The fetch of a transport over streamable HTTP. It limits answers, repairs messages, and notices a
 * stream that ends without its answer: the transport alone would wait on.
 */
export function watchFetch({
  fetch,
  maxResumptions,
  onStreamEnd,
}: WatchOptions): typeof globalThis.fetch {
  /** Broken streams that can be resumed, by the id of their last event. */
  const brokenStreams = new Map<string, { request: string | number; failures: number }>();

  /** The body with the answer to `request`; `from`: id of the last event before it. */
  const watchStream = (
    { body, status, headers }: Response,
    request: string | number,
    from: string | null,
  ): Response => {
    if (body === null) return new Response(null, { status, headers });
    const limit = limitBytes();
    const ids = readEventIds();
    const watchedBody = mapBody(body, {
      onPiece(piece) {
        ids.take(piece);
        return limit(piece);
      },
      onEnd() {
        const last = ids.last() ?? from;
        if (last === null) onStreamEnd(request);
        else brokenStreams.set(last, { request, failures: 0 });
      },
    });
    return new Response(watchedBody, { status, headers });
  };

  const resume = async (from: string, send: () => Promise<Response>): Promise<Response> => {
    const stream = brokenStreams.get(from);
    let response: Response | null = null;
    try {
      response = await send();
      if (!stream) return response;
      if (response.ok) return watchStream(response, stream.request, from);
      return response;
    } finally {
      if (stream && response?.ok !== true) {
        stream.failures += 1;
        // At this status the transport gives up silently.
        if (response?.status === 405 || stream.failures >= maxResumptions) {
          brokenStreams.delete(from);
          onStreamEnd(stream.request);
        }
      }
    }
  };

  return async (input, init = {}) => {
    const from = new Headers(init.headers).get('last-event-id');
    if (from !== null) return resume(from, () => fetch(input, init));
    const response = await fetch(input, init);
    const id = init.method === 'POST' ? readRpcRequestId(init.body) : null;
    if (id === null || response.body === null || !response.ok) return response;
    if (isStream(response)) return watchStream(response, id, null);
    return repairWhole(response, mapBody(response.body, { onPiece: limitBytes(), onEnd() {} }));
  };
}

/** The text of an error answer for people: its message if it is JSON. */
export function readRefusalMessage(body: string): string {
  try {
    const { error, message, detail } = toFields(JSON.parse(body));
    return (
      toStringOrEmpty(toFields(error).message) ||
      toStringOrEmpty(error) ||
      toStringOrEmpty(message) ||
      toStringOrEmpty(detail) ||
      body
    );
  } catch {
    return body;
  }
}
