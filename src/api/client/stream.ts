import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { SvcError } from '../../base/errors/errors.ts';
import type { ByeFrame, FrameKind, GapFrame } from '../../contract/schema/job/frames.ts';
import type { StreamQuery } from '../../contract/schema/api/queries.ts';
import type { Client } from './client.ts';
import { ClientError } from './problem.ts';

/** A frame of a job's stream. A `gap` replaces frames that are no longer kept: all up to `n`. */
export interface StreamFrame {
  n: number;
  kind: FrameKind | 'gap';
  /** LogFrame for `log`, StateFrame for `state`, GapFrame for `gap`; any object for the others. */
  data: unknown;
}

export interface FollowOptions {
  client: Pick<Client, 'stream'>;
  jobId: string;
  /** Number of the frame after which to begin; 0 = from the start. */
  after: number;
  signal: AbortSignal;
  /** False: ends once the past is handed out. Default: true. */
  follow?: boolean;
  /** Gets every frame once, in order. What it throws ends the stream and is rethrown. */
  onFrame(frame: StreamFrame): void;
  /** Called when the connection is lost, before the wait for the next one. */
  onLost?(loss: { error: unknown; waitMs: number }): void;
  /** Waits; resolves early when the signal is aborted. Default: a timer. */
  wait?(ms: number, signal: AbortSignal): Promise<void>;
}

export interface FollowResult {
  /** False when the signal ended it, or the end of the past. */
  ended: boolean;
  /** Number of the last frame that was handed out: `after` of a later call. */
  after: number;
}

/**
 * First and longest wait between reconnects, ms; each wait is twice the previous one.
 */
export const FIRST_WAIT_MS = 250;
export const LAST_WAIT_MS = 8_000;

/** A wait that ends early when the signal is aborted. */
export const waitAbortable = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const finish = () => {
      clearTimeout(handle);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const handle = setTimeout(finish, ms);
    signal.addEventListener('abort', finish, { once: true });
    if (signal.aborted) finish();
  });

/**
 * Worth a retry: no runner responds, or not now. Everything else fails again in the same way.
 */
export const isWorthRetry = (thrown: unknown): boolean =>
  thrown instanceof ClientError
    ? thrown.status >= 500
    : thrown instanceof SvcError && thrown.code === 'unreachable';

/**
 * Follows a job's stream until the job has ended. A lost connection is resumed where it broke, also
 * across restarts of the runner; no frame is repeated or skipped. The first connection must
 * succeed.
 *
 * @throws ClientError or SvcError `unreachable` of the first connection, and refusals such as 404
 *   of any
 */
export async function followJob(options: FollowOptions): Promise<FollowResult> {
  const { client, jobId, signal, onFrame, onLost, wait = waitAbortable, follow = true } = options;
  const query: StreamQuery = follow ? {} : { follow: 'false' };
  let after = options.after;
  let connected = false;
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    let error: unknown = null;
    try {
      const response = await client.stream(jobId, query, { lastEventId: after, signal });
      connected = true;
      for await (const message of readEventMessages(response, signal)) {
        const data: unknown = JSON.parse(message.data);
        if (message.event === 'bye') {
          const { reason } = data as ByeFrame;
          if (reason !== 'stopping') return { ended: reason === 'ended', after };
          break;
        }
        const frame = toStreamFrame(message, data);
        if (frame === null || frame.n <= after) continue;
        after = frame.n;
        waitMs = FIRST_WAIT_MS;
        onFrame(frame);
      }
    } catch (thrown) {
      if (signal.aborted) break;
      if (!connected || !isWorthRetry(thrown)) throw thrown;
      error = thrown;
    }
    if (signal.aborted) break;
    onLost?.({ error, waitMs });
    await wait(waitMs, signal);
    waitMs = Math.min(waitMs * 2, LAST_WAIT_MS);
  }
  return { ended: false, after };
}

/**
 * null if there is nothing to hand out: a reader that was cut for being too slow continues with the
 * next connection.
 */
function toStreamFrame({ event, id }: EventSourceMessage, data: unknown): StreamFrame | null {
  if (event === 'gap') {
    const { reason, next } = data as GapFrame;
    return reason === 'trimmed' && next !== null ? { n: next - 1, kind: 'gap', data } : null;
  }
  return { n: Number(id), kind: event as FrameKind, data };
}

/** The events of a reply as they come; ends with the connection. */
export async function* readEventMessages(
  response: Response,
  signal: AbortSignal,
): AsyncGenerator<EventSourceMessage> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const ready: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => ready.push(message) });
  const decoder = new TextDecoder();
  try {
    while (!signal.aborted) {
      const { done, value } = await reader.read().catch((cause) => {
        // Distinguished from what `onFrame` throws, which is not a lost connection.
        throw new SvcError('unreachable', 'The connection to the runner was lost.', { cause });
      });
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      while (ready.length > 0) {
        const next = ready.shift();
        if (next) yield next;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
