/** Orders of the list; `created` is the order of creation. */
export type JobOrder =
  | 'created'
  | 'since'
  | 'title'
  | 'status'
  | 'repo'
  | 'workflow'
  | 'phase'
  | 'cost';

export interface Order {
  by: JobOrder;
  desc: boolean;
}

/** The cost of a job, with its sub-runs unless it is one itself; NULL = nothing was used. */
export const COST = `(SELECT c.micro_usd FROM usage_sums c WHERE c.scope = iif(l.parent IS NULL, 'campaign', 'job') AND c.key = l.job_id AND c.window = '')`;

const ORDERS: Readonly<Record<JobOrder, string>> = {
  created: 'l.created_at',
  since: 'l.since',
  title: 'l.title',
  status: 'l.status',
  repo: 'l.repo',
  workflow: 'l.workflow',
  phase: 'l.phase',
  cost: COST,
};

/** An ORDER BY clause such as `l.created_at DESC`, matching one of the indexes. */
export const buildJobOrderClause = ({ by, desc }: Order): string => {
  const [direction, reverse] = desc ? ['DESC', 'ASC'] : ['ASC', 'DESC'];
  if (by === 'created') return `ORDER BY l.created_at ${direction}, l.rowid ${direction}`;
  // Two jobs rarely entered their states at the same instant.
  const equal = by === 'since' ? '' : `l.created_at ${reverse}, `;
  return `ORDER BY ${ORDERS[by]} ${direction}, ${equal}l.rowid ${reverse}`;
};
