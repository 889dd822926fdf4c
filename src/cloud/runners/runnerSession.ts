import { CLOSE_CODES } from '../../channel/closeCodes.ts';
import type { Frame, FrameType, ReceivedFrame, RunnerState } from '../../channel/frames.ts';
import { FrameSocket, type RawSocket } from '../../channel/frameSocket.ts';
import { HELLO_MS, LOST_MS, MAX_PART_BYTES } from '../../channel/limits.ts';
import { PartReader } from '../../channel/partReader.ts';
import { createDeferred, type Deferred } from '../../base/concurrency/createDeferred.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { RunnerReply, RunnerRequest } from './runnerDirectory.ts';

/** A runner as its token names it. */
export interface RunnerIdentity {
  runnerId: string;
  teamId: string;
  tokenHash: string;
}

export interface Beat {
  free: number;
  slots: number;
  state: RunnerState;
}

export interface SessionOptions {
  id: string;
  identity: RunnerIdentity;
  clock: Clock;
  /** Answers the hello. What it rejects with closes the socket. */
  welcome(session: RunnerSession, hello: ReceivedFrame<'hello'>): Promise<Frame<'welcome'>>;
  /** Stores rows of the list; they are acknowledged when it resolves. */
  storeJobs(session: RunnerSession, frame: ReceivedFrame<'jobs'>): Promise<void>;
  onBeat(session: RunnerSession): void;
  onEnd(session: RunnerSession, code: number, reason: string): void;
}

interface OpenRequest {
  head: Deferred<RunnerReply>;
  reader: PartReader | null;
  /** Stops listening to the reader's signal. */
  forget(): void;
}

/** How long a runner may take for the head of a reply, ms. Its streams have no limit. */
export const REPLY_MS = 120_000;
/** WebSocket's "try again later". */
const TRY_AGAIN = 1013;

/** One connected runner: its frames, and the requests to it. */
export class RunnerSession {
  readonly id: string;
  readonly identity: RunnerIdentity;
  readonly #options: SessionOptions;
  readonly #frames: FrameSocket;
  readonly #open = new Map<string, OpenRequest>();
  hello: ReceivedFrame<'hello'> | null = null;
  beat: Beat | null = null;
  /** When its token was made, epoch ms; null = it is not known yet. */
  tokenAt: number | null = null;
  #isWelcome = false;
  #requests = 0;
  #heardAt: number;
  #cancelTimer: () => void = () => undefined;
  /** Frames with rows are stored in sequence. */
  #storing: Promise<void> = Promise.resolve();

