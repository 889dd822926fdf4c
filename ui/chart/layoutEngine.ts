import type { ELK, ElkNode } from 'elkjs/lib/elk-api.js';
import { layoutInput } from './layoutInput.ts';
import { roughMeasure } from './textWidth.ts';
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

const kept = new Map<string, Promise<ElkNode>>();

/** Places for everything, computed off the page's thread. Rejects with what the layout program says. */
export function layout(input: ElkNode): Promise<ElkNode> {
  const key = JSON.stringify(input);
  const known = kept.get(key);
  if (known) return known;
  engine ??= load();
  const placed = engine.then((elk) => elk.layout(input));
  kept.set(key, placed);
  placed.catch(() => kept.delete(key));
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  return placed;
}

/** A small graph with everything that charts have: the first layout of a worker takes several times as long as the next. */
const WARM_UP: ElkNode = layoutInput(
  {
    nodes: ['a', 'b', 'c'].map((id) => ({
      ...{ id, kind: 'group', title: id, tags: [], rows: [], ways: [] },
      children: ['d', 'e'].map((inner) => ({
        ...{ id: `${id}${inner}`, kind: 'state', title: inner, tags: [], rows: [], ways: [], children: [] },
      })),
    })),
    edges: ['ad-bd', 'bd-be', 'be-ad', 'a-c', 'ce-cd', 'ae-ce'].map((id) => ({
      ...{ id, source: id.split('-')[0] ?? '', target: id.split('-')[1] ?? '', bundle: [] },
      ways: [{ arrow: id, rows: [{ role: 'event', text: 'event' }] }],
    })),
  },
  roughMeasure,
  'DOWN',
);

/** Begins to load what a layout needs, for a page that will ask for one soon. */
export function prepareLayout(): void {
  // What is wrong with it is said by the layout that is asked for.
  layout(WARM_UP).catch(() => {});
}
