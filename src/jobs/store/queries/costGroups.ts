import type { CostPart } from '../../../base/spending/costParts.ts';
import { MAX_STORED_SUM } from '../migrations/boundedSumsMigration.ts';
import { type CallSums, SUM_NAMES } from './costTables.ts';

export interface Group {
  keys: unknown[];
  sums: number[];
}

/** `sums` in the order of {@link SUM_NAMES}. */
export function toCallSums(sums: readonly number[]): CallSums {
  const read = (name: keyof CallSums): number => sums[SUM_NAMES.indexOf(name)] ?? 0;
  return {
    microUsd: read('microUsd'),
    unpriced: read('unpriced'),
    calls: read('calls'),
    estimated: read('estimated'),
    sessions: read('sessions'),
    ms: read('ms'),
    inputTokens: read('inputTokens'),
    outputTokens: read('outputTokens'),
    cachedInputTokens: read('cachedInputTokens'),
    cacheWriteTokens: read('cacheWriteTokens'),
    reasoningTokens: read('reasoningTokens'),
    unreported: read('unreported'),
  };
}

export function addSums(to: number[], more: readonly number[]): void {
  for (let n = 0; n < more.length; n++)
    to[n] = Math.min(MAX_STORED_SUM, (to[n] ?? 0) + (more[n] ?? 0));
}

export function addToGroup(groups: Map<string, Group>, keys: unknown[], sums: number[]): void {
  const name = JSON.stringify(keys);
  const group = groups.get(name);
  if (group) addSums(group.sums, sums);
  else groups.set(name, { keys, sums });
}

/** No name first. */
function compareNames(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return String(a) < String(b) ? -1 : 1;
}

const COST_AT = SUM_NAMES.indexOf('microUsd');
const INPUT_AT = SUM_NAMES.indexOf('inputTokens');
const OUTPUT_AT = SUM_NAMES.indexOf('outputTokens');

const addTokens = ({ sums }: Group): number => (sums[INPUT_AT] ?? 0) + (sums[OUTPUT_AT] ?? 0);

/** Days first, then the highest cost, the most tokens, and the names. */
export function createGroupOrder(by: readonly CostPart[]): (a: Group, b: Group) => number {
  const day = by.indexOf('day');
  return (a, b) => {
    if (day !== -1 && a.keys[day] !== b.keys[day]) return Number(a.keys[day]) - Number(b.keys[day]);
    const cost = (b.sums[COST_AT] ?? 0) - (a.sums[COST_AT] ?? 0);
    if (cost !== 0) return cost;
    const tokens = addTokens(b) - addTokens(a);
    if (tokens !== 0) return tokens;
    for (let n = 0; n < by.length; n++) {
      const order = compareNames(a.keys[n], b.keys[n]);
      if (order !== 0) return order;
    }
    return 0;
  };
}
