import type { IntakeBody } from '../../contract/schema/planning/intake.ts';
import type { IntakeFrame } from '../../contract/schema/planning/intakeFrames.ts';
import type { Client } from './client.ts';
import {
  FIRST_WAIT_MS,
  isWorthRetry,
  LAST_WAIT_MS,
  readEventMessages,
  waitAbortable,
} from './stream.ts';

/** A frame with its id, `<turn>.<n>`; null = none. */
export interface ReceivedFrame {
  id: string | null;
  frame: IntakeFrame;
}

export interface WatchTurnOptions {
  client: Pick<Client, 'intakeStream' | 'watchInvestigation'>;
  signal: AbortSignal;
  /** Called when the connection is lost, before the wait for the next one. */
  onLost?(loss: { error: unknown; waitMs: number }): void;
  /** Waits; resolves early when the signal is aborted. Default: a timer. */
  wait?(ms: number, signal: AbortSignal): Promise<void>;
}

/** Frames after which nothing follows. `gap`: read the session again, then watch again. */
const LAST: ReadonlySet<IntakeFrame['type']> = new Set(['done', 'error', 'idle', 'gap']);

/**
 * Says something in a plan-mode chat and hands out the frames of the answer, each once and in
 * order; a lost connection is resumed where it broke. Ends after `done`, `error`, `idle` or `gap`,
 * and when the signal is aborted: the turn continues then.
 *
 * @throws ClientError of refusals (409 turn-running, 503 no-llm), SvcError `unreachable` where no
 *   runner answers the first request
 */
export const sendChatMessage = (
  options: WatchTurnOptions,
  body: IntakeBody,
): AsyncGenerator<ReceivedFrame> =>
  readTurnFrames(
    options,
    body.sessionId,
    () => options.client.intakeStream(body, { signal: options.signal }),
    null,
  );

/**
 * Hands out the frames of the turn that runs. `after`: the id of the last one that was handed out,
 * such as `lastFrame` of the session; null = from the beginning of the turn.
 */
export const watchTurn = (
  options: WatchTurnOptions,
  sessionId: string,
  after: string | null = null,
): AsyncGenerator<ReceivedFrame> =>
  readTurnFrames(options, sessionId, () => reconnectToTurn(options, sessionId, after), after);

const reconnectToTurn = (
  { client, signal }: WatchTurnOptions,
  sessionId: string,
  after: string | null,
): Promise<Response> =>
  client.watchInvestigation(
    sessionId,
    {},
    after === null ? { signal } : { lastEventId: after, signal },
  );

async function* readTurnFrames(
  options: WatchTurnOptions,
  sessionId: string,
  first: () => Promise<Response>,
  start: string | null,
): AsyncGenerator<ReceivedFrame> {
  const { signal, onLost, wait = waitAbortable } = options;
  let after = start;
  let waitMs = FIRST_WAIT_MS;
  let open = first;
  let connected = false;
  while (!signal.aborted) {
    let error: unknown = null;
    try {
      const response = await open();
      connected = true;
      for await (const { id, data } of readEventMessages(response, signal)) {
        const frame: IntakeFrame = JSON.parse(data);
        if (id !== undefined) after = id;
        waitMs = FIRST_WAIT_MS;
        yield { id: id ?? null, frame };
        if (LAST.has(frame.type)) return;
      }
    } catch (thrown) {
      if (signal.aborted) return;
      if (!connected || !isWorthRetry(thrown)) throw thrown;
      error = thrown;
    }
    if (signal.aborted) return;
    onLost?.({ error, waitMs });
    await wait(waitMs, signal);
    waitMs = Math.min(waitMs * 2, LAST_WAIT_MS);
    open = () => reconnectToTurn(options, sessionId, after);
  }
}
