import type { JobContext } from '../jobContext.ts';
import type { JobEvent, ToolEvent } from '../jobEvents.ts';
import { findAwaitProblems } from './findAwaitProblems.ts';
import { findApprovalBeyondVisit } from './checkpoints.ts';
import { findOrchestrationProblems } from './coordination.ts';
import { describeInvariantRefusal } from './describeInvariantRefusal.ts';
import {
  countContextBytes,
  countJsonBytes,
  MAX_CONTEXT_AFTER_CALL,
  MAX_OPEN_WRITES,
  MAX_QUOTED_PROMPT_CHARS,
  MAX_PRS,
} from './limits.ts';
import { MAX_WORKFLOW_BYTES } from '../../../src/base/limits/jobLimits.ts';
import { findCallRefusal } from './monitors.ts';
import { findPhase } from './phases.ts';
import { applyWorkItemUpdate, findWorkItemProblems } from './workItems.ts';
import {
  MAX_PARAMS_BYTES,
  PERSON_OWNED_PARAMS,
  RUNNER_OWNED_PARAMS,
  TICKET_PARAMS,
} from '../../../src/base/jobs/params.ts';

const FORBIDDEN_PARAMS = new Set<string>([
  ...RUNNER_OWNED_PARAMS,
  ...PERSON_OWNED_PARAMS,
  ...TICKET_PARAMS,
]);

/** What is wrong with an agent's change of params, in sentences; empty = nothing. */
export function findParamsProblems(
  params: Record<string, unknown>,
  change: Record<string, unknown>,
): string[] {
  const keys = Object.keys(change).filter(
    (key) => FORBIDDEN_PARAMS.has(key) || key.startsWith('repoCheckout'),
  );
  const problems = keys.length > 0 ? [`an agent cannot set these keys: ${keys.join(', ')}`] : [];
  const bytes = countJsonBytes({ ...params, ...change });
  if (bytes > MAX_PARAMS_BYTES)
    problems.push(
      `params would take ${bytes} bytes of at most ${MAX_PARAMS_BYTES}: put what is large into an artefact`,
    );
  return problems;
}

export const isFromCurrentSession = (
  context: Pick<JobContext, 'visit' | 'session'>,
  event: { visit: number; session: number },
): boolean => event.visit === context.visit && event.session === context.session;

const findPhaseProblems = ({ workflow }: Pick<JobContext, 'workflow'>, name: string): string[] =>
  findPhase(workflow, name)
    ? []
    : [
        `there is no phase ${name}; the workflow has ${workflow.phases.map((phase) => phase.name).join(', ')}`,
      ];

/** Ids that work items already had stay allowed: rows of earlier versions were not checked. */
function findForeignPrProblems(
  { prs, workItems }: Pick<JobContext, 'prs' | 'workItems'>,
  prIds: readonly string[],
): string[] {
  const knownPrIds = new Set([
    ...prs.map(({ prId }) => prId),
    ...workItems.flatMap((item) => item.prIds),
  ]);
  const foreign = prIds.filter((prId) => !knownPrIds.has(prId));
  const own = prs.map(({ prId }) => prId).join(', ') || 'none yet: create_pr opens one';
  return foreign.length === 0
    ? []
    : [`${foreign.join(', ')}: not a pull request of this job, which has ${own}`];
}

/** The agent's target phase must exist, with no unapproved checkpoint before it. */
function findTargetProblems(context: JobContext, target: string): string[] {
  const problems = findPhaseProblems(context, target);
  if (problems.length > 0) return problems;
  const missing = findApprovalBeyondVisit(context, target);
  return missing === null
    ? []
    : [
        `phase ${missing} comes first and has a checkpoint that is not approved in this job: go to ${missing}, not past it`,
      ];
}

function findItemUpdateProblems(
  context: JobContext,
  event: Extract<ToolEvent, { type: 'tool.update_work_item' }>,
): string[] {
  const { workItems } = context;
  if (!workItems.some(({ id }) => id === event.id)) {
    return [
      `there is no work item ${event.id}; the job has ${workItems.map(({ id }) => id).join(', ') || 'none'}`,
    ];
  }
  return [
    ...findWorkItemProblems(applyWorkItemUpdate(workItems, event)),
    ...findForeignPrProblems(context, event.prIds ?? []),
  ];
}

