import type { RunningRunner } from '../../../src/host/upgrade/runningRunner.ts';
import type { Program } from '../../../src/host/upgrade/program.ts';
import type { HandOver } from '../../../src/host/start/teamConnection.ts';
import { createDeferred } from '../../../src/base/concurrency/createDeferred.ts';
import type { OpenedRunner } from './prepareRunner.ts';

/** Exit codes of a process that was ended by the signal. */
const FORCED: Partial<Record<NodeJS.Signals, number>> = { SIGINT: 130, SIGTERM: 143 };

const STOPPING =
  'Stopping. Jobs are kept, and the next start continues them. Press Ctrl-C again to stop immediately.\n';

const HANDING_OVER = 'Stopping. Another runner of the team may continue the jobs at once.\n';
/** A runner of this process can end without being stopped in order. */
export interface EndableRunner extends RunningRunner {
  end(exitCode: number): void;
}

/**
 * The runner of this process. The first signal stops it in order, with exit code 0; the second ends
 * it at once with the signal's code.
 */
export function createRunningRunner(
  openedRunner: OpenedRunner,
  facts: { program: Promise<Program>; storeVersion: number },
  err: (text: string) => void,
): EndableRunner {
  const end = createDeferred<number>();
  let stopping = false;
  const stop = (handOver?: HandOver): void => {
    stopping = true;
    err(handOver === 'always' ? HANDING_OVER : STOPPING);
    openedRunner.close(handOver).then(() => end.resolve(0), end.reject);
  };
  return {
    ...facts,
    port: Number(new URL(openedRunner.url).port),
    release: () => openedRunner.close(),
    signal(signal) {
      if (signal === 'SIGHUP') return void openedRunner.reload();
      if (stopping) return end.resolve(FORCED[signal] ?? 1);
      // What ends a machine of the pool ends it with this signal: its jobs should not wait for it.
      stop(signal === 'SIGTERM' ? 'pool' : undefined);
    },
    stopHandingOver() {
      if (!stopping) stop('always');
    },
    end: end.resolve,
    ended: end.promise,
  };
}
