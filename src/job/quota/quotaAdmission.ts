import {
  HEADLESS_USE,
  isClosed,
  type JobContext,
  MOST_USE,
  poolOfState,
  type QuotaContext,
  usedAt,
} from '../../../machines/index.ts';
import type { ActorState } from '../../durable/chart.ts';
import type { Admission, Verdict } from '../../contract/admission.ts';
import { type PoolDeps, poolOfJob } from './poolOfPhase.ts';

const GO: Verdict = { verdict: 'go' };
/** Until when a job waits for a pool that tries or wakes others: its turn comes soon, ms. */
const SOON_MS = 60_000;

export interface QuotaAdmissionDeps extends PoolDeps {
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

/**
 * Asks the pool of a job whose turn it is. A pool that is closed parks it: the pool wakes it, and a
 * job that it has woken, or that a person has resumed, begins whatever the pool says.
 */
export const quotaAdmission = (deps: QuotaAdmissionDeps): Admission => ({
  round(changes) {
    const changed = new Map(changes.map(({ id, state }) => [id, state]));
    return (job) => {
      const context = job.context as JobContext;
      if (context.admitted === true) return GO;
      const id = poolOfJob(deps, context);
      const pool = id === null ? undefined : (changed.get(id) ?? deps.state(id));
      if (id === null || pool === undefined) return GO;
      const now = deps.now();
      const { closed, use } = poolOfState(pool);
      if (isClosed(pool)) {
        const until = closed === null ? now + SOON_MS : closed.until;
        const { kind = 'throttled', window = null } = closed ?? {};
        return {
          verdict: 'park',
          event: { type: 'quota.closed', pool: id, kind, window, until },
        };
      }
      if (!tooFull(poolOfState(pool), context, now)) return GO;
      const { window = null, resetsAt = null } = use ?? {};
      return {
        verdict: 'park',
        event: {
          type: 'quota.closed',
          pool: id,
          kind: 'exhausted',
          window,
          until: resetsAt ?? now + SOON_MS,
        },
      };
    };
  },
});
