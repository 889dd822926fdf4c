import type { Costs } from '../../src/schema/costs.ts';
import { type Bar, compact, shortDay } from './chartShapes.ts';

/** Tones of the models that cost most; the others share one. */
const TONES = ['working', 'good', 'waiting', 'partial'] as const;
const OTHERS = { tone: 'over', says: 'other models' };
const DAY_MS = 86_400_000;
const MICRO = 1_000_000;

/** A model with the tone of its parts of the bars. */
export interface ToneOfModel {
  tone: string;
  says: string;
}

/** The models with a tone, the most expensive first; `by` of the costs is the model. */
export function modelTones({ rows }: Pick<Costs, 'rows'>): ToneOfModel[] {
  const priced = rows.filter(({ usd }) => usd !== null && usd > 0);
  const first = priced
    .slice(0, TONES.length)
    .map(({ keys: [model] }, n) => ({ tone: TONES[n] ?? OTHERS.tone, says: model ?? 'unknown' }));
  return priced.length > TONES.length ? [...first, OTHERS] : first;
}

/** Dollars that fit beside an axis: `$1.2K`, `$0.5`, `2¢`. */
export function shortDollars(usd: number): string {
  if (usd === 0) return '$0';
  if (usd >= 1) return `$${compact(usd)}`;
  return usd >= 0.1 ? `$${Number(usd.toPrecision(2))}` : `${Number((usd * 100).toPrecision(2))}¢`;
}

/** Every day of a period, the first and the last as `2026-11-22`. */
export function daysOf(first: string, last: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** A bar for each day, in millionths of a dollar; `by` of the costs is day and model. */
export function costBars(
  days: readonly string[],
  { rows }: Pick<Costs, 'rows'>,
  tones: readonly ToneOfModel[],
): Bar[] {
  return days.map((day) => {
    const ofDay = rows.filter(({ keys }) => keys[0] === day);
    const named = tones.filter(({ tone }) => tone !== OTHERS.tone).map(({ says }) => says);
    const sumOf = ({ tone, says }: ToneOfModel): number =>
      ofDay
        .filter(({ keys: [, model] }) => {
          const name = model ?? 'unknown';
          return tone === OTHERS.tone ? !named.includes(name) : name === says;
        })
        .reduce((sum, { usd }) => sum + Math.round((usd ?? 0) * MICRO), 0);
    return { label: shortDay(day), parts: tones.map((one) => ({ ...one, value: sumOf(one) })) };
  });
}
