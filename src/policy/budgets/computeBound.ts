import type { BudgetMetric, BudgetScope } from '../../shared/spending/budgetScopes.ts';
import type { PhaseCalls } from './budgetDeps.ts';
import type { Cap } from './resolveCaps.ts';

/** Visits of each phase that an estimate goes by, for one work item. Nothing stops a job there. */
export const ESTIMATED_VISITS = 8;

/** What is estimated; visits are what it goes by. */
export const ESTIMATED_METRICS = ['usd', 'tokens', 'sessions', 'minutes'] as const;
export type EstimatedMetric = (typeof ESTIMATED_METRICS)[number];

/** Counted as in the ledger; null = no bound, or not known. */
export type EstimatedAmounts = Record<EstimatedMetric, number | null>;

/** A job as far as its worst case goes by it. */
export interface BoundedJob {
  caps: readonly Cap[];
  /** Its phases with an agent. */
  phases: readonly {
    /** Caps on dollars count its calls; those of others cost nothing. */
    metered: boolean;
    /** Caps on dollars and tokens bound nothing where its executor reports none. */
    reportsUsage: PhaseCalls['reportsUsage'];
  }[];
  /** Most sessions of one visit. */
  sessionsPerVisit: number;
}

/** What the worst case goes by, by the caps of the job. */
export interface AssumedCounts {
  /** Of each phase. */
  visits: number;
  /** Of each visit. */
  sessions: number;
}

const findCapCount = (caps: readonly Cap[], scope: BudgetScope, metric: BudgetMetric): number =>
  caps.find((cap) => cap.scope === scope && cap.metric === metric)?.count ??
  Number.POSITIVE_INFINITY;

export const deriveAssumedCounts = ({ caps, sessionsPerVisit }: BoundedJob): AssumedCounts => ({
  visits: Math.min(ESTIMATED_VISITS, findCapCount(caps, 'phase', 'visits')),
  sessions: Math.min(sessionsPerVisit, findCapCount(caps, 'phase', 'sessions')),
});

/**
 * The most that a job can use by the caps of its sessions and visits: visits x sessions x the cap
 * of a session, or visits x the cap of a visit, whichever is less. Caps of the whole job on dollars,
 * tokens and minutes are not in it: they are what stops the job. No bound of dollars and tokens where
 * a phase is not known to report them.
 */
export function computeBound(job: BoundedJob): EstimatedAmounts {
  const { caps, phases } = job;
  const { visits: perPhase, sessions: perVisit } = deriveAssumedCounts(job);
  const most = (phaseCount: number) => {
    const visits = Math.min(phaseCount * perPhase, findCapCount(caps, 'job', 'visits'));
    return { visits, sessions: Math.min(visits * perVisit, findCapCount(caps, 'job', 'sessions')) };
  };
  const of = (
    metric: 'usd' | 'tokens' | 'minutes',
    counted: readonly BoundedJob['phases'][number][],
  ): number | null => {
    const phaseCount = counted.length;
    if (phaseCount === 0) return 0;
    const isBlind = counted.some(({ reportsUsage }) => reportsUsage === 'never');
    if (isBlind && metric !== 'minutes') return null;
    const { visits, sessions } = most(phaseCount);
    const bound = Math.min(
      sessions * findCapCount(caps, 'session', metric),
      visits * findCapCount(caps, 'phase', metric),
    );
    return Number.isFinite(bound) ? bound : null;
  };
  return {
    usd: of(
      'usd',
      phases.filter(({ metered }) => metered),
    ),
    tokens: of('tokens', phases),
    sessions: most(phases.length).sessions,
    minutes: of('minutes', phases),
  };
}

/** The sum of several bounds; null for a metric in which one of them has no bound. */
export const sumBounds = (bounds: readonly EstimatedAmounts[]): EstimatedAmounts => {
  const sum = (metric: EstimatedMetric): number | null =>
    bounds.reduce<number | null>((before, bound) => {
      const more = bound[metric];
      return before === null || more === null ? null : before + more;
    }, 0);
  return {
    usd: sum('usd'),
    tokens: sum('tokens'),
    sessions: sum('sessions'),
    minutes: sum('minutes'),
  };
};
