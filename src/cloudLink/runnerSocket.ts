import type { Agent } from 'node:http';
import WebSocket from 'ws';
import { CLOSE_CODES } from '../contract/channel/closeCodes.ts';
import type { Frame, ReceivedFrame, RunnerState } from '../contract/channel/frames.ts';
import { FrameSocket } from '../contract/channel/frameSocket.ts';
import { HELLO_MS, MAX_FRAME_BYTES } from '../contract/channel/limits.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Lease, LeaseMark } from './homes/lease.ts';

export interface SocketEnd {
  /** Status of a refused handshake; null = the connection itself failed, or ended later. */
  status: number | null;
  /** Of the close frame; 1006 = none came. */
  code: number;
  /** What to tell a person. */
  reason: string;
  /** What the control plane asks to wait, ms; null = nothing. */
  retryAfterMs: number | null;
}

export interface RunnerSocketOptions {
  address: URL;
  /** Carries the connection; null = Node's own. */
  agent: Agent | null;
  token: string;
  clock: Clock;
  hello(): Frame<'hello'>;
  load(): { slots: number; free: number; state: RunnerState };
  lease: Pick<Lease, 'mark' | 'narrow' | 'renew'>;
  onWelcome(frame: ReceivedFrame<'welcome'>): void;
  /** Every other frame but beats. */
  onFrame(frame: ReceivedFrame): void;
  /** Once, also when the handshake fails. */
  onEnd(end: SocketEnd): void;
}

/** The longest wait that a control plane can ask for, seconds. */
const MAX_RETRY_AFTER_SECONDS = 300;
/** Nothing can be read from a socket that the other side has not closed in order. */
const ABNORMAL = 1006;

const readRetryAfter = (value: string | undefined): number | null => {
  const seconds = Number(value);
  return value === undefined || !(seconds >= 0)
    ? null
    : Math.min(seconds, MAX_RETRY_AFTER_SECONDS) * 1_000;
};

/** One socket of a runner to its control plane: handshake, hello, beats. It never rejects; its end is reported once. */
export class RunnerSocket {
  readonly #options: RunnerSocketOptions;
  readonly #raw: WebSocket;
  readonly #frames: FrameSocket;
  #cancelTimer: () => void = () => undefined;
  #beats = 0;
  /** When the beats were sent that are not answered yet. */
  readonly #sentBeats = new Map<number, LeaseMark>();
  /** The takeover window that this socket's welcome named, ms; null = the home has no log. */
  #windowMs: number | null = null;
  #heardAt: number;
  #lostMs = HELLO_MS;
  #isWelcome = false;
  /** The load that was said last. */
  #said = '';
  #refusal: Pick<SocketEnd, 'status' | 'reason' | 'retryAfterMs'> | null = null;

  constructor(options: RunnerSocketOptions) {
    this.#options = options;
    const { address, agent, token, clock } = options;
    this.#heardAt = clock.now();
    this.#raw = new WebSocket(address, {
      headers: { Authorization: `Bearer ${token}` },
      perMessageDeflate: false,
      followRedirects: false,
      handshakeTimeout: HELLO_MS,
      maxPayload: MAX_FRAME_BYTES,
      ...(agent === null ? {} : { agent }),
    });
    this.#raw.once('upgrade', ({ socket }) => this.#frames.collectOn(socket));
    this.#raw.once('unexpected-response', (_request, response) => {
      const { statusCode = 0, headers } = response;
      this.#refusal = {
        status: statusCode,
        reason: `The control plane answers with status ${statusCode}.`,
        retryAfterMs: readRetryAfter(headers['retry-after']),
      };
      response.resume();
      this.#raw.terminate();
    });
    this.#raw.once('error', ({ message }) => {
      this.#refusal ??= { status: null, reason: message, retryAfterMs: null };
    });
    this.#raw.once('open', () => {
      this.#frames.send(this.#options.hello());
      this.#beatLater(HELLO_MS);
    });
    this.#frames = new FrameSocket(this.#raw, {
      onFrame: (frame) => this.#take(frame),
      onClose: (code, reason) => {
        this.#cancelTimer();
        options.onEnd({
          status: null,
          retryAfterMs: null,
          ...this.#refusal,
          code,
          reason:
            reason || this.#refusal?.reason || (code === ABNORMAL ? 'The connection broke.' : ''),
        });
      },
    });
  }

  get frames(): FrameSocket {
    return this.#frames;
  }

  /** A beat before its time, where the load is another one than the last that was said. */
  beatIfChanged(): void {
    if (this.#isWelcome && JSON.stringify(this.#options.load()) !== this.#said) this.#beat();
  }

  close(code: number, reason: string): void {
    this.#cancelTimer();
    if (this.#raw.readyState === WebSocket.CONNECTING) this.#frames.terminate();
    else this.#frames.close(code, reason);
  }

  #take(frame: ReceivedFrame): void {
    this.#heardAt = this.#options.clock.now();
    if (frame.type === 'welcome') {
      if (this.#isWelcome) throw new Error('A second welcome.');
      this.#isWelcome = true;
      this.#lostMs = frame.lostMs;
      this.#windowMs = frame.home?.takeoverMs ?? null;
      if (this.#windowMs !== null) this.#options.lease.narrow(this.#windowMs);
      this.#beatLater(frame.beatMs);
      this.#options.onWelcome(frame);
      // The runner may not act before a beat is answered. It also confirms the window.
      if (this.#windowMs !== null) this.#beat();
    } else if (!this.#isWelcome) throw new Error(`A ${frame.type} came before the welcome.`);
    else if (frame.type === 'beat') this.#takeAnswer(frame);
    else this.#options.onFrame(frame);
  }

  #takeAnswer({ n, lease }: ReceivedFrame<'beat'>): void {
    const sentAt = this.#sentBeats.get(n);
    for (const sentBeat of this.#sentBeats.keys())
      if (sentBeat <= n) this.#sentBeats.delete(sentBeat);
    if (lease === true && sentAt !== undefined && this.#windowMs !== null)
      this.#options.lease.renew(sentAt, this.#windowMs);
  }

  /** A timer of its own: it also runs while the runner starts, drains or stops. */
  #beatLater(ms: number): void {
    const { clock } = this.#options;
    this.#cancelTimer();
    this.#cancelTimer = clock.at(clock.now() + ms, () => {
      if (clock.now() - this.#heardAt >= this.#lostMs) {
        this.#refusal ??= {
          status: null,
          reason: 'The control plane was silent for too long.',
          retryAfterMs: null,
        };
        this.#frames.terminate();
        return;
      }
      if (this.#isWelcome) this.#beat();
      this.#beatLater(ms);
    });
  }

  #beat(): void {
    const load = this.#options.load();
    this.#said = JSON.stringify(load);
    this.#beats += 1;
    // Before it is sent: the lease counts from then.
    this.#sentBeats.set(this.#beats, this.#options.lease.mark());
    this.#frames.send({ type: 'beat', n: this.#beats, ...load });
  }
}

/** Codes after which another attempt does not help until a person has acted. */
export const isRefused = ({ status, code }: SocketEnd): boolean =>
  status === 401 || status === 403 || code === CLOSE_CODES.revoked || code === CLOSE_CODES.version;
