import type { Costs, CostsQuery } from '../schema/policy/costs.ts';

/** What models have cost. */
export interface CostView {
  /** Throws SvcError `bad-argument` for a time that is none. */
  costs(query: CostsQuery): Costs;
}
