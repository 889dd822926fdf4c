import { CLOSE_CODES } from '../../contract/channel/closeCodes.ts';
import type {
  Frame,
  FrameType,
  ReceivedFrame,
  RunnerState,
} from '../../contract/channel/frames.ts';
import {
  type CorkedConnection,
  FrameSocket,
  type RawSocket,
} from '../../contract/channel/frameSocket.ts';
import { HELLO_MS } from '../../contract/channel/limits.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { HomeLink, HomeSocket } from './homeLinks.ts';
import { createAwayError, OpenReplies } from './openReplies.ts';
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
  /** Below its WebSocket. */
  connection: CorkedConnection;
  identity: RunnerIdentity;
  clock: Clock;
  /** Answers the hello. What it rejects with closes the socket. */
  welcome(
    session: RunnerSession,
    hello: ReceivedFrame<'hello'>,
    socket: HomeSocket,
  ): Promise<{ frame: Frame<'welcome'>; home: HomeLink | null }>;
  /** Whether an answered beat lets the runner act on the world. */
  mayGrantLease(): boolean;
  onAnswer(session: RunnerSession, answer: ReceivedFrame<'adoptAnswer'>): void;
  onWebhook(session: RunnerSession, frame: ReceivedFrame<'hookAck' | 'claim'>): void;
  /** Stores rows of the list; they are acknowledged when it resolves. */
  storeJobs(session: RunnerSession, frame: ReceivedFrame<'jobs'>): Promise<void>;
  onBeat(session: RunnerSession): void;
  onEnd(session: RunnerSession, code: number, reason: string): void;
}

/** WebSocket's "try again later". */
const TRY_AGAIN = 1013;

/** One connected runner: its frames, and the requests to it. */
export class RunnerSession {
  readonly id: string;
  readonly identity: RunnerIdentity;
  readonly #options: SessionOptions;
  readonly #frames: FrameSocket;
  readonly #replies: OpenReplies;
  /** The log of its home; null = it has none. */
  #home: HomeLink | null = null;
  hello: ReceivedFrame<'hello'> | null = null;
  beat: Beat | null = null;
  /** When its token was made, epoch ms; null = it is not known yet. */
  tokenAt: number | null = null;
  #isWelcome = false;
  #heardAt: number;
  /** What it sends stays unread. */
  #isPaused = false;
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
    this.#frames.collectOn(options.connection);
    this.#replies = new OpenReplies(this.#frames, options.clock);
    this.#watch(HELLO_MS);
  }

  get isOpen(): boolean {
    return this.#frames.isOpen;
  }

  /** How long nothing has come, ms. */
  get silentMs(): number {
    return this.#options.clock.now() - this.#heardAt;
  }

  /** Whether it can be asked. */
  get isReady(): boolean {
    return this.isOpen && this.#isWelcome;
  }

  send(
    frame: Frame<
      'token' | 'drain' | 'adopt' | 'overlay' | 'senders' | 'hook' | 'hookPart' | 'claimAnswer'
    >,
  ): void {
    this.#frames.send(frame);
  }

  /** Waits until a part fits; false = the socket is closed. */
  hasRoom(): Promise<boolean> {
    return this.#frames.hasRoom();
  }

  close(code: number, reason: string): void {
    this.#frames.close(code, reason);
  }

  /** Throws SvcError `runner-away`, `runner-timeout`, or the reason of the signal. */
  async ask(request: RunnerRequest): Promise<RunnerReply> {
    if (!this.isReady) throw createAwayError();
    return this.#replies.ask(request);
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
      case 'part':
      case 'cancel':
        this.#replies.take(frame);
        return;
      case 'commit':
      case 'commitPart':
        if (this.#home === null) throw outOfOrder(frame.type);
        this.#home.take(frame);
        return;
      case 'adoptAnswer':
        if (!this.#isWelcome) throw outOfOrder(frame.type);
        this.#options.onAnswer(this, frame);
        return;
      case 'hookAck':
      case 'claim':
        if (!this.#isWelcome) throw outOfOrder(frame.type);
        this.#options.onWebhook(this, frame);
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
      const { frame, home } = await this.#options.welcome(this, hello, this.#openHomeSocket());
      if (!this.isOpen) return home?.close();
      this.#home = home;
      this.#frames.send(frame);
      this.#isWelcome = true;
      this.#watch(frame.lostMs);
    } catch (error) {
      if (error instanceof SessionRefusal) this.close(error.closeCode, error.message);
      else this.close(TRY_AGAIN, 'The control plane could not take the runner.');
    }
  }

  #openHomeSocket(): HomeSocket {
    return {
      send: (frame) => this.#frames.send(frame),
      isOpen: () => this.isOpen,
      pause: () => {
        this.#isPaused = true;
        this.#frames.pause();
      },
      resume: () => {
        this.#isPaused = false;
        this.#heardAt = this.#options.clock.now();
        this.#frames.resume();
      },
    };
  }

  #takeBeat({ n, free, slots, state }: ReceivedFrame<'beat'>): void {
    const isLease = this.#isWelcome && this.#options.mayGrantLease();
    this.#frames.send({ type: 'beat', n, ...(isLease ? { lease: true } : {}) });
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
      const isSilent = clock.now() - this.#heardAt >= lostMs && !this.#isPaused;
      if (!isSilent && this.hello !== null) return this.#watch(lostMs);
      this.close(CLOSE_CODES.lost, 'Nothing came for too long.');
      this.#frames.terminate();
    });
  }

  #end(code: number, reason: string): void {
    this.#cancelTimer();
    this.#home?.close();
    this.#replies.end();
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
