import type { Costs } from '../../src/contract/schema/policy/costs.ts';
import { type Bar, formatCompact, formatChartDay } from './chartShapes.ts';

/** Tones of what costs most, such as models; the others share one. */
const TONES = ['working', 'good', 'waiting', 'partial'] as const;
const TONE_OF_OTHERS = 'over';
const DAY_MS = 86_400_000;
const MICRO = 1_000_000;

export interface CostTone {
  tone: string;
  says: string;
}

/** What those are called that share a tone, and one that has no name. */
export interface CostWords {
  others: string;
  none: string;
}

/** Those that have a tone, the most expensive first; `by` of the costs is one part. */
export function pickCostTones(
  { rows }: Pick<Costs, 'rows'>,
  { others, none }: CostWords,
): CostTone[] {
  const pricedRows = rows.filter(({ usd }) => usd !== null && usd > 0);
  const first = pricedRows
    .slice(0, TONES.length)
    .map(({ keys: [name] }, n) => ({ tone: TONES[n] ?? TONE_OF_OTHERS, says: name ?? none }));
  return pricedRows.length > TONES.length
    ? [...first, { tone: TONE_OF_OTHERS, says: others }]
    : first;
}

/** Dollars that fit beside an axis: `$1.2K`, `$0.5`, `2¢`. */
export function formatShortDollars(usd: number): string {
  if (usd === 0) return '$0';
  if (usd >= 1) return `$${formatCompact(usd)}`;
  return usd >= 0.1 ? `$${Number(usd.toPrecision(2))}` : `${Number((usd * 100).toPrecision(2))}¢`;
}

/** Every day of a period, the first and the last as `2026-11-22`. */
export function listDays(first: string, last: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** A bar for each day, in millionths of a dollar; `by` of the costs is the day and the part. */
export function buildCostBars(
  days: readonly string[],
  { rows }: Pick<Costs, 'rows'>,
  tones: readonly CostTone[],
  { none }: Pick<CostWords, 'none'>,
): Bar[] {
  return days.map((day) => {
    const ofDay = rows.filter(({ keys }) => keys[0] === day);
    const namedTones = tones.filter(({ tone }) => tone !== TONE_OF_OTHERS).map(({ says }) => says);
    const sumTone = ({ tone, says }: CostTone): number =>
      ofDay
        .filter(({ keys: [, key] }) => {
          const name = key ?? none;
          return tone === TONE_OF_OTHERS ? !namedTones.includes(name) : name === says;
        })
        .reduce((sum, { usd }) => sum + Math.round((usd ?? 0) * MICRO), 0);
    return {
      label: formatChartDay(day),
      parts: tones.map((one) => ({ ...one, value: sumTone(one) })),
    };
  });
}
