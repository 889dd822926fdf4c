/** Most changes that wait for the control plane before svc stops reading the output of sessions. */
export const MAX_WAITING_CHANGES = 10_000;
/** Most bytes that wait for it before that, bytes: 16 MiB. */
export const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** What sessions ask of the backlog of their runner. */
export interface SessionBacklog {
  /** Whether output is read on while earlier output waits to be kept; false = each piece is kept first. */
  readonly isOpen: boolean;
  /** Output of so many bytes waits until the returned function is called. */
  hold(bytes: number): () => void;
  /** Undefined = there is room for more output; a promise resolves when there is. */
  room(): Promise<void> | undefined;
}

/** Of a runner without a control plane: what a session says is on the disk before more is read. */
export const NO_BACKLOG: SessionBacklog = {
  isOpen: false,
  hold: () => () => {},
  room: () => undefined,
};

/** What waits elsewhere than in sessions, and is counted when it is asked for. */
export interface WaitingElsewhere {
  changes: number;
  bytes: number;
}

/**
 * What waits until the control plane has it. Nothing is dropped or refused at its bound: the output of sessions is not
 * read, so their programs wait too.
 */
export class Backlog implements SessionBacklog {
  readonly #elsewhere: () => WaitingElsewhere | null;
  #pieces = 0;
  #bytes = 0;
  #waiting: (() => void)[] = [];

  /** `elsewhere`: null = there is no control plane to wait for. */
  constructor(elsewhere: () => WaitingElsewhere | null) {
    this.#elsewhere = elsewhere;
  }

  get isOpen(): boolean {
    return this.#elsewhere() !== null;
  }

  /** How many changes wait: pieces of output, and what is submitted. */
  get changes(): number {
    return this.#pieces + (this.#elsewhere()?.changes ?? 0);
  }

  get isFull(): boolean {
    const elsewhere = this.#elsewhere();
    if (elsewhere === null) return false;
    return (
      this.#pieces + elsewhere.changes >= MAX_WAITING_CHANGES ||
      this.#bytes + elsewhere.bytes >= MAX_WAITING_BYTES
    );
  }

  hold(bytes: number): () => void {
    this.#pieces += 1;
    this.#bytes += bytes;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#pieces -= 1;
      this.#bytes -= bytes;
      this.look();
    };
  }

  room(): Promise<void> | undefined {
    if (!this.isFull) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Something may have ended elsewhere: lets sessions be read on where there is room. */
  look(): void {
    if (this.#waiting.length === 0 || this.isFull) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
