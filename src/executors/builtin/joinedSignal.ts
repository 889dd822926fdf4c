/** A signal that is aborted when one of several is. */
export interface JoinedSignal {
  signal: AbortSignal;
  /** Lets go of the others; they may live much longer. */
  release(): void;
}

/**
 * Joins signals. Not with AbortSignal.any: what that makes is held by nobody but its listeners, and Node's collector takes one of a
 * chain of them away while a request waits on it; an interrupt is then never heard.
 */
export function joinSignals(...signals: readonly AbortSignal[]): JoinedSignal {
  const joined = new AbortController();
  const abort = () => joined.abort();
  for (const signal of signals) {
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
  return {
    signal: joined.signal,
    release() {
      for (const signal of signals) signal.removeEventListener('abort', abort);
    },
  };
}
