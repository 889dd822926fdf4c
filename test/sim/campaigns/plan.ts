import type { SubRunInput } from '../../../src/contract/schema/job/subRun.ts';
import type { FailurePolicy } from '../../../src/contract/schema/workflow/workflow.ts';
import type { Chance } from '../chance.ts';
import { LANES } from './lanes.ts';

/**
 * Most sub-runs of a campaign's first round, and of one that its parent adds when it comes back.
 */
const MOST_NODES = 60;
const MOST_ADDED = 6;

/** What a seed makes of a campaign before it begins. */
export interface CampaignPlan {
  policy: FailurePolicy;
  /** Sub-runs with a job at once. */
  cap: number;
  /** Slots of the runner. */
  slots: number;
  interactive: boolean;
  /** The plan waits for an approval. */
  approved: boolean;
  /** Given with the request instead of registered by an agent. */
  byHand: boolean;
  /** Probability that a session fails, and that it escalates, as long as the storm lasts. */
  fails: number;
  escalates: number;
  /** Longest time between two kills, ms; most lives are much shorter. */
  livesMs: number;
  specs: SubRunInput[];
}

/**
 * Sub-runs that wait for earlier ones of `known` and of their own list: a graph without a cycle.
 */
function drawSpecs(
  chance: Chance,
  count: number,
  known: readonly string[],
  prefix: string,
): SubRunInput[] {
  const edges = chance.pick([0, 1, 2, 4]);
  const names = [...known];
  const specs = Array.from({ length: count }, (_, n): SubRunInput => {
    const edgeCount = names.length === 0 ? 0 : chance.int(0, edges);
    // Some graphs are chains, others are wide.
    const recent = chance.is(0.5) ? names.slice(-3) : names;
    const dependsOn = [...new Set(Array.from({ length: edgeCount }, () => chance.pick(recent)))];
    const name = `${prefix}${n}`;
    names.push(name);
    const lane = chance.is(0.15) ? { lane: chance.pick(LANES) } : {};
    return { name, description: `does ${name}`, params: { ...lane, serviceName: name }, dependsOn };
  });
  // Registered in any order: what one waits for may come later.
  return chance.is(0.3)
    ? specs.toSorted((a, b) => (a.description < b.description ? 1 : -1))
    : specs;
}

export function drawPlan(chance: Chance): CampaignPlan {
  return {
    policy: chance.is(0.5) ? 'continue' : 'halt-on-failure',
    cap: chance.is(0.3) ? 1 : chance.wait(1, 20),
    slots: chance.is(0.5) ? 100 : chance.int(1, 8),
    interactive: chance.is(0.75),
    approved: chance.is(0.3),
    byHand: chance.is(0.3),
    fails: chance.is(0.3) ? 0 : chance.int(0, 20) / 100,
    escalates: chance.is(0.5) ? 0 : chance.int(0, 10) / 100,
    livesMs: chance.pick([10_000, 100_000, 1_000_000]),
    specs: drawSpecs(chance, chance.wait(1, MOST_NODES), [], 'n'),
  };
}

/**
 * What a parent adds in a visit when it comes back; a session that is started again adds the same.
 */
export const moreSpecs = (
  chance: Chance,
  visit: number,
  known: readonly string[],
): SubRunInput[] => {
  const prefix = `v${visit}-`;
  const others = known.filter((name) => !name.startsWith(prefix));
  return drawSpecs(chance, chance.int(1, MOST_ADDED), others, prefix);
};
