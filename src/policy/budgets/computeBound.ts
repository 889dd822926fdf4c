import type { BudgetMetric, BudgetScope } from '../../base/spending/budgetScopes.ts';
import type { PhaseCalls } from './budgetDeps.ts';
import type { Cap } from './resolveCaps.ts';

/** Visits of each phase that an estimate assumes for one work item. They are not a limit. */
export const ESTIMATED_VISITS = 8;

export const ESTIMATED_METRICS = ['usd', 'tokens', 'sessions', 'minutes'] as const;
export type EstimatedMetric = (typeof ESTIMATED_METRICS)[number];

/** In units of the ledger; null = unbounded or unknown. */
export type EstimatedAmounts = Record<EstimatedMetric, number | null>;

export interface BoundedJob {
  caps: readonly Cap[];
  phases: readonly {
    /** Whether caps on dollars count its calls; other calls cost nothing. */
    metered: boolean;
    /** Caps on dollars and tokens bound nothing if its executor reports no usage. */
    reportsUsage: PhaseCalls['reportsUsage'];
  }[];
  /** Most sessions of one visit. */
  sessionsPerVisit: number;
}

export interface AssumedCounts {
  visits: number;
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
 * of a session, or visits x the cap of a visit, whichever is less. Caps of the whole job on
 * dollars, tokens and minutes are left out: they stop the job. Dollars and tokens are unbounded if
 * a phase may not report them.
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
    countedPhases: readonly BoundedJob['phases'][number][],
  ): number | null => {
    const phaseCount = countedPhases.length;
    if (phaseCount === 0) return 0;
    const isBlind = countedPhases.some(({ reportsUsage }) => reportsUsage === 'never');
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

/** The sum of bounds; null for a metric that is unbounded in one of them. */
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
