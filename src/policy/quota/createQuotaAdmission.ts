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

const GO: AdmissionAnswer = { kind: 'go' };
/** How long a job waits for an account that is trying or waking others, ms. */
const SOON_MS = 60_000;

export interface QuotaAdmissionDeps extends AccountLookupDeps {
  executor(id: string): Pick<Executor, 'pool' | 'lacks'> | undefined;
  state(id: string): ActorState | undefined;
  now(): number;
}

/** Why a phase may not begin though its account is open: too little of a window is left. */
export function isWindowTooFull(
  { use }: QuotaContext,
  { visit, interactive }: Pick<JobContext, 'visit' | 'interactive'>,
  now: number,
): boolean {
  const used = computeUsedShare(use, now);
  return used >= MOST_USE || (used >= HEADLESS_USE && visit === 0 && !interactive);
}

type ParkAnswer = Extract<AdmissionAnswer, { kind: 'park' }>;

/** The wait of a job for its account; null = the account takes it. */
function toQuotaWait(quota: ActorState, job: JobContext, now: number): ParkAnswer | null {
  const { closed, use } = readQuotaContext(quota);
  const parked = ({
    since: _since,
    ...limit
  }: Omit<AccountClosure, 'since'> & { since?: number }): ParkAnswer => ({
    kind: 'park',
    event: { type: 'quota.closed', pool: quota.id, ...limit },
  });
  const soon = now + SOON_MS;
  if (isAccountClosed(quota))
    return parked(closed ?? { kind: 'throttled', window: null, until: soon });
  if (!isWindowTooFull(readQuotaContext(quota), job, now)) return null;
  const { window = null, resetsAt = null } = use ?? {};
  return parked({ kind: 'exhausted', window, until: resetsAt ?? soon });
}

/**
 * Whether an account still takes a job that it has woken: only the probe, while a limit may hold.
 */
const admitsWokenJob = (quota: ActorState, admitted: JobContext['admitted']): boolean =>
  !isAccountUsedUp(quota) &&
  (admitted === 'probe' || (admitted === 'pool' && quota.value !== 'probing'));

/**
 * Asks the account of the next job. A closed account parks the job and wakes it later; a job that a
 * person has resumed begins in any case. A woken job waits again if a limit was met before its
 * turn. While an account is exhausted, a new visit takes the fallback of its alias, if one is set.
 */
export const createQuotaAdmission = (deps: QuotaAdmissionDeps): Admission => ({
  beginGroup(changes) {
    const changed = new Map(changes.map(({ id, state }) => [id, state]));
    const stateOf = (id: string) => changed.get(id) ?? deps.state(id);
    return (job) => {
      const context = job.context as JobContext;
      const { admitted } = context;
      if (admitted === true) return GO;
      const phase = findUpcomingPhase(context);
      const id = phase ? findPhaseAccount(deps, phase) : null;
      const quota = id === null ? undefined : stateOf(id);
      if (phase === undefined || id === null || quota === undefined) return GO;
      if (admitsWokenJob(quota, admitted)) return GO;
      const now = deps.now();
      const wait = toQuotaWait(quota, context, now);
      if (wait === null) return GO;
      if (wait.event.kind !== 'exhausted') return wait;
      const fallback = pickQuotaFallback(deps, context, phase, id, (other) => {
        const state = stateOf(other);
        return state === undefined || toQuotaWait(state, context, now) === null;
      });
      return fallback === null ? wait : { kind: 'go', grant: { fallback } };
    };
  },
});
