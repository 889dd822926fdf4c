import { PartMissing } from '../shell/signals/lazyPart.ts';
import workerUrl from 'elkjs/lib/elk-worker.min.js?url';

export interface LayoutWorker {
  worker: Worker;
  /** Aborted with PartMissing once the worker failed to load or broke down; no answer follows. */
  failed: AbortSignal;
}

let currentWorker: LayoutWorker | undefined;

function startLayoutWorker(): LayoutWorker {
  // A file of ours, as the page's policy demands.
  const worker = new Worker(workerUrl);
  const failure = new AbortController();
  const layoutWorker = { worker, failed: failure.signal };
  worker.addEventListener('error', () => {
    worker.terminate();
    if (currentWorker === layoutWorker) currentWorker = undefined;
    failure.abort(new PartMissing('The layout worker could not be loaded, or crashed.'));
  });
  return layoutWorker;
}

/** The page's one layout worker, loaded at the first call; after a failure, at the next one. */
export function ensureLayoutWorker(): LayoutWorker {
  currentWorker ??= startLayoutWorker();
  return currentWorker;
}
