import { formatUtcMinute } from '../../src/base/time/toIsoTime.ts';
import type { Pool } from '../../src/contract/schema/policy/pool.ts';
import { type Finding, toOkFinding, toWarningFinding } from './check.ts';

function formatClosedAccount({ origin, account, state, limit, waiting }: Pool): string {
  const jobs = waiting === 1 ? '1 job waits' : `${waiting} jobs wait`;
  const name = `${origin} (${account})`;
  if (limit === null) return `${name} is ${state}; ${jobs}`;
  if (limit.kind === 'billing') return `${name} is unpaid; ${jobs} for a person`;
  if (limit.kind === 'failing')
    return `sessions of ${name} end at once with an error (${limit.error ?? 'none was given'}); ${jobs}`;
  const window = limit.window === null ? '' : ` of ${limit.window}`;
  const until = limit.until === null ? '' : ` until ${formatUtcMinute(limit.until)}`;
  return `${name} is at its limit${window}${until}; ${jobs}`;
}

/** Whether sessions of every account may start. An unpaid account comes first: waiting does not help it. */
export function diagnoseAccounts(accounts: readonly Pool[]): Finding {
  const closedAccounts = accounts.filter(({ state }) => state !== 'open');
  if (closedAccounts.length === 0)
    return toOkFinding(
      accounts.length === 0
        ? 'no model account has been used yet'
        : `${accounts.length === 1 ? 'the account takes' : `all ${accounts.length} accounts take`} sessions`,
    );
  const unpaid = closedAccounts.filter(({ limit }) => limit?.kind === 'billing');
  const failing = closedAccounts.filter(({ limit }) => limit?.kind === 'failing');
  const [first] = [...unpaid, ...failing, ...closedAccounts];
  const how =
    unpaid.length > 0
      ? 'Pay the bill of the account, then run:'
      : failing.length > 0
        ? 'Fix the error, for example a refused key, then run:'
        : 'Nothing: jobs continue by themselves. To try sooner, run:';
  return toWarningFinding(
    closedAccounts.map(formatClosedAccount).join('; '),
    `${how} svc accounts retry ${first?.id}`,
  );
}
