import {
  findCommandProblem,
  findCriticalPath,
  type SubRunsContext,
  subRunsChart,
} from '../../../machines/index.ts';
import { describeSubRunStatus } from '../../base/jobs/describeSubRunStatus.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { ActorRow } from '../../kernel/writer.ts';
import type { Campaign, SubRunView } from '../../contract/schema/job/campaign.ts';
import type { Insight } from '../../contract/schema/job/job.ts';
import type { PhaseUsage } from '../../contract/schema/session/sessionRecords.ts';
import type { SubRunSpec, SubRunsState } from '../../contract/schema/job/subRun.ts';
import type { Usage } from '../../contract/schema/session/usage.ts';
import type { FailurePolicy } from '../../contract/schema/workflow/workflow.ts';

export interface CampaignDeps {
  specs(parentJobId: string): SubRunSpec[];
  row(jobId: string): ActorRow | undefined;
  usage(jobId: string): readonly PhaseUsage[];
  /** How many sessions of a job ended without a token report. */
  countUnreported(jobId: string): number;
  insights(jobId: string): Insight[];
  now(): number;
  readLastOutput(jobId: string): Pick<SubRunView, 'lastOutput'>;
  /**
   * Rules that its sub-runs will follow, while they are being registered; null if its workflow does
   * not coordinate.
   */
  rules(parentJobId: string): { cap: number; policy: FailurePolicy } | null;
}

/** Category of insights about contract files that break their promise. */
const CONTRACT_DRIFT = 'contract-drift';
const DONE = new Set(['complete', 'skipped']);
const FAILED: ReadonlySet<SubRunSpec['status']> = new Set(['failed', 'escalated']);
const MAX_NAMES = 5;

const sumUsages = (usages: readonly Usage[]): Usage => ({
  inputTokens: usages.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
  outputTokens: usages.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  cachedInputTokens: usages.reduce((sum, { cachedInputTokens }) => sum + cachedInputTokens, 0),
  ...(usages.some(({ cacheWriteTokens }) => cacheWriteTokens !== undefined)
    ? {
        cacheWriteTokens: usages.reduce(
          (sum, { cacheWriteTokens = 0 }) => sum + cacheWriteTokens,
          0,
        ),
      }
    : {}),
});

const NOT_BEGUN: Partial<Record<SubRunsState, string>> = {
  collecting: 'for finalize_sub_runs',
  finalized: 'for the parent to reach its waiting phase',
  held: 'for the parent to wait again',
  reopened: 'for the parent to wait again',
  halted: 'for you to decide about a failure',
};

const formatSubRunNames = (names: readonly string[]): string =>
  names.length <= MAX_NAMES
    ? names.join(', ')
    : `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more`;

/** States in which the dispatcher can undo a skip. */
const UNSKIPS = new Set<unknown>(['dispatching', 'halted', 'held', 'reopened']);

const canUnskip = ({ value, context }: ActorState<SubRunsContext>, name: string): boolean =>
  UNSKIPS.has(value) && findCommandProblem(context, { type: 'subRuns.unskip', name }) === null;

/** null = it has ended. */
function explainSubRunWait(
  spec: SubRunSpec,
  state: SubRunsState,
  byName: ReadonlyMap<string, SubRunSpec>,
  job: ActorRow | undefined,
) {
  switch (spec.status) {
    case 'pending': {
      const open = spec.dependsOn.filter(
        (name) => !DONE.has(byName.get(name)?.status ?? 'pending'),
      );
      const statuses = open.map((name) => {
        const status = byName.get(name)?.status;
        return `${name} (${status === undefined ? 'not registered' : describeSubRunStatus(status, state)})`;
      });
      return open.length > 0
        ? `for ${formatSubRunNames(statuses)}`
        : (NOT_BEGUN[state] ?? 'for its turn');
    }
    case 'ready':
      if (spec.reason !== null)
        return 'for its job, which cannot be created now; svc tries again by itself';
      return NOT_BEGUN[state] ?? 'for a running one to end: maxParallelSubRuns is reached';
    case 'dispatched':
      return job === undefined
        ? 'for its job to be created'
        : `for its job, which is ${job.index.label}${job.index.activity === 'parked' ? ' and parked' : ''}`;
    default:
      return null;
  }
}

/**
 * Actual or expected duration of each: those that have not begun count as the mean of the ended
 * ones.
 */
function estimateSubRunDurations(specs: readonly SubRunSpec[], now: number): number[] {
  const took = specs.map(({ startedAt, completedAt }) =>
    startedAt === null
      ? null
      : (completedAt === null ? now : Date.parse(completedAt)) - Date.parse(startedAt),
  );
  const durations = took.filter((ms) => ms !== null);
  const mean =
    durations.length === 0 ? 1 : durations.reduce((sum, ms) => sum + ms, 0) / durations.length;
  return took.map((ms) => Math.max(1, ms ?? mean));
}

const describeDispatcherWait = (value: SubRunsState): string => {
  const { waits } = Object(subRunsChart.machine.states[value]?.meta) as { waits?: string };
  return waits ?? '';
};

/** The graph of a parent's sub-runs, with why each of them waits. */
export const buildCampaignView = (
  {
    specs,
    row,
    usage,
    countUnreported,
    insights,
    now,
    rules,
    readLastOutput: lastOutput,
  }: CampaignDeps,
  parentJobId: string,
  dispatcher: ActorState<SubRunsContext>,
): Campaign => {
  const state = dispatcher.value as SubRunsState;
  const all = specs(parentJobId);
  const byName = new Map(all.map((spec) => [spec.name, spec]));
  const subRuns = all.map((spec): SubRunView => {
    const job = spec.jobId === null ? undefined : row(spec.jobId);
    return {
      ...spec,
      waitsFor: explainSubRunWait(spec, state, byName, job),
      jobStatus: job?.index.label ?? null,
      canUnskip: canUnskip(dispatcher, spec.name),
      ...(spec.jobId !== null && FAILED.has(spec.status) ? lastOutput(spec.jobId) : {}),
      tokens: sumUsages(
        spec.jobId === null ? [] : usage(spec.jobId).map((session) => session.usage),
      ),
      unreported: spec.jobId === null ? 0 : countUnreported(spec.jobId),
    };
  });
  const drift = [
    { jobId: parentJobId, name: null },
    ...all.map(({ jobId, name }) => ({ jobId, name })),
  ].flatMap(({ jobId, name }) =>
    jobId === null
      ? []
      : insights(jobId)
          .filter(({ category }) => category === CONTRACT_DRIFT)
          .map((insight) => ({ ...insight, subRun: name })),
  );
  // The dispatcher gets them at finalize_sub_runs.
  const { cap, policy } =
    (state === 'collecting' ? rules(parentJobId) : null) ?? dispatcher.context;
  return {
    jobId: parentJobId,
    state,
    waitsFor: describeDispatcherWait(state),
    maxParallelSubRuns: cap,
    failurePolicy: policy,
    subRuns,
    criticalPath: findCriticalPath(
      { names: all.map(({ name }) => name), dependsOn: all.map(({ dependsOn }) => dependsOn) },
      estimateSubRunDurations(all, now()),
    ),
    contractDrift: drift.sort((a, b) => a.at.localeCompare(b.at)),
    tokens: sumUsages([
      ...subRuns.map(({ tokens }) => tokens),
      ...usage(parentJobId).map((session) => session.usage),
    ]),
    unreported: subRuns.reduce(
      (sum, { unreported }) => sum + unreported,
      countUnreported(parentJobId),
    ),
  };
};
