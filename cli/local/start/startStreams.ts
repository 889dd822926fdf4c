/** Signals that a start takes: the third reads the configuration again. */
export type StartSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export interface StartStreams {
  out(text: string): void;
  err(text: string): void;
  /** Whether a person sees `out`. */
  terminal: boolean;
  /** Calls `run` at each SIGINT, SIGTERM and SIGHUP. The returned function takes it back. */
  onStop(run: (signal: StartSignal) => void): () => void;
}

/** The streams and signals of this process. A closed output stream does not end the runner. */
export function processStreams(): StartStreams {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    terminal: process.stdout.isTTY === true,
    onStop(run) {
      process.on('SIGINT', run);
      process.on('SIGTERM', run);
      process.on('SIGHUP', run);
      return () => void process.off('SIGINT', run).off('SIGTERM', run).off('SIGHUP', run);
    },
  };
}
