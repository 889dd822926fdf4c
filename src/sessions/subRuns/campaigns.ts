import {
  type BeforeSkip,
  toDispatcherId,
  type JobContext,
  type SubRunsContext,
  type SubRunsPorts,
} from '../../../machines/index.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { ActorRow } from '../../kernel/writer.ts';
import type { DispatchSubRunDeps } from './dispatchSubRun.ts';
import type { StopSubRunDeps } from './stopSubRun.ts';
import type { Workplace } from '../../jobs/workspace/workplace.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Forges } from '../../providers/forges.ts';
import type { Trackers } from '../../providers/trackers.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { Runner } from '../../contract/runner/runner.ts';
import type { JobIds } from '../../jobs/create/jobIds.ts';
import type { KnownRepositories } from '../../jobs/create/knownRepositories.ts';
import type { KernelUse } from '../../contract/records/changes.ts';
import type { LastOutputs } from '../../jobs/views/history/lastOutputs.ts';
import {
  countUnreportedSessions,
  listJobInsights,
  listPhaseUsage,
} from '../../jobs/views/jobRows.ts';
import type { Requests } from '../../jobs/commands/requests.ts';
import type { JobSummary } from '../../contract/schema/job/job.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import { buildCampaignView } from './buildCampaignView.ts';
import { resolveParallelSubRuns } from '../../jobs/subRuns/resolveParallelSubRuns.ts';
import { createSubRunCommands } from './subRunCommands.ts';
import { createSubRunPreparer, type SubRunJobDeps } from './createSubRunPreparer.ts';
import {
  readBeforeSkip,
  findSubRunSpec,
  listSubRunSpecs,
} from '../../jobs/views/listSubRunSpecs.ts';

export interface CampaignsDeps {
  kernel: KernelUse;
  rows: RowReader;
  readRow(jobId: string): ActorRow | undefined;
  requests: Requests;
  forges: Forges;
  repositories: Pick<KnownRepositories, 'errors'>;
  trackers: Trackers;
  clock: Clock;
  ids: JobIds;
  workplace: Workplace;
  /** Hash of the layers that a job was last prepared with; null = none. */
  readKeptLayers(jobId: string): string | null;
  /** Whether budgets of unattended sub-runs can be enforced. */
  enforcement: SubRunJobDeps['enforcement'];
  guardrails: SubRunJobDeps['guardrails'];
  now(): number;
  settings: Pick<Settings, 'coordination'>;
  /** Throws SvcError `not-found`. */
  readState(jobId: string): ActorState<JobContext>;
  summary(jobId: string): JobSummary;
  lastOutputs: Pick<LastOutputs, 'toLastOutputMember'>;
}

/** Everything that the runner does for parents and sub-runs. */
export interface Campaigns extends DispatchSubRunDeps, StopSubRunDeps {
  facade: Pick<Runner, 'campaign' | keyof ReturnType<typeof createSubRunCommands>>;
  /** Throws SvcError `not-found` for a job that has no sub-runs. */
  dispatcher(parentJobId: string): ActorState<SubRunsContext>;
}

export const createCampaigns = (deps: CampaignsDeps): Campaigns => {
  const { rows, forges, repositories, trackers, clock, ids, workplace, now, readState, requests } =
    deps;
  const insights = (jobId: string) => listJobInsights(rows, jobId);

  const dispatcher = (parentJobId: string): ActorState<SubRunsContext> => {
    readState(parentJobId);
    const state = deps.kernel.state(toDispatcherId(parentJobId));
    if (!state) throw new SvcError('not-found', `${parentJobId} has no sub-runs.`);
    return state as ActorState<SubRunsContext>;
  };
  const spec = (parentJobId: string, name: string) => findSubRunSpec(rows, parentJobId, name);
  /** What finalize_sub_runs would use now. */
  const resolvePlan = ({ workflow: { coordinator } }: JobContext) =>
    coordinator && {
      cap: resolveParallelSubRuns(deps.settings, coordinator),
      policy: coordinator.failurePolicy,
    };
  const commands = createSubRunCommands({
    kernel: deps.kernel,
    requests,
    dispatcher,
    parent: readState,
    spec,
    readBeforeSkip(parentJobId, name) {
      const markBeforeSkip = readBeforeSkip(rows, parentJobId, name);
      return markBeforeSkip === null ? null : (JSON.parse(markBeforeSkip) as BeforeSkip);
    },
  });

  return {
    dispatcher,
    subRunJob: createSubRunPreparer({
      repositories,
      trackers,
      clock,
      rows,
      forges,
      ids,
      guardrails: deps.guardrails,
      enforcement: deps.enforcement,
      now,
      insights,
      overlay: workplace.overlay,
      async readKeptOverlay(jobId) {
        const hash = deps.readKeptLayers(jobId);
        return hash === null ? null : workplace.readKeptOverlay(jobId, hash);
      },
      readContext: (jobId) => readState(jobId).context,
    }),
    subRunJobId({ parentJobId, name, attempt }: SubRunsPorts['subRun.stop']) {
      const subRunSpec = spec(parentJobId, name);
      return subRunSpec?.attempt === attempt ? subRunSpec.jobId : null;
    },
    facade: {
      campaign: (id) =>
        buildCampaignView(
          {
            specs: (parentJobId) => listSubRunSpecs(rows, parentJobId),
            row: deps.readRow,
            usage: (jobId) => listPhaseUsage(rows, jobId),
            countUnreported: (jobId) => countUnreportedSessions(rows, jobId),
            insights,
            now,
            readLastOutput: (jobId) => deps.lastOutputs.toLastOutputMember(deps.summary(jobId)),
            rules: (parentJobId) => resolvePlan(readState(parentJobId).context),
          },
          id,
          dispatcher(id),
        ),
      ...commands,
    },
  };
};
