import type { Frame, ReceivedFrame } from '../../contract/channel/frames.ts';
import type { FrameSocket } from '../../contract/channel/frameSocket.ts';
import { MAX_PART_BYTES } from '../../contract/channel/limits.ts';
import { PartReader } from '../../contract/channel/partReader.ts';
import { createDeferred, type Deferred } from '../../base/concurrency/createDeferred.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { RunnerReply, RunnerRequest } from './runnerDirectory.ts';

interface OpenRequest {
  head: Deferred<RunnerReply>;
  reader: PartReader | null;
  /** Stops listening to the reader's signal. */
  forget(): void;
}

/** How long a runner may take for the head of a reply, ms. Its streams have no limit. */
export const REPLY_MS = 120_000;

/** The requests to a runner over one socket, and its replies. */
export class OpenReplies {
  readonly #frames: Pick<FrameSocket, 'send' | 'flush' | 'hasRoom'>;
  readonly #clock: Clock;
  readonly #open = new Map<string, OpenRequest>();
  #requests = 0;

  constructor(frames: Pick<FrameSocket, 'send' | 'flush' | 'hasRoom'>, clock: Clock) {
    this.#frames = frames;
    this.#clock = clock;
  }

  /** Throws SvcError `runner-away`, `runner-timeout`, or the reason of the signal. */
  async ask(request: RunnerRequest): Promise<RunnerReply> {
    request.signal.throwIfAborted();
    this.#requests += 1;
    const id = this.#requests.toString(36);
    const head = createDeferred<RunnerReply>();
    const cancelTimer = this.#clock.at(this.#clock.now() + REPLY_MS, () =>
      this.#abandon(id, new SvcError('runner-timeout', 'The runner has not answered in time.')),
    );
    const leave = () => this.#abandon(id, toReason(request.signal));
    request.signal.addEventListener('abort', leave, { once: true });
    const forget = () => {
      cancelTimer();
      request.signal.removeEventListener('abort', leave);
    };
    this.#open.set(id, { head, reader: null, forget });
    const headAnswer = head.promise.then(cancelTimer, () => undefined).then(() => false as const);
    this.#sendHead(id, request);
    if (request.body !== null) void this.#sendBody(id, request.body, headAnswer);
    // Many requests of one turn share a write, which is dear; a single one does not wait for the end of the turn.
    else if (this.#open.size === 1) this.#frames.flush();
    return head.promise;
  }

  /** Throws SvcError `malformed` for one out of order. */
  take(frame: ReceivedFrame<'response' | 'part' | 'cancel'>): void {
    if (frame.type === 'response') this.#takeResponse(frame);
    else if (frame.type === 'part') this.#takePart(frame);
    else this.#takeCancel(frame);
  }

  /** The socket is closed. */
  end(): void {
    const error = createAwayError();
    for (const [id, one] of [...this.#open]) {
      this.#forget(id, one);
      one.head.reject(error);
      one.reader?.fail(error);
    }
  }

  #sendHead(id: string, { method, path, headers, body, person }: RunnerRequest): void {
    this.#frames.send({
      type: 'request',
      id,
      method,
      path,
      headers,
      size: body?.length ?? 0,
      person: person && { userId: person.userId, name: person.name, role: person.role },
      takesFullReply: true,
    });
  }

  /** `headAnswer`: nothing is sent after it. A runner that does not read must not keep bodies whose askers have left. */
  async #sendBody(id: string, body: Uint8Array, headAnswer: Promise<false>): Promise<void> {
    for (let from = 0; from < body.length; from += MAX_PART_BYTES) {
      const maySend = await Promise.race([this.#frames.hasRoom(), headAnswer]);
      if (!maySend || !this.#open.has(id)) return;
      const part: Frame<'part'> = {
        type: 'part',
        id,
        body: body.subarray(from, from + MAX_PART_BYTES),
      };
      this.#frames.send(part);
    }
  }

  /** The reader has left, or waited too long: the runner gets a cancel. */
  #abandon(id: string, reason: Error): void {
    const one = this.#open.get(id);
    if (one === undefined) return;
    this.#open.delete(id);
    one.forget();
    this.#frames.send({ type: 'cancel', id });
    one.head.reject(reason);
    one.reader?.fail(reason);
    one.reader?.leave();
  }

  #takeResponse({ id, status, headers, isFull = false, body }: ReceivedFrame<'response'>): void {
    const one = this.#open.get(id);
    // One that was given up.
    if (one === undefined) return;
    if (one.reader !== null) throw new SvcError('malformed', 'A second reply to one request.');
    const reader = new PartReader({
      onRead: (parts) => this.#frames.send({ type: 'credit', id, parts }),
      onLeft: () => this.#abandon(id, new Error('The reader has left.')),
    });
    one.reader = reader;
    if (isFull) {
      reader.push(body, true);
      this.#forget(id, one);
      one.head.resolve({ status, headers, body: reader, fullBody: body });
    } else one.head.resolve({ status, headers, body: reader });
  }

  #takePart({ id, body, end = false }: ReceivedFrame<'part'>): void {
    const one = this.#open.get(id);
    if (one === undefined) return;
    if (one.reader === null)
      throw new SvcError('malformed', 'A part frame came before its response.');
    one.reader.push(body, end);
    if (end) this.#forget(id, one);
  }

  #takeCancel({ id, reason = '' }: ReceivedFrame<'cancel'>): void {
    const one = this.#open.get(id);
    if (one === undefined) return;
    this.#forget(id, one);
    const error = new SvcError('runner-away', `The reply of the runner broke off: ${reason}`);
    one.head.reject(error);
    one.reader?.fail(error);
  }

  #forget(id: string, one: OpenRequest): void {
    this.#open.delete(id);
    one.forget();
  }
}

export const createAwayError = (): SvcError =>
  new SvcError('runner-away', 'The runner is not connected. It answers again when it is back.');

const toReason = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new Error('The reader has left.');
