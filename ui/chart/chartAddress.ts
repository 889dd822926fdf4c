import type { ChartItem } from './chartItems.ts';
import { isScale } from './viewport.ts';

/** What of a chart the address of its page keeps, so that a link leads to the same view. */
export interface ChartAddress {
  /** Null: nothing is selected. */
  selected: ChartItem | null;
  /** Null: it was not zoomed by hand. */
  scale: number | null;
  /** What is shown on demand. */
  extras: readonly ChartExtra[];
}

/** Technical terms; all effects; failures and limits; numbers of the last runs. */
const EXTRAS = ['terms', 'effects', 'limits', 'runs'] as const;
export type ChartExtra = (typeof EXTRAS)[number];

/** Members of the query for a selected state, a selected arrow, the scale in percent, and what is shown on demand. */
const NAMES = { box: 'at', way: 'arrow', scale: 'zoom', extras: 'show' } as const;

const splitHash = (hash: string): { path: string; query: URLSearchParams } => {
  const [path = '', search = ''] = hash.split(/\?(.*)/s, 2);
  return { path, query: new URLSearchParams(search) };
};

/** Reads it from a hash such as `#/workflows/job.md?at=coding&zoom=80`. What it does not name is null. */
export function readChartAddress(hash: string): ChartAddress {
  const { query } = splitHash(hash);
  const kind = (['box', 'way'] as const).find((one) => query.get(NAMES[one]));
  const scale = Number(query.get(NAMES.scale)) / 100;
  const names = (query.get(NAMES.extras) ?? '').split(' ');
  return {
    selected: kind === undefined ? null : { kind, id: query.get(NAMES[kind]) ?? '' },
    scale: isScale(scale) ? scale : null,
    extras: EXTRAS.filter((extra) => names.includes(extra)),
  };
}

/** The hash with this view; other members of its query stay. */
export function writeChartAddress(hash: string, { selected, scale, extras }: ChartAddress): string {
  const { path, query } = splitHash(hash);
  for (const name of Object.values(NAMES)) query.delete(name);
  if (selected !== null) query.set(NAMES[selected.kind], selected.id);
  if (scale !== null) query.set(NAMES.scale, String(Math.round(scale * 100)));
  if (extras.length > 0)
    query.set(NAMES.extras, EXTRAS.filter((extra) => extras.includes(extra)).join(' '));
  return query.size === 0 ? path : `${path}?${query}`;
}
