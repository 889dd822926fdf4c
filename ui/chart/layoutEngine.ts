import type { ELK, ElkNode } from 'elkjs/lib/elk-api.js';
import { rehearsal } from './rehearsal.ts';
import workerUrl from 'elkjs/lib/elk-worker.min.js?url';

/** Layouts that are kept: a chart that is shown again needs none. */
const KEPT = 24;

let engine: Promise<ELK> | undefined;

/**
 * Loaded on first use, and its worker with it: the page goes on meanwhile. The worker is a file of ours, as the page's policy demands.
 */
async function load(): Promise<ELK> {
  const { default: elk } = await import('elkjs/lib/elk-api.js');
  return new elk.default({ algorithms: ['layered'], workerUrl });
}

/** The engine; one that could not be loaded is tried again by the next who needs it. */
function started(): Promise<ELK> {
  engine ??= load().catch((error: unknown) => {
    engine = undefined;
    throw error;
  });
  return engine;
}

const kept = new Map<string, Promise<ElkNode>>();
/** False until the first layout was asked for. */
let isAsked = false;

/** Places for everything, computed off the page's thread. Rejects with what the layout program says. */
export function layout(input: ElkNode): Promise<ElkNode> {
  const key = JSON.stringify(input);
  const known = kept.get(key);
  if (known) return known;
  isAsked = true;
  const placed = started().then((elk) => elk.layout(input));
  kept.set(key, placed);
  placed.catch(() => kept.delete(key));
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  return placed;
}

/** Groups of the graph of each rehearsal: a small one first, so that a layout which is asked for meanwhile does not wait long. */
const REHEARSALS = [2, 4, 8, 12, 16, 16];

/**
 * Loads what a layout needs and rehearses it, until somebody asks for a layout: the first ones of a worker take several times as long as
 * those that follow. What goes wrong is said by the layout that is asked for.
 */
export async function prepareLayout(): Promise<void> {
  if (engine) return;
  const elk = await started().catch(() => null);
  for (const groups of REHEARSALS) {
    if (isAsked) return;
    await elk?.layout(rehearsal(groups)).catch(() => {});
  }
}
