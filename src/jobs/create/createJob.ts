import {
  toDispatcherId,
  findParkPhase,
  hasOpenCheckpoint,
  type JobContext,
  type JobInput,
  type SubRunsContext,
} from '../../../machines/index.ts';
import { SESSIONS_PER_VISIT } from '../../base/limits/jobLimits.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { CreatedJob, CreateJobBody } from '../../contract/schema/api/bodies.ts';
import type { LogFrame } from '../../contract/schema/job/frames.ts';
import type { RequestKey } from '../../contract/job/requestKey.ts';
import { translateKernelErrors } from '../commands/refusals.ts';
import { buildCampaignSubmission } from '../subRuns/checkCampaignRequest.ts';
import { refuseByRule } from '../../policy/guardrails/startGuard.ts';
import { checkJobRequest, refuseOverBudget } from './checkJobRequest.ts';
import type { CreateJobDeps } from './createJobDeps.ts';
import { refuseUnconfined } from '../terms/describeSandboxTerms.ts';
import { checkUnattendedTerms } from '../terms/checkUnattendedTerms.ts';
import { estimateCheckedJob } from './estimateCheckedJob.ts';
import { loadJobFindings } from './loadJobFindings.ts';
import type { FailurePolicy, WorkflowTable } from '../../contract/schema/workflow/workflow.ts';

/** The properties of a new job that can require an absent person. */
interface StartedJob {
  interactive: boolean;
  workflowPath: string;
  workflow: WorkflowTable;
  params: Record<string, unknown>;
  phase: string;
  /** For its sub-runs, where the request overrides the workflow. */
  failurePolicy?: FailurePolicy | undefined;
}

const formatApproveOptions = (names: readonly string[]): string =>
  names.map((name) => `--approve ${name}`).join(' ');

/** Checkpoints at which the job will stop although no one watches it. */
function listCheckpointWarnings({ workflow, params, phase: begin }: StartedJob): string[] {
  const ahead = workflow.phases.slice(
    Math.max(
      0,
      workflow.phases.findIndex(({ name }) => name === begin),
    ),
  );
  const checkpointNames = ahead
    .filter((one) => hasOpenCheckpoint(one, params))
    .map(({ name }) => name);
  return checkpointNames.length === 0
    ? []
    : [
        `The job is not interactive, but it will wait for an approval at the end of ${checkpointNames.join(', ')}. To approve in advance: ${formatApproveOptions(checkpointNames)} or --approve all (params.autoApprove).`,
      ];
}

/** What the person who starts a job should know first, one sentence each. */
export function listStartWarnings(startedJob: StartedJob): string[] {
  const { interactive, workflowPath, workflow, failurePolicy } = startedJob;
  const { coordinator } = workflow;
  if (interactive) return [];
  const checkpointWarnings = listCheckpointWarnings(startedJob);
  if (coordinator?.enabled !== true) return checkpointWarnings;
  const policy = failurePolicy ?? coordinator.failurePolicy;
  return policy === 'halt-on-failure'
    ? [
        ...checkpointWarnings,
        `The job runs without people, but ${failurePolicy === undefined ? workflowPath : 'the campaign'} has failurePolicy: halt-on-failure: when a sub-run fails, the others wait until a person decides. Use failurePolicy: continue to proceed without the failed one.`,
      ]
    : checkpointWarnings;
}

/** Why a job is created when no person asked for it. */
export interface JobOrigin {
  /** Becomes params.trigger. */
  trigger: Record<string, unknown>;
  /** First line of the job's log. */
  line: string;
  rows(jobId: string): RowChange[];
}

export type CreateJob = ReturnType<typeof createJobCreator>;

