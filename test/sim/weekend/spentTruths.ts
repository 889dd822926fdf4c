import {
  type BudgetMetric,
  type Caps,
  toCountedAmount,
} from '../../../src/base/spending/budgetScopes.ts';
import type { Tables } from '../../../src/contract/records/tables.ts';
import type { Weekend } from './weekend.ts';

type Row = Tables['usage_calls'];

/** A cap, and whose calls count: rows with the same key are one account; null = none of it. */
interface Counted {
  scope: string;
  metric: BudgetMetric;
  cap: number;
  keyOf(row: Row): string | null;
}

const KEYS: Readonly<Record<string, (row: Row) => string | null>> = {
  session: ({ subject, visit, session }) => `${subject}/${visit}.${session}`,
  phase: ({ subject, visit }) => `${subject}/${visit}`,
  job: ({ subject }) => subject,
  campaign: ({ root }) => root,
  repository: ({ repository }) => repository,
  day: ({ at }) => new Date(at).toISOString().slice(0, 10),
  // Saturday the 3rd of January 2026 and Sunday are of the first week, Monday of the next.
  week: ({ at }) => (at < Date.UTC(2026, 0, 5) ? '2025-12-29' : '2026-01-05'),
  runner: () => '',
};

/** Which account of a scope a call counts for; null = none. */
export const keyOfCall = (scope: string, row: Row): string | null => KEYS[scope]?.(row) ?? null;

const readAmount = (metric: BudgetMetric, row: Row): number => {
  if (metric === 'usd') return row.metered === 1 ? (row.micro_usd ?? 0) : 0;
  return metric === 'tokens' ? row.input_tokens + row.output_tokens : row.ms;
};

const toSessionKey = ({ subject, visit, session }: Row): string => `${subject}/${visit}.${session}`;

/** What calls come to, in what is counted of the metric. */
export const spentIn = (metric: BudgetMetric, rows: readonly Row[]): number =>
  metric === 'sessions'
    ? new Set(rows.map(toSessionKey)).size
    : rows.reduce((sum, row) => sum + readAmount(metric, row), 0);

/** The caps of the weekend: those of all jobs, and those in the params of some. */
function listCaps({ plan, jobs }: Weekend): Counted[] {
  const of = (caps: Caps, isOf: (row: Row) => boolean): Counted[] =>
    Object.entries(caps).flatMap(([scope, set]) =>
      Object.entries(set).map(([name, cap]) => ({
        scope,
        metric: name as BudgetMetric,
        cap: toCountedAmount(name as BudgetMetric, cap),
        keyOf: (row: Row) => (isOf(row) ? keyOfCall(scope, row) : null),
      })),
    );
  const own = plan.jobs.flatMap(({ name, budget = {} }) => {
    const id = jobs.get(name);
    const { campaign, ...mine } = budget;
    return [
      ...of(mine, ({ subject }) => subject === id),
      ...of(campaign ? { campaign } : {}, ({ root }) => root === id),
    ];
  });
  return [...of(plan.caps, () => true), ...own];
}

/** What the person had raised an account by at a time. */
const raisedBy = (
  { record: { raises } }: Weekend,
  { scope, metric }: Counted,
  key: string,
  at: number,
): number =>
  raises
    .filter((one) => one.scope === scope && one.metric === metric && one.at <= at)
    .filter((one) => one.key === '' || one.key === key)
    // The key of an account of a day or week is its window.
    .filter(({ window }) => window === undefined || window === key)
    .reduce((sum, { by }) => sum + by, 0);

/** Of one account: sessions that have made more than one call after its cap was reached. */
function overspent(weekend: Weekend, cap: Counted, key: string, rows: readonly Row[]): string[] {
  let spent = 0;
  const after = new Map<string, number>();
  for (const row of rows) {
    const limit = cap.cap + raisedBy(weekend, cap, key, row.at);
    // A raise lets all of them continue.
    if (spent < limit) after.clear();
    else after.set(toSessionKey(row), (after.get(toSessionKey(row)) ?? 0) + 1);
    spent += readAmount(cap.metric, row);
  }
  return [...after]
    .filter(([, calls]) => calls > 1)
    .map(([session, calls]) => `${cap.scope}.${cap.metric} ${key}: ${calls} calls of ${session}`);
}

/** What is spent of each cap is at most the cap and one call of each session that ran. */
export function spentBeyond(weekend: Weekend): string[] {
  const rows = weekend.world.store.rows.all('usage_calls').sort((a, b) => a.at - b.at);
  return listCaps(weekend).flatMap((cap) => {
    if (cap.metric === 'visits') return [];
    const accounts = new Map<string, Row[]>();
    for (const row of rows) {
      const key = cap.keyOf(row);
      if (key !== null) accounts.set(key, [...(accounts.get(key) ?? []), row]);
    }
    return [...accounts].flatMap(([key, own]) => {
      if (cap.metric !== 'sessions') return overspent(weekend, cap, key, own);
      const sessions = spentIn('sessions', own);
      const limit = cap.cap + raisedBy(weekend, cap, key, Number.POSITIVE_INFINITY);
      return sessions <= limit ? [] : [`${cap.scope} ${key}: ${sessions} sessions of ${limit}`];
    });
  });
}

/** Visits with a session, of a job and of a phase in it, are as many as the caps let begin. */
export function visitsBeyond(weekend: Weekend): string[] {
  const { plan, world, jobs, record } = weekend;
  return plan.jobs.flatMap(({ name, budget = {} }) => {
    const id = jobs.get(name) ?? '';
    const workedVisits = new Set(
      record.starts.filter(({ jobId }) => jobId === id).map(({ visit }) => visit),
    );
    const visits = world.store.rows
      .all('phase_visits', { job_id: id })
      .filter(({ visit }) => workedVisits.has(visit));
    const computeVisitCap = (scope: 'job' | 'phase', key: string) =>
      record.raises
        .filter((one) => one.scope === scope && one.metric === 'visits' && one.key === key)
        .reduce((sum, { by }) => sum + by, budget[scope]?.visits ?? Number.POSITIVE_INFINITY);
    const phases = [...new Set(visits.map(({ phase }) => phase))];
    const counts = [
      { what: 'all', count: visits.length, most: computeVisitCap('job', id) },
      ...phases.map((phase) => ({
        what: phase,
        count: visits.filter((visit) => visit.phase === phase).length,
        most: computeVisitCap('phase', `${id}/${phase}`),
      })),
    ];
    return counts
      .filter(({ count, most }) => count > most)
      .map(({ what, count, most }) => `${name}, ${what}: ${count} visits of ${most}`);
  });
}
