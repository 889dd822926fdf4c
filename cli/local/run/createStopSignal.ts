/** Signals that end a run, and the exit codes that they mean. A closed terminal counts as SIGTERM. */
const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 143 } as const;
type StopName = keyof typeof CODES;

export interface Signals {
  on(name: StopName, run: () => void): unknown;
  off(name: StopName, run: () => void): unknown;
}

export interface StopSignal {
  /** Aborted by the first signal; its reason is the exit code. */
  signal: AbortSignal;
  release(): void;
}

/** The exit code of a run that was asked to stop; null = it was not. */
export const readStopCode = ({ aborted, reason }: AbortSignal): number | null =>
  aborted ? Number(reason) : null;

/** Listens for Ctrl-C, SIGTERM and the end of the terminal. The second signal calls `force`. */
export function createStopSignal(process: Signals, force: (code: number) => void): StopSignal {
  const stop = new AbortController();
  const names = Object.keys(CODES) as StopName[];
  const listeners = names.map((name) => {
    const onSignal = () => (stop.signal.aborted ? force(CODES[name]) : stop.abort(CODES[name]));
    process.on(name, onSignal);
    return [name, onSignal] as const;
  });
  return {
    signal: stop.signal,
    release() {
      for (const [name, onSignal] of listeners) process.off(name, onSignal);
    },
  };
}
