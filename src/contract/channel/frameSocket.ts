import { toErrorMessage } from '../../base/errors/errors.ts';
import { CLOSE_CODES } from './closeCodes.ts';
import { decodeFrame } from './decodeFrame.ts';
import { encodeFrame } from './encodeFrame.ts';
import type { Frame, ReceivedFrame } from './frames.ts';

/** Unsent bytes above which parts of replies wait. */
export const FULL_BYTES = 1024 * 1024;
/** Unsent bytes above which the other side counts as not reading. */
export const MAX_UNSENT_BYTES = 4 * 1024 * 1024;
/** Most characters of the reason in a close frame; it may have 123 bytes. */
const MAX_REASON_CHARS = 120;

/** What is used of a WebSocket of `ws`, on either end. */
export interface RawSocket {
  readonly bufferedAmount: number;
  /** 1 = open. */
  readonly readyState: number;
  send(bytes: Uint8Array, onSent: (error?: Error | null) => void): void;
  close(code: number, reason: string): void;
  terminate(): void;
  pause(): void;
  resume(): void;
  on(event: 'message', listener: (data: unknown, isBinary: boolean) => void): unknown;
  on(event: 'close', listener: (code: number, reason: Uint8Array) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** The connection below a WebSocket. */
export interface CorkedConnection {
  cork(): void;
  uncork(): void;
}

export interface FrameSocketOptions {
  /** If it throws, the socket is closed, as after a malformed frame. */
  onFrame(frame: ReceivedFrame): void;
  /** Once, whichever side has closed it. */
  onClose(code: number, reason: string): void;
}

const OPEN = 1;
const decoder = new TextDecoder();

/** A WebSocket that carries frames; what is no frame closes it. */
export class FrameSocket {
  readonly #raw: RawSocket;
  readonly #waiting: (() => void)[] = [];
  #closed = false;
  #connection: CorkedConnection | null = null;
  #isCollecting = false;

  constructor(raw: RawSocket, { onFrame, onClose }: FrameSocketOptions) {
    this.#raw = raw;
    raw.on('message', (data, isBinary) => {
      // What was on its way when the socket was closed.
      if (this.#closed) return;
      try {
        if (!isBinary || !(data instanceof Uint8Array)) throw new TypeError('Not a binary frame.');
        const frame = decodeFrame(data);
        if (frame !== null) onFrame(frame);
      } catch (error) {
        this.close(CLOSE_CODES.protocol, toErrorMessage(error));
      }
    });
    raw.on('close', (code, reason) => {
      this.#closed = true;
      this.#release();
      onClose(code, decoder.decode(reason));
    });
    // An error is followed by a close.
    raw.on('error', () => undefined);
  }

  get isOpen(): boolean {
    return !this.#closed && this.#raw.readyState === OPEN;
  }

  /** Frames that are sent in one turn of the event loop go out in one write to this connection. */
  collectOn(connection: CorkedConnection): void {
    this.#connection = connection;
  }

  /** Sends what was collected at once. For a frame that someone waits for, and that no other one follows. */
  flush(): void {
    if (!this.#isCollecting) return;
    this.#isCollecting = false;
    this.#connection?.uncork();
  }

  /** Sends a frame; one that cannot be sent any more is dropped: its socket is closed. */
  send(frame: Frame): void {
    if (!this.isOpen) return;
    if (this.#raw.bufferedAmount > MAX_UNSENT_BYTES) {
      this.close(CLOSE_CODES.slow, 'Too much is unread.');
      this.#raw.terminate();
      return;
    }
    this.#collect();
    this.#raw.send(encodeFrame(frame), () => {
      if (!this.isFull) this.#release();
    });
  }

  /** Whether parts of replies wait. */
  get isFull(): boolean {
    return this.#raw.bufferedAmount >= FULL_BYTES;
  }

  /** Waits until a part fits; false = the socket is closed. */
  async hasRoom(): Promise<boolean> {
    while (this.isOpen && this.isFull)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.isOpen;
  }

  /** Reads nothing until `resume`: the other side is slowed down. */
  pause(): void {
    if (this.isOpen) this.#raw.pause();
  }

  resume(): void {
    if (this.isOpen) this.#raw.resume();
  }

  close(code: number, reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#release();
    this.#raw.close(code, reason.slice(0, MAX_REASON_CHARS));
  }

  /** Without a goodbye: the other side does not answer. */
  terminate(): void {
    this.#closed = true;
    this.#release();
    this.#raw.terminate();
  }

  #collect(): void {
    const connection = this.#connection;
    if (connection === null || this.#isCollecting) return;
    this.#isCollecting = true;
    connection.cork();
    setImmediate(() => this.flush());
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
