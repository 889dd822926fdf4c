import type { Billing } from '../../contract/session/usageReport.ts';
import { PRICES } from './prices.generated.ts';
import type { OwnPrice } from '../../contract/schema/runner/settings.ts';
import { type Price, type PricedCall, computeCallPrice } from './computeCallPrice.ts';
import type { UsagePlace } from './usagePlace.ts';
import { type UsageDeps, UsageRecorder } from './usageRecorder.ts';

interface LedgerDeps extends Omit<UsageDeps, 'price'> {
  settings: { budgets: { prices: readonly OwnPrice[] } };
}

export interface Ledger {
  /** The present price of a call. */
  price(call: PricedCall): Price;
  /** The subject at the top of a job's campaign tree; the job itself outside of campaigns. */
  findRoot(jobId: string): string;
  /** Records one run of a session. */
  open(place: UsagePlace, billing: Billing): UsageRecorder;
}

/** An unreadable row of the list still names its parent, whose budgets apply. */
const AS_A_PART = {
  state: 'waiting',
  ask: null,
  since: 0,
  created_at: 0,
  dismissed_at: null,
} as const;

export function createLedger({ settings, ...deps }: LedgerDeps): Ledger {
  // At each call, since the configured prices may change while the runner works.
  const price = (call: PricedCall): Price =>
    computeCallPrice(call, { own: settings.budgets.prices, table: PRICES });
  return {
    price,
    findRoot(jobId) {
      for (let id = jobId; ; ) {
        const [job] = deps.rows.all('job_list', { job_id: id }, { limit: 1, instead: AS_A_PART });
        if (!job?.parent) return id;
        id = job.parent;
      }
    },
    open: (place, billing) => new UsageRecorder(place, billing, { ...deps, price }),
  };
}

/** Billing for executors that do not report it. */
export const UNKNOWN_BILLING: Billing = {
  endpoint: null,
  vendor: null,
  paidBy: 'unknown',
  model: null,
};
