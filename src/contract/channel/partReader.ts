import { SvcError } from '../../base/errors/errors.ts';
import { PART_CREDITS } from './limits.ts';

interface PartReaderOptions {
  /** So many parts were read: the source may send as many more. */
  onRead(parts: number): void;
  /** The reader has left before the end. */
  onLeft(): void;
}

/** Credits are returned in groups, so that a frame is not answered by another for each part. */
const RETURNED_AT_ONCE = PART_CREDITS / 2;

/** The body of a reply as its reader sees it: parts in order, as fast as they are asked for. */
export class PartReader implements AsyncIterable<Uint8Array> {
  readonly #options: PartReaderOptions;
  readonly #parts: Uint8Array[] = [];
  #unreturned = 0;
  #ended = false;
  #left = false;
  #error: Error | null = null;
  #wake: (() => void) | undefined;

  constructor(options: PartReaderOptions) {
    this.#options = options;
  }

  /** Throws SvcError `malformed` where the source sends more than it has credits for, or after the end. */
  push(bytes: Uint8Array, end: boolean): void {
    if (this.#ended) throw new SvcError('malformed', 'A part came after the last one.');
    if (this.#left) {
      this.#ended = end;
      return;
    }
    if (this.#parts.length + this.#unreturned >= PART_CREDITS)
      throw new SvcError('malformed', 'A part came without a credit.');
    this.#parts.push(bytes);
    this.#ended = end;
    this.#wake?.();
  }

  /** Nothing more comes; what has come is still read. */
  fail(error: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    try {
      for (;;) {
        const part = this.#parts.shift();
        if (part !== undefined) {
          if (part.length > 0) yield part;
          this.#returnCredit();
        } else if (this.#left) {
          return;
        } else if (this.#ended) {
          if (this.#error !== null) throw this.#error;
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      this.leave();
    }
  }

  /** Discards the remaining parts; may be called before reading begins. */
  leave(): void {
    if (this.#left) return;
    this.#left = true;
    this.#parts.length = 0;
    if (!this.#ended) this.#options.onLeft();
    this.#wake?.();
  }

  #returnCredit(): void {
    this.#unreturned += 1;
    if (this.#ended || this.#unreturned < RETURNED_AT_ONCE) return;
    this.#options.onRead(this.#unreturned);
    this.#unreturned = 0;
  }
}