function findSwitchProblems({
  workflow,
  toPhase,
  workflowPath,
}: Extract<ToolEvent, { type: 'tool.switch_workflow' | 'tool.convert_to_workflow' }>): string[] {
  const bytes = countJsonBytes(workflow);
  const size =
    bytes > MAX_WORKFLOW_BYTES
      ? [`the table of ${workflowPath} takes ${bytes} bytes of at most ${MAX_WORKFLOW_BYTES}`]
      : [];
  return [...findPhaseProblems({ workflow }, toPhase), ...size];
}

function findOpenWriteProblems(
  { writes, prs }: JobContext,
  { key, operation }: Extract<ToolEvent, { type: 'tool.forge_write' }>,
): string[] {
  const problems: string[] = [];
  if (writes.includes(key)) problems.push('this write was already requested; its answer follows');
  if (writes.length >= MAX_OPEN_WRITES)
    problems.push(`${MAX_OPEN_WRITES} writes wait for their answer: wait for one of them`);
  if (operation === 'create_pr' && prs.length >= MAX_PRS)
    problems.push(`a job owns at most ${MAX_PRS} pull requests`);
  return problems;
}

function findCallProblems(context: JobContext, event: ToolEvent): string[] {
  switch (event.type) {
    case 'tool.set_work_items':
      return [
        ...findWorkItemProblems(event.items),
        ...event.items.flatMap(({ prIds }) => findForeignPrProblems(context, prIds)),
      ];
    case 'tool.update_work_item':
      return findItemUpdateProblems(context, event);
    case 'tool.set_job_params':
      return findParamsProblems(context.params, event.params);
    case 'tool.goto_phase':
      return findTargetProblems(context, event.phase);
    case 'tool.await_event':
      return [
        ...(event.resumePhase === null ? [] : findTargetProblems(context, event.resumePhase)),
        ...findAwaitProblems(context, event),
      ];
    case 'tool.switch_workflow':
      return findSwitchProblems(event);
    case 'tool.convert_to_workflow':
      return [...findOrchestrationProblems(context, event), ...findSwitchProblems(event)];
    case 'tool.register_sub_run':
    case 'tool.finalize_sub_runs':
    case 'tool.sub_run_command':
      return findOrchestrationProblems(context, event);
    case 'tool.forge_write':
      return findOpenWriteProblems(context, event);
    case 'tool.request_new_session': {
      const most = context.limits.sessionsPerVisit;
      if (context.newSessions >= most)
        return [
          `this visit of the phase has asked for ${most} new sessions: finish, goto_phase or escalate`,
        ];
      return (event.prompt ?? '').length > MAX_QUOTED_PROMPT_CHARS
        ? [`the prompt is longer than ${MAX_QUOTED_PROMPT_CHARS} characters`]
        : [];
    }
    default:
      return [];
  }
}

/** Calls whose data goes only into rows, so they use no room in the context. */
const ROWS_ONLY = new Set<JobEvent['type']>([
  'tool.post_artifact',
  'tool.add_insight',
  'tool.propose_change',
  'tool.forge_write',
]);

function findRoomProblems(context: JobContext, event: ToolEvent): string[] {
  if (ROWS_ONLY.has(event.type)) return [];
  const bytes = countContextBytes(context) + countJsonBytes(event);
  return bytes > MAX_CONTEXT_AFTER_CALL
    ? [
        `the job's state would take ${bytes} bytes of at most ${MAX_CONTEXT_AFTER_CALL}: shorten or remove something`,
      ]
    : [];
}

/** Why a tool call is refused, in sentences for the agent; empty = accepted. */
export function findToolProblems(context: JobContext, event: ToolEvent): string[] {
  if (!isFromCurrentSession(context, event)) {
    return [
      `the call comes from visit ${event.visit}, session ${event.session}, which is over: end your turn now`,
    ];
  }
  const own = findCallProblems(context, event);
  if (own.length > 0) return own;
  const refusal = findCallRefusal(context, event);
  return refusal ? [describeInvariantRefusal(refusal)] : findRoomProblems(context, event);
}
