import type { AgentJob, ToolEventDraft, ToolReceipt } from '../../contract/job/agentJob.ts';
import type { SessionRef } from '../../contract/session/sessionRef.ts';
import type { Clock } from '../../base/time/clock.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Workplace } from '../../jobs/workspace/workplace.ts';
import type { OpenOverlay } from '../../workflows/overlay/openOverlay.ts';
import { readJobRepo } from '../../providers/forges.ts';
import { refuseUnenforced, type Enforcement } from '../../jobs/terms/enforcement.ts';
import { createAgentJob, type AgentJobDeps } from './agentJob.ts';
import { toForbiddenCallRows, type ForbiddenCall } from './forbiddenCalls.ts';
import { alignMonitors, mergeSwitchedTable, type JobContext } from '../../../machines/index.ts';
import { bindToInvariants } from '../../workflows/definition/invariants/bindToInvariants.ts';
import type { WorkflowTable } from '../../contract/schema/workflow/workflow.ts';

/** A tool call; only a switch of the workflow is examined. */
type AskedCall = { type: string } & Record<string, unknown>;

const SWITCHES: readonly string[] = ['tool.switch_workflow', 'tool.convert_to_workflow'];

/**
 * Why a job may not switch to the workflow in a call, by the invariants of both and its whole
 * history; null = it may, or the call is not a switch.
 */
export function findForbiddenSwitch(context: JobContext, call: AskedCall): ForbiddenCall | null {
  if (!SWITCHES.includes(call.type)) return null;
  const { workflow, workflowPath, toPhase } = call as AskedCall & {
    workflow: WorkflowTable;
    workflowPath: string;
    toPhase: string;
  };
  const table = mergeSwitchedTable(context, workflow);
  const rules = table.invariants ?? [];
  const monitors = alignMonitors(context.monitors, rules)?.job ?? [];
  const { rule, problem } = bindToInvariants(table, [], {
    phase: toPhase,
    opened: context.prs.length > 0,
    getMonitor: (rule) => monitors[rules.indexOf(rule)] ?? 0,
  });
  if (rule === null || problem === null) return null;
  const why = `Nothing was done: ${problem}. Stay in this workflow, switch to another phase or workflow, or call escalate. (${workflowPath})`;
  return { rule, tool: call.type.slice('tool.'.length), why };
}

interface SessionPortDeps extends AgentJobDeps {
  workplace: Workplace;
  enforcement: Pick<Enforcement, 'phases'>;
  clock: Pick<Clock, 'now'>;
  appendLog(jobId: string, data: Record<string, unknown>): Promise<unknown>;
}

/** `overlay` is the one that the visit was prepared with. */
export interface SessionPortScope extends SessionRef {
  jobDir: string;
  overlay: OpenOverlay;
  signal: AbortSignal;
}

/** The job port of one session, with the overlay and the checkout of its visit. */
export const createSessionPort = (deps: SessionPortDeps, scope: SessionPortScope): AgentJob => {
  const { jobId, visit, phase, overlay } = scope;

  const forbidden = async (call: ForbiddenCall): Promise<void> => {
    const line = `refused: ${call.why}`;
    try {
      await deps.kernel.submit({
        rows: toForbiddenCallRows(deps.rows, scope, call, deps.clock.now()),
      });
      await deps.appendLog(jobId, { phase, visit, from: 'runner', tag: 'invariant', line });
    } catch (error) {
      // The agent's answer does not depend on it.
      deps.onError('what an invariant has refused was not kept', error);
    }
  };
  const job = createAgentJob(deps, {
    ...scope,
    async cloneRepo() {
      const repo = readJobRepo(deps.job(jobId).params);
      if (repo === null)
        throw new SvcError('not-found', 'This job has no repository: params.repoSlug is not set.');
      return deps.workplace.checkout(jobId, repo);
    },
    async workflow(path) {
      const { table, diagnostics } = overlay.workflow(path);
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      if (!table || errors.length > 0) {
        throw new SvcError(
          'workflow-invalid',
          `${path} is not valid: ${errors.map(({ message }) => message).join('; ')}`,
        );
      }
      const { workflowPath, params, interactive } = deps.job(jobId);
      if (params.unattended !== undefined && path !== workflowPath) {
        const job = { id: jobId, workflowPath: path, workflow: table, params, interactive };
        refuseUnenforced(deps.enforcement.phases(job), workflowPath);
      }
      return table;
    },
    memory: async (path) => overlay.memory(path),
    async log(line, tag) {
      await deps.appendLog(jobId, { phase, visit, from: 'tool', tag, line });
    },
    recordForbidden: forbidden,
  });
  const refuseSwitch = async (event: ToolEventDraft): Promise<ToolReceipt | null> => {
    const call = findForbiddenSwitch(deps.readState(jobId).context, event);
    if (call === null) return null;
    await forbidden(call);
    return { ok: false, message: call.why };
  };
  return {
    ...job,
    send: async (event, key) => (await refuseSwitch(event)) ?? job.send(event, key),
    coordinate: async (event, command, key) =>
      (await refuseSwitch(event)) ?? job.coordinate(event, command, key),
  };
};
