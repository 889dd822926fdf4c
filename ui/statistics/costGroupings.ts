import type { CostPart } from '../../src/base/spending/costParts.ts';

/** What costs can be split by here, with the words of the choice and of a row that has no name. */
export const COST_GROUPINGS = {
  model: { says: 'Model', others: 'other models', none: 'unknown model' },
  repository: { says: 'Repository', others: 'other repositories', none: 'no repository' },
  workflow: { says: 'Workflow', others: 'other workflows', none: 'no workflow' },
  provider: { says: 'Provider', others: 'other providers', none: 'unknown provider' },
  phase: { says: 'Phase', others: 'other phases', none: 'no phase' },
  person: { says: 'Person', others: 'other people', none: 'no person known' },
  job: { says: 'Job', others: 'other models', none: 'no job' },
  day: { says: 'Day', others: 'other models', none: 'unknown' },
} as const satisfies Partial<Record<CostPart, { says: string; others: string; none: string }>>;
export type CostGrouping = keyof typeof COST_GROUPINGS;

const NAMES = Object.keys(COST_GROUPINGS) as CostGrouping[];

/** Who asked for a job is known in a team alone. */
export const listCostGroupings = (isTeam: boolean): CostGrouping[] =>
  NAMES.filter((name) => name !== 'person' || isTeam);

/** What the bars of days are split by. */
export const pickColourPart = (part: CostGrouping): Exclude<CostGrouping, 'day' | 'job'> =>
  part === 'day' || part === 'job' ? 'model' : part;