  constructor(raw: RawSocket, options: SessionOptions) {
    this.id = options.id;
    this.identity = options.identity;
    this.#options = options;
    this.#heardAt = options.clock.now();
    this.#frames = new FrameSocket(raw, {
      onFrame: (frame) => this.#take(frame),
      onClose: (code, reason) => this.#end(code, reason),
    });
    this.#watch(HELLO_MS);
  }

  get isOpen(): boolean {
    return this.#frames.isOpen;
  }

  /** Whether it can be asked. */
  get isReady(): boolean {
    return this.isOpen && this.#isWelcome;
  }

  send(frame: Frame<'token' | 'drain'>): void {
    this.#frames.send(frame);
  }

  close(code: number, reason: string): void {
    this.#frames.close(code, reason);
  }

  /** Throws SvcError `runner-away`, `runner-timeout`, or the reason of the signal. */
  async ask(request: RunnerRequest): Promise<RunnerReply> {
    if (!this.isReady) throw createAwayError();
    request.signal.throwIfAborted();
    this.#requests += 1;
    const id = this.#requests.toString(36);
    const head = createDeferred<RunnerReply>();
    const { clock } = this.#options;
    const cancelTimer = clock.at(clock.now() + REPLY_MS, () =>
      this.#abandon(id, new SvcError('runner-timeout', 'The runner has not answered in time.')),
    );
    const leave = () => this.#abandon(id, toReason(request.signal));
    request.signal.addEventListener('abort', leave, { once: true });
    const forget = () => {
      cancelTimer();
      request.signal.removeEventListener('abort', leave);
    };
    this.#open.set(id, { head, reader: null, forget });
    void head.promise.then(cancelTimer, () => undefined);
    await this.#sendRequest(id, request);
    return head.promise;
  }

  async #sendRequest(id: string, { method, path, headers, body, person }: RunnerRequest) {
    this.#frames.send({
      type: 'request',
      id,
      method,
      path,
      headers,
      size: body?.length ?? 0,
      person: person && { userId: person.userId, name: person.name, role: person.role },
    });
    if (body === null) return;
    for (let from = 0; from < body.length; from += MAX_PART_BYTES) {
      if (!(await this.#frames.hasRoom()) || !this.#open.has(id)) return;
      this.#frames.send({ type: 'part', id, body: body.subarray(from, from + MAX_PART_BYTES) });
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

  #take(frame: ReceivedFrame): void {
    this.#heardAt = this.#options.clock.now();
    if (this.hello === null) {
      if (frame.type !== 'hello') throw outOfOrder(frame.type);
      this.hello = frame;
      const { slots, state, free = 0 } = frame;
      this.beat = { slots, state, free };
      void this.#answerHello(frame);
      return;
    }
    switch (frame.type) {
      case 'beat':
        this.#takeBeat(frame);
        return;
      case 'response':
        this.#takeResponse(frame);
        return;
      case 'part':
        this.#takePart(frame);
        return;
      case 'cancel':
        this.#takeCancel(frame);
        return;
      case 'jobs':
        if (!this.#isWelcome) throw outOfOrder(frame.type);
        this.#takeJobs(frame);
        return;
      default:
        throw outOfOrder(frame.type);
    }
  }

  async #answerHello(hello: ReceivedFrame<'hello'>): Promise<void> {
    try {
      const welcome = await this.#options.welcome(this, hello);
      if (!this.isOpen) return;
      this.#frames.send(welcome);
      this.#isWelcome = true;
      this.#watch(LOST_MS);
    } catch (error) {
      if (error instanceof SessionRefusal) this.close(error.closeCode, error.message);
      else this.close(TRY_AGAIN, 'The control plane could not take the runner.');
    }
  }

  #takeBeat({ n, free, slots, state }: ReceivedFrame<'beat'>): void {
    this.#frames.send({ type: 'beat', n });
    const { beat } = this;
    if (beat === null) return;
    const next = {
      free: free ?? beat.free,
      slots: slots ?? beat.slots,
      state: state ?? beat.state,
    };
    this.beat = next;
    if (next.free !== beat.free || next.slots !== beat.slots || next.state !== beat.state)
      this.#options.onBeat(this);
  }

  #takeResponse({ id, status, headers }: ReceivedFrame<'response'>): void {
    const one = this.#open.get(id);
    // One that was given up.
    if (one === undefined) return;
    if (one.reader !== null) throw new SvcError('malformed', 'A second reply to one request.');
    const reader = new PartReader({
      onRead: (parts) => this.#frames.send({ type: 'credit', id, parts }),
      onLeft: () => this.#abandon(id, new Error('The reader has left.')),
    });
    one.reader = reader;
    one.head.resolve({ status, headers, body: reader });
  }

  #takePart({ id, body, end = false }: ReceivedFrame<'part'>): void {
    const one = this.#open.get(id);
    if (one === undefined) return;
    if (one.reader === null) throw outOfOrder('part');
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

  #takeJobs(frame: ReceivedFrame<'jobs'>): void {
    const { source, n } = frame;
    this.#storing = this.#storing
      .then(async () => {
        if (!this.isOpen) return;
        await this.#options.storeJobs(this, frame);
        this.#frames.send({ type: 'acknowledged', source, n });
      })
      // They are sent again on the next socket.
      .catch(() => this.close(TRY_AGAIN, 'The list of jobs could not be stored.'));
  }

  /** Closes a socket on which nothing came. */
  #watch(lostMs: number): void {
    const { clock } = this.#options;
    this.#cancelTimer();
    this.#cancelTimer = clock.at(Math.min(this.#heardAt + lostMs, clock.now() + lostMs), () => {
      const isLost = clock.now() - this.#heardAt >= lostMs || this.hello === null;
      if (!isLost) return this.#watch(lostMs);
      this.close(CLOSE_CODES.lost, 'Nothing came for too long.');
      this.#frames.terminate();
    });
  }

  #end(code: number, reason: string): void {
    this.#cancelTimer();
    const error = createAwayError();
    for (const [id, one] of [...this.#open]) {
      this.#forget(id, one);
      one.head.reject(error);
      one.reader?.fail(error);
    }
    this.#options.onEnd(this, code, reason);
  }
}

/** Refuses a hello, with the code that the socket is closed with. */
export class SessionRefusal extends Error {
  readonly closeCode: number;

  constructor(closeCode: number, message: string) {
    super(message);
    this.closeCode = closeCode;
  }
}

const outOfOrder = (type: FrameType): SvcError =>
  new SvcError('malformed', `A ${type} frame came out of order.`);

const createAwayError = (): SvcError =>
  new SvcError('runner-away', 'The runner is not connected. It answers again when it is back.');

const toReason = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new Error('The reader has left.');
