import { PartMissing } from '../shell/signals/lazyPart.ts';
import workerUrl from 'elkjs/lib/elk-worker.min.js?url';

/** The program that places charts, in a thread of its own. */
export interface LayoutWorker {
  worker: Worker;
  /**
   * Aborted with a PartMissing once the program could not be loaded or broke down: what it was
   * asked then has no answer.
   */
  failed: AbortSignal;
}

let running: LayoutWorker | undefined;

function startLayoutWorker(): LayoutWorker {
  // A file of ours, as the page's policy demands.
  const worker = new Worker(workerUrl);
  const failure = new AbortController();
  const started = { worker, failed: failure.signal };
  worker.addEventListener('error', () => {
    worker.terminate();
    if (running === started) running = undefined;
    failure.abort(new PartMissing('The layout worker could not be loaded, or crashed.'));
  });
  return started;
}

/**
 * The one program of the page. It is loaded from the first call on; after a failure the next call
 * loads it again.
 */
export function ensureLayoutWorker(): LayoutWorker {
  running ??= startLayoutWorker();
  return running;
}
