import {
  type Closed,
  HEADLESS_USE,
  isClosed,
  isUsedUp,
  type JobContext,
  MOST_USE,
  poolOfState,
  type QuotaContext,
  usedAt,
} from '../../../machines/index.ts';
import type { ActorState } from '../../durable/chart.ts';
import type { Executor } from '../../contract/executor.ts';
import type { Admission, Verdict } from '../../contract/admission.ts';
import { fallbackOf } from './fallbackOf.ts';
import { type PoolDeps, phaseToCome, poolOfPhase } from './poolOfPhase.ts';

const GO: Verdict = { verdict: 'go' };
/** Until when a job waits for a pool that tries or wakes others: its turn comes soon, ms. */
const SOON_MS = 60_000;

export interface QuotaAdmissionDeps extends PoolDeps {
  executor(id: string): Pick<Executor, 'pool' | 'lacks'> | undefined;
  /** The committed state of an actor; undefined for an unknown id. */
  state(id: string): ActorState | undefined;
  /** Epoch ms. */
  now(): number;
}

/** Why a phase may not begin though its pool is open: too little of a window is left. */
export function tooFull(
  { use }: QuotaContext,
  { visit, interactive }: Pick<JobContext, 'visit' | 'interactive'>,
  now: number,
): boolean {
  const used = usedAt(use, now);
  return used >= MOST_USE || (used >= HEADLESS_USE && visit === 0 && !interactive);
}

type Wait = Extract<Verdict, { verdict: 'park' }>;

/** What parks a job at its pool; null = the pool takes it. */
function waitAt(pool: ActorState, job: JobContext, now: number): Wait | null {
  const { closed, use } = poolOfState(pool);
  const parked = ({
    since: _since,
    ...limit
  }: Omit<Closed, 'since'> & { since?: number }): Wait => ({
    verdict: 'park',
    event: { type: 'quota.closed', pool: pool.id, ...limit },
  });
  const soon = now + SOON_MS;
  if (isClosed(pool)) return parked(closed ?? { kind: 'throttled', window: null, until: soon });
  if (!tooFull(poolOfState(pool), job, now)) return null;
  const { window = null, resetsAt = null } = use ?? {};
  return parked({ kind: 'exhausted', window, until: resetsAt ?? soon });
}

/** Whether a pool still takes a job that it has woken: only the probe, as long as a limit may hold. */
const letsIn = (pool: ActorState, admitted: JobContext['admitted']): boolean =>
  !isUsedUp(pool) && (admitted === 'probe' || (admitted === 'pool' && pool.value !== 'probing'));

/**
 * Asks the pool of a job whose turn it is. A pool that is closed parks it: the pool wakes it, and a
 * job that a person has resumed begins whatever the pool says. One that the pool has woken waits
 * again where a limit was met before its turn came. While a pool
 * is exhausted, a visit that is yet to begin takes the fallback of its alias, where one is set.
 */
export const quotaAdmission = (deps: QuotaAdmissionDeps): Admission => ({
  round(changes) {
    const changed = new Map(changes.map(({ id, state }) => [id, state]));
    const stateOf = (id: string) => changed.get(id) ?? deps.state(id);
    return (job) => {
      const context = job.context as JobContext;
      const { admitted } = context;
      if (admitted === true) return GO;
      const phase = phaseToCome(context);
      const id = phase ? poolOfPhase(deps, phase) : null;
      const pool = id === null ? undefined : stateOf(id);
      if (phase === undefined || id === null || pool === undefined) return GO;
      if (letsIn(pool, admitted)) return GO;
      const now = deps.now();
      const wait = waitAt(pool, context, now);
      if (wait === null) return GO;
      if (wait.event.kind !== 'exhausted') return wait;
      const fallback = fallbackOf(deps, context, phase, id, (other) => {
        const state = stateOf(other);
        return state === undefined || waitAt(state, context, now) === null;
      });
      return fallback === null ? wait : { verdict: 'go', grant: { fallback } };
    };
  },
});
