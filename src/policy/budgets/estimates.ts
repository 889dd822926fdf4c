import { hasOpenCheckpoint } from '../../../machines/index.ts';
import { BUDGET_METRICS, toWrittenAmount } from '../../base/spending/budgetScopes.ts';
import type { Estimate } from '../../contract/schema/policy/estimate.ts';
import type { PhaseDefinition } from '../../contract/schema/workflow/workflow.ts';
import { listAccounts } from './listAccounts.ts';
import type { Account } from './admitSession.ts';
import type { BudgetDeps, PhaseCalls } from './budgetDeps.ts';
import {
  deriveAssumedCounts,
  computeBound,
  ESTIMATED_METRICS,
  sumBounds,
  type BoundedJob,
  type EstimatedAmounts,
} from './computeBound.ts';
import { renderEstimate, type Estimation } from './renderEstimate.ts';
import { JobCaps } from './jobCaps.ts';
import { deriveNewJobFacts, type NewJob } from './deriveNewJobFacts.ts';
import { summarizePastRuns } from './summarizePastRuns.ts';
import type { Metering } from '../../contract/session/metering.ts';

/** How much a session can exceed its caps on dollars and tokens, as words after `by`. */
export function describeOvershoot({
  reportsUsage = 'never',
  stopsBetweenCalls = false,
}: Metering): string {
  if (reportsUsage === 'never')
    return 'any amount: its executor is not known to report tokens, so only sessions and minutes limit it';
  if (reportsUsage === 'each-turn')
    return 'the usage of the rest of the turn: its executor reports tokens at the end of each turn';
  return stopsBetweenCalls
    ? 'at most one call of its model'
    : 'the calls of its model that begin before it is interrupted';
}

interface EstimateDeps extends Pick<BudgetDeps, 'rows' | 'now' | 'settings' | 'readContext'> {
  callPrice(phase: PhaseDefinition): PhaseCalls;
}

export interface PlannedJob extends NewJob {
  subRuns: readonly NewJob[];
  sessionsPerVisit: number;
}

interface EstimatedJob extends BoundedJob {
  phases: readonly (PhaseCalls & { name: string })[];
}

export class Estimates {
  readonly #deps: EstimateDeps;
  readonly #caps: JobCaps;

  constructor(deps: EstimateDeps) {
    this.#deps = deps;
    this.#caps = new JobCaps(deps);
  }

  of(job: PlannedJob): Estimate {
    const { workflow, workflowPath, subRuns, sessionsPerVisit } = job;
    const own = this.#boundEstimate(job, sessionsPerVisit);
    const others = subRuns.map((one) => this.#boundEstimate(one, sessionsPerVisit));
    const isOpen = subRuns.length === 0 && workflow.coordinator?.enabled === true;
    const estimation: Estimation = {
      bound: sumBounds([own, ...others].map(computeBound)),
      assumed: deriveAssumedCounts(own),
      subRuns: isOpen ? null : subRuns.length,
      history: summarizePastRuns(this.#deps.rows, workflowPath, deriveNewJobFacts(job).repository),
      stops: this.#stops(job, [own, ...others]),
      overshoots: listOvershoots([own, ...others]),
    };
    const heldPhases = workflow.phases.filter((phase) => hasOpenCheckpoint(phase, job.params));
    return { ...toEstimateView(estimation), approvals: heldPhases.map(({ name }) => name) };
  }

  #boundEstimate(job: NewJob, sessionsPerVisit: number): EstimatedJob {
    const { caps } = this.#caps.of(deriveNewJobFacts(job));
    const phases = job.workflow.phases.filter(({ agent }) => agent !== null);
    const calls = phases.map((phase) => ({ name: phase.name, ...this.#deps.callPrice(phase) }));
    return { caps, phases: calls, sessionsPerVisit };
  }

  #stops(job: NewJob, boundedJobs: readonly BoundedJob[]): Account[] {
    const { rows, settings, now } = this.#deps;
    const facts = deriveNewJobFacts(job);
    const accounts = listAccounts(
      { rows, getUnpricedRate: () => settings.budgets.unpriced },
      facts,
      {
        ...this.#caps.of(facts),
        holds: rows.all('budget_holds'),
        at: now(),
        metered: boundedJobs.some(({ phases }) => phases.some(({ metered }) => metered)),
      },
    ).filter(({ scope }) => scope !== 'session' && scope !== 'phase');
    return BUDGET_METRICS.flatMap((metric) =>
      accounts
        .filter((account) => account.metric === metric)
        .sort((one, other) => computeAmountLeft(one) - computeAmountLeft(other))
        .slice(0, 1),
    );
  }
}

/** Phases under a cap on dollars or tokens, by how much their sessions can exceed it. */
function listOvershoots(jobs: readonly EstimatedJob[]): Estimation['overshoots'] {
  const providersByAccount = new Map<string, Set<string>>();
  for (const { caps, phases } of jobs)
    for (const phase of phases) {
      const isCapped = caps.some(
        ({ metric }) => metric === 'tokens' || (metric === 'usd' && phase.metered),
      );
      if (!isCapped) continue;
      const by = describeOvershoot(phase);
      providersByAccount.set(by, (providersByAccount.get(by) ?? new Set()).add(phase.name));
    }
  return [...providersByAccount].map(([by, phases]) => ({ by, phases: [...phases] }));
}

const computeAmountLeft = ({ cap, spent, held }: Account): number =>
  Math.max(0, cap - spent - held);

const toWrittenAmounts = (counts: EstimatedAmounts): EstimatedAmounts =>
  Object.fromEntries(
    ESTIMATED_METRICS.map((metric) => {
      const count = counts[metric];
      return [metric, count === null ? null : toWrittenAmount(metric, count)];
    }),
  ) as EstimatedAmounts;

const toEstimateView = (estimation: Estimation): Omit<Estimate, 'approvals'> => {
  const { bound, assumed, subRuns, history, stops } = estimation;
  return {
    bound: toWrittenAmounts(bound),
    assumes: { ...assumed, subRuns: subRuns ?? 0 },
    history: history && {
      ...history,
      p50: toWrittenAmounts(history.p50),
      p90: toWrittenAmounts(history.p90),
    },
    stops: stops.map((account) => {
      const { scope, key, window, metric, cap } = account;
      return {
        scope,
        key,
        window,
        metric,
        cap: toWrittenAmount(metric, cap),
        left: toWrittenAmount(metric, computeAmountLeft(account)),
      };
    }),
    text: renderEstimate(estimation),
  };
};
