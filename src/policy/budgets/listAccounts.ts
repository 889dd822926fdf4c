import { addBounded } from '../../base/spending/addBounded.ts';
import {
  type Amounts,
  BUDGET_METRICS,
  type BudgetMetric,
  type BudgetScope,
  NOTHING,
} from '../../base/spending/budgetScopes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';
import { type Account, openHold } from './admitSession.ts';
import type { Cap } from './resolveCaps.ts';
import { type JobFacts, resolveScopeKey, toPhaseKey } from './readJobFacts.ts';
import { resolveBudgetWindow } from './resolveBudgetWindow.ts';

export type HoldRow = Tables['budget_holds'];
type CapRow = Tables['budget_caps'];
type Rows = Pick<TypedRows<Tables>, 'all' | 'one' | 'count'>;

export interface AccountDeps {
  rows: Rows;
  /** Price per token of a call without a known price, millionths of a dollar. */
  getUnpricedRate(): { input: number; output: number };
}

const MOST = Number.MAX_SAFE_INTEGER;
/**
 * An unreadable sum may be any: a cap on it counts as reached until the sum is repaired. Without a
 * cap nothing stops.
 */
const ALL_SPENT = {
  micro_usd: MOST,
  tokens: MOST,
  calls: MOST,
  unpriced_calls: 0,
  sessions: MOST,
  ms: MOST,
};
const ALL_SPENT_UNPRICED = { input_tokens: MOST, output_tokens: MOST };

/** What the ledger has for a scope; visits are not in it. */
export function sumSpentAmounts(
  { rows, getUnpricedRate: unpriced }: AccountDeps,
  key: { scope: BudgetScope; key: string; window: string },
): Amounts {
  const [sums] = rows.all('usage_sums', key, { instead: ALL_SPENT });
  if (!sums) return NOTHING;
  const [unknown] =
    sums.unpriced_calls > 0 ? rows.all('unpriced_sums', key, { instead: ALL_SPENT_UNPRICED }) : [];
  const price = unpriced();
  const assumedMicroUsd = unknown
    ? Math.round(unknown.input_tokens * price.input + unknown.output_tokens * price.output)
    : 0;
  return {
    usd: addBounded(sums.micro_usd, assumedMicroUsd),
    tokens: sums.tokens,
    sessions: sums.sessions,
    visits: 0,
    minutes: sums.ms,
  };
}

export function computeOpenHold(deps: AccountDeps, hold: HoldRow): Amounts {
  const now = sumSpentAmounts(deps, { scope: 'job', key: hold.job_id, window: '' });
  return openHold(
    {
      ...NOTHING,
      usd: hold.usd,
      tokens: hold.tokens,
      sessions: hold.sessions,
      minutes: hold.minutes,
    },
    {
      ...NOTHING,
      usd: now.usd - hold.base_usd,
      tokens: now.tokens - hold.base_tokens,
      sessions: now.sessions - hold.base_sessions,
      minutes: now.minutes - hold.base_minutes,
    },
  );
}

const isHoldInScope = (scope: BudgetScope, key: string, hold: HoldRow): boolean => {
  if (scope === 'campaign') return hold.root === key;
  if (scope === 'repository') return hold.repository === key;
  return scope === 'day' || scope === 'week' || scope === 'runner';
};

/** Visits of the job, or of its phase with this name; one that has not begun does not count. */
function countScopeVisits(
  { rows }: AccountDeps,
  scope: BudgetScope,
  { id, phase }: JobFacts,
): number {
  if (scope === 'job') return rows.count('phase_visits', { job_id: id });
  return phase === null ? 0 : rows.count('phase_visits', { job_id: id, phase: phase.name });
}

function resolveAccountCap(
  givenCap: Cap | undefined,
  rows: readonly CapRow[],
  metric: BudgetMetric,
  window: string,
): Pick<Account, 'cap' | 'by'> | null {
  const own = rows.filter((row) => row.metric === metric);
  const set = own.find((row) => row.window === '' && row.cap !== null);
  const cap = set?.cap ?? givenCap?.count;
  if (cap === undefined) return null;
  const raisedBy = own
    .filter((row) => row.window === '' || row.window === window)
    .reduce((sum, row) => addBounded(sum, row.raised), 0);
  return {
    cap: addBounded(cap, raisedBy),
    by: set || raisedBy > 0 ? 'person' : (givenCap?.by ?? 'config'),
  };
}

export interface BudgetStanding {
  caps: readonly Cap[];
  personal: readonly CapRow[];
  holds: readonly HoldRow[];
  at: number;
  metered: boolean;
}

export function listAccounts(
  deps: AccountDeps,
  facts: JobFacts,
  { caps, personal, holds, at, metered }: BudgetStanding,
): Account[] {
  const scopes = new Set([...caps, ...personal].map(({ scope }) => scope));
  const open = new Map<HoldRow, Amounts>();
  return [...scopes].flatMap((scope): Account[] => {
    const key = resolveScopeKey(scope, facts);
    if (key === null) return [];
    const window = resolveBudgetWindow(scope, at);
    const keyFor = (metric: BudgetMetric) =>
      scope === 'phase' && metric === 'visits' ? toPhaseKey(facts) : key;
    const own = personal.filter((row) => row.scope === scope && row.key === keyFor(row.metric));
    const givenCaps = caps.filter((cap) => cap.scope === scope);
    if (own.length + givenCaps.length === 0) return [];
    const spentAmounts = sumSpentAmounts(deps, { scope, key, window });
    const others = holds.filter((hold) => isHoldInScope(scope, key, hold));
    return BUDGET_METRICS.flatMap((metric): Account[] => {
      const cap = resolveAccountCap(
        givenCaps.find((one) => one.metric === metric),
        own,
        metric,
        window,
      );
      if (!cap || (metric === 'usd' && !metered)) return [];
      let heldAmount = 0;
      for (const hold of others) {
        const still = open.get(hold) ?? computeOpenHold(deps, hold);
        open.set(hold, still);
        heldAmount = addBounded(heldAmount, still[metric]);
      }
      return [
        {
          scope,
          key: keyFor(metric),
          window,
          metric,
          ...cap,
          spent: metric === 'visits' ? countScopeVisits(deps, scope, facts) : spentAmounts[metric],
          held: heldAmount,
        },
      ];
    });
  });
}
