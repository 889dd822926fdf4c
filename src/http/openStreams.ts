/** A stream of events that somebody reads. */
export interface OpenStream {
  end(reason: 'ended' | 'stopping'): void;
}

/** The streams that are open, so that a stop can say goodbye to each. */
export class OpenStreams {
  readonly #open = new Set<OpenStream>();
  #stopping = false;

  get size(): number {
    return this.#open.size;
  }

  add(stream: OpenStream): void {
    this.#open.add(stream);
    // One that came in while the others were told goodbye would keep the server from closing.
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