/** POST /jobs: reports every mistake before the job exists, then starts the job in one commit. */
export const createJobCreator = (deps: CreateJobDeps) => {
  const { settings, kernel, requests, now, ids } = deps;

  /**
   * Also answers for a job that an earlier request with the same key created, without its estimate.
   */
  const created = (jobId: string): CreatedJob => {
    const reply = { jobId, status: 'queued', streamUrl: `/jobs/${jobId}/stream` };
    const job = kernel.state(jobId)?.context as JobContext | undefined;
    const dispatcher = kernel.state(toDispatcherId(jobId))?.context as SubRunsContext | undefined;
    const diskReason = deps.disk.reason;
    const warnings = [
      ...(diskReason === null ? [] : [`The job waits: ${diskReason}.`]),
      ...(job ? listStartWarnings({ ...job, failurePolicy: dispatcher?.policy }) : []),
    ];
    return warnings.length === 0 ? reply : { ...reply, warnings };
  };

  return async (
    requestBody: CreateJobBody,
    request?: RequestKey,
    origin?: JobOrigin,
    person?: string,
  ): Promise<CreatedJob> =>
    requests.runOnce(request, created, async (scope) => {
      deps.refuseNew?.();
      const job = await checkJobRequest(deps, requestBody);
      const { body, workflowPath, workflow, interactive, coordinator } = job;
      const { type } = body;
      const findings = await loadJobFindings(deps, job.params);
      const params = { ...job.params };
      if (origin) params.trigger = origin.trigger;
      if (findings) params.findingsSha = findings.sha256;
      await refuseByRule(deps, job, origin ? 'trigger' : 'person');
      refuseOverBudget(deps, job);
      await refuseUnconfined(deps, job);
      const terms = await checkUnattendedTerms(deps, job);
      const estimate = await estimateCheckedJob(deps, job);
      for (;;) {
        const { id, createdAt } = ids.next(params, now());
        const input: JobInput = {
          id,
          type,
          tenantId: settings.tenant.id,
          workflowPath,
          workflow,
          params,
          interactive,
          createdAt,
          limits: {
            gateBlocks: settings.runner.gateBlocks,
            sessionsPerVisit: SESSIONS_PER_VISIT,
            progress: settings.noProgress.laps,
          },
        };
        const rows = [
          ...scope.claim(id),
          ...(origin?.rows(id) ?? []),
          ...(person === undefined ? [] : [toCreatorRow(id, person)]),
          ...(findings?.rows(id, createdAt, workflow.initial_phase) ?? []),
        ];
        const toLogLine = (tag: string, line: string) => ({
          actor: id,
          frame: toFirstLogFrame(workflow.initial_phase, createdAt, tag, line),
        });
        const failurePolicy = coordinator?.failurePolicy;
        const phase = (coordinator && findParkPhase(workflow)) ?? workflow.initial_phase;
        const frames = [
          ...(origin ? [toLogLine('trigger', origin.line)] : []),
          ...(findings ? [toLogLine('plan', findings.line)] : []),
          ...listStartWarnings({
            interactive,
            workflowPath,
            workflow,
            params,
            phase,
            failurePolicy,
          }).map((line) => toLogLine('warning', line)),
        ];
        const { started } = await translateKernelErrors(id, () =>
          kernel.submit(
            coordinator && body.subRuns
              ? {
                  ...buildCampaignSubmission(settings, input, coordinator, body.subRuns, rows),
                  frames,
                }
              : { starts: [{ chart: 'job', id, input }], rows, frames, allOrNothing: true },
          ),
        );
        if (started[0]?.created)
          return {
            ...created(id),
            estimate,
            ...(terms ? { unattended: terms } : {}),
          };
      }
    });
};

const toCreatorRow = (jobId: string, person: string): RowChange => ({
  op: 'put',
  table: 'job_creators',
  row: { job_id: jobId, person },
});

const toFirstLogFrame = (phase: string, at: number, tag: string, line: string) => {
  const data: LogFrame = {
    at: new Date(at).toISOString(),
    phase,
    visit: 0,
    from: 'runner',
    tag,
    line,
  };
  return { kind: 'log', data };
};
