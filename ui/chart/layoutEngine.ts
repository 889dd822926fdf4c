import elk, { type ELK, type ElkNode } from 'elkjs/lib/elk-api.js';
import { ensureLayoutWorker } from './layoutWorker.ts';
import { createRehearsalGraph } from './createRehearsalGraph.ts';

/** Layouts that are kept, so that a chart that is shown again needs none. */
const KEPT = 24;

const engines = new WeakMap<Worker, ELK>();

function openLayoutEngine(worker: Worker): ELK {
  const engine =
    engines.get(worker) ??
    new elk.default({ algorithms: ['layered'], workerFactory: () => worker });
  engines.set(worker, engine);
  return engine;
}

/** Also rejects when the worker fails, for which the library would wait forever. */
function placeGraph(input: ElkNode): Promise<ElkNode> {
  const { worker, failed } = ensureLayoutWorker();
  return new Promise((resolve, reject) => {
    const fail = () => reject(failed.reason);
    failed.addEventListener('abort', fail);
    openLayoutEngine(worker)
      .layout(input)
      .then(resolve, reject)
      .finally(() => failed.removeEventListener('abort', fail));
  });
}

const kept = new Map<string, Promise<ElkNode>>();
/** False until the first layout was asked for. */
let isAsked = false;

/** Computes places off the page's thread. Rejects with its error; the next call tries again. */
export function computeLayout(input: ElkNode): Promise<ElkNode> {
  const key = JSON.stringify(input);
  const known = kept.get(key);
  if (known) return known;
  isAsked = true;
  const placed = placeGraph(input);
  kept.set(key, placed);
  placed.catch(() => kept.delete(key));
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  return placed;
}

/** Groups of each rehearsal; small ones first, so that a real layout does not wait long. */
const REHEARSALS = [1, 4, 8, 12, 16, 16];

/**
 * Rehearses layouts until one is requested: the first ones of a worker take several times as long
 * as those that follow. Rejects where one goes wrong; the layout that is asked for reports the
 * error to people.
 */
export async function rehearseLayout(): Promise<void> {
  for (const groups of REHEARSALS) {
    if (isAsked) return;
    await placeGraph(createRehearsalGraph(groups));
  }
}
