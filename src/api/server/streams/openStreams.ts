import { SvcError } from '../../../base/errors/errors.ts';

/**
 * Streams that may be open at once, of all readers together; each of them holds a connection for as
 * long as it is read.
 */
export const MAX_STREAMS = 800;

export interface OpenStream {
  end(reason: 'ended' | 'stopping'): void;
}

export class OpenStreams {
  readonly #open = new Set<OpenStream>();
  #stopping = false;

  get size(): number {
    return this.#open.size;
  }

  /** Throws SvcError `busy` where no further stream may be opened. */
  admit(): void {
    if (this.#open.size < MAX_STREAMS) return;
    throw new SvcError(
      'busy',
      `${MAX_STREAMS} event streams are open, the most this runner serves. Close some.`,
    );
  }

  add(stream: OpenStream): void {
    this.#open.add(stream);
    // One that opens while the others are being ended would keep the server from closing.
    if (this.#stopping) stream.end('stopping');
  }

  remove(stream: OpenStream): void {
    this.#open.delete(stream);
  }

  /** Ends all of them, and at once every one that still comes. */
  stop(): void {
    this.#stopping = true;
    for (const stream of [...this.#open]) stream.end('stopping');
  }
}
