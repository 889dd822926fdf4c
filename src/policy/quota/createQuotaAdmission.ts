import {
  type AccountClosure,
  HEADLESS_USE,
  isAccountClosed,
  isAccountUsedUp,
  type JobContext,
  MOST_USE,
  readQuotaContext,
  type QuotaContext,
  computeUsedShare,
} from '../../../machines/index.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { Executor } from '../../contract/session/executor.ts';
import type { Admission, AdmissionAnswer } from '../admission.ts';
import { pickQuotaFallback } from './pickQuotaFallback.ts';
import { type AccountLookupDeps, findUpcomingPhase, findPhaseAccount } from './findPhaseAccount.ts';

const GO: AdmissionAnswer = { verdict: 'go' };
/** Until when a job waits for a pool that tries or wakes others: its turn comes soon, ms. */
const SOON_MS = 60_000;

export interface QuotaAdmissionDeps extends AccountLookupDeps {
  executor(id: string): Pick<Executor, 'pool' | 'lacks'> | undefined;
  /** The committed state of an actor; undefined for an unknown id. */
  state(id: string): ActorState | undefined;
  /** Epoch ms. */
  now(): number;
}

/** Why a phase may not begin though its pool is open: too little of a window is left. */
export function isWindowTooFull(
  { use }: QuotaContext,
  { visit, interactive }: Pick<JobContext, 'visit' | 'interactive'>,
  now: number,
): boolean {
  const used = computeUsedShare(use, now);
  return used >= MOST_USE || (used >= HEADLESS_USE && visit === 0 && !interactive);
}

type ParkAnswer = Extract<AdmissionAnswer, { verdict: 'park' }>;

/** What parks a job at its pool; null = the pool takes it. */
function toQuotaWait(pool: ActorState, job: JobContext, now: number): ParkAnswer | null {
  const { closed, use } = readQuotaContext(pool);
  const parked = ({
    since: _since,
    ...limit
  }: Omit<AccountClosure, 'since'> & { since?: number }): ParkAnswer => ({
    verdict: 'park',
    event: { type: 'quota.closed', pool: pool.id, ...limit },
  });
  const soon = now + SOON_MS;
  if (isAccountClosed(pool))
    return parked(closed ?? { kind: 'throttled', window: null, until: soon });
  if (!isWindowTooFull(readQuotaContext(pool), job, now)) return null;
  const { window = null, resetsAt = null } = use ?? {};
  return parked({ kind: 'exhausted', window, until: resetsAt ?? soon });
}

/** Whether a pool still takes a job that it has woken: only the probe, as long as a limit may hold. */
const admitsWokenJob = (pool: ActorState, admitted: JobContext['admitted']): boolean =>
  !isAccountUsedUp(pool) &&
  (admitted === 'probe' || (admitted === 'pool' && pool.value !== 'probing'));

/**
 * Asks the pool of a job whose turn it is. A pool that is closed parks it: the pool wakes it, and a
 * job that a person has resumed begins whatever the pool says. One that the pool has woken waits
 * again where a limit was met before its turn came. While a pool
 * is exhausted, a visit that is yet to begin takes the fallback of its alias, where one is set.
 */
export const createQuotaAdmission = (deps: QuotaAdmissionDeps): Admission => ({
  round(changes) {
    const changed = new Map(changes.map(({ id, state }) => [id, state]));
    const stateOf = (id: string) => changed.get(id) ?? deps.state(id);
    return (job) => {
      const context = job.context as JobContext;
      const { admitted } = context;
      if (admitted === true) return GO;
      const phase = findUpcomingPhase(context);
      const id = phase ? findPhaseAccount(deps, phase) : null;
      const pool = id === null ? undefined : stateOf(id);
      if (phase === undefined || id === null || pool === undefined) return GO;
      if (admitsWokenJob(pool, admitted)) return GO;
      const now = deps.now();
      const wait = toQuotaWait(pool, context, now);
      if (wait === null) return GO;
      if (wait.event.kind !== 'exhausted') return wait;
      const fallback = pickQuotaFallback(deps, context, phase, id, (other) => {
        const state = stateOf(other);
        return state === undefined || toQuotaWait(state, context, now) === null;
      });
      return fallback === null ? wait : { verdict: 'go', grant: { fallback } };
    };
  },
});
