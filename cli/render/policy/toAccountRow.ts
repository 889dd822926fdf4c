import type { Pool } from '../../../src/contract/schema/policy/pool.ts';

export const ACCOUNT_HEADER = ['POOL', 'STATE', 'LIMIT', 'CONTINUES', 'USED', 'JOBS'];

const MINUTE_MS = 60_000;

/** A wait in its two largest units: `2 h 13 min`. */
function formatWaitTime(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS));
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60)];
  if (days > 0) return `in ${days} d ${hours} h`;
  return hours > 0 ? `in ${hours} h ${minutes % 60} min` : `in ${minutes} min`;
}

const describeAccountReturn = ({ limit }: Pool, now: number): string => {
  if (limit === null) return '-';
  return limit.until === null ? 'needs a person' : formatWaitTime(Date.parse(limit.until) - now);
};

/** A line of the list. `now`: epoch ms. */
export const toAccountRow = (account: Pool, now: number): string[] => [
  account.id,
  account.state,
  account.limit === null
    ? '-'
    : `${account.limit.kind}${account.limit.window ? ` (${account.limit.window})` : ''}`,
  describeAccountReturn(account, now),
  account.used === null ? '-' : `${Math.round(account.used * 100)} %`,
  String(account.waiting),
];
