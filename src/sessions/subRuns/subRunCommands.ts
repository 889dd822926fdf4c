import {
  type BeforeSkip,
  type CommandEvent,
  findCommandProblem,
  toDispatcherId,
  type Graph,
  isTerminalMark,
  type JobContext,
  readMark,
  findParkPhase,
  toSubRunStatus,
  type SubRunsContext,
} from '../../../machines/index.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { IntrinsicParams, KernelUse } from '../../contract/records/changes.ts';
import { listLeafPaths } from '../../base/json/listLeafPaths.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type {
  SubRunAction,
  SubRunActionBody,
  SubRunChange,
  SubRunEffects,
  SubRunReply,
  SubRunSpec,
  SubRunsState,
  SubRunWhatIf,
} from '../../contract/schema/job/subRun.ts';
import type { Runner } from '../../contract/runner/runner.ts';
import type { RequestKey } from '../../contract/job/requestKey.ts';
import { translateKernelErrors } from '../../jobs/commands/refusals.ts';
import type { Requests } from '../../jobs/commands/requests.ts';

type SubRunCommands = Pick<
  Runner,
  'subRunWhatIf' | 'skipSubRun' | 'unskipSubRun' | 'rerunSubRun' | 'beginSubRun' | 'cancelSubRun'
>;

/** Why this job cannot wait for the rerun of a sub-run; null = it can. */
export function explainUnfitParent({
  value,
  context: { id, workflow, workflowPath },
}: ActorState<JobContext>): string | null {
  if (listLeafPaths(value).includes('ended.cancelled'))
    return `${id} was cancelled, and a cancelled job does not wait for sub-runs: rerun one of its phases first`;
  return findParkPhase(workflow) === null
    ? `${id} runs ${workflowPath} now, which does not coordinate sub-runs`
    : null;
}

export interface SubRunCommandsDeps {
  kernel: KernelUse;
  requests: Requests;
  /** Throws SvcError `not-found` for a job that has no sub-runs. */
  dispatcher(parentJobId: string): ActorState<SubRunsContext>;
  /** Throws SvcError `not-found`. */
  parent(parentJobId: string): ActorState<JobContext>;
  spec(parentJobId: string, name: string): SubRunSpec | undefined;
  /** The sub-run's row before it was skipped; null if unknown. */
  readBeforeSkip(parentJobId: string, name: string): BeforeSkip | null;
}

const REQUEST = 'request';

/**
 * The event for an action. A rerun's `params` are those of the sub-run with the patch; a skip
 * carries the row's content, `was` is that of the skip that is undone, and a cancel names the job
 * of the latest run.
 */
export const toSubRunCommandEvent = (
  action: SubRunAction,
  spec: Pick<SubRunSpec, 'name' | 'jobId' | 'params' | 'reason' | 'completedAt'>,
  { reason, paramsPatch }: SubRunActionBody,
  by: CommandEvent['by'],
  was: BeforeSkip | null = null,
): CommandEvent => {
  const event = { name: spec.name, reason: reason ?? null, by };
  if (action === 'skip') return { type: 'subRuns.skip', ...event, was: captureBeforeSkip(spec) };
  if (action === 'unskip') return { type: 'subRuns.unskip', ...event, was };
  if (action === 'cancel') return { type: 'subRuns.cancel', ...event, jobId: spec.jobId };
  return {
    type: 'subRuns.rerun',
    ...event,
    params: paramsPatch === undefined ? null : { ...spec.params, ...paramsPatch },
  };
};

/** What a skip overwrites in the row, so that it can be undone. */
export const captureBeforeSkip = ({
  reason,
  completedAt,
}: Pick<SubRunSpec, 'reason' | 'completedAt'>): BeforeSkip => ({
  reason,
  completedAt: completedAt === null ? null : Date.parse(completedAt),
});

export const describeSubRunCommandRefusal = (
  { value, context }: ActorState<SubRunsContext>,
  event: Pick<CommandEvent, 'type' | 'name'> & { by?: CommandEvent['by'] },
): string => {
  const problem = findCommandProblem(context, event);
  if (problem !== null) return problem;
  switch (value) {
    case 'settled':
      return 'all sub-runs have ended; rerun one of them';
    case 'closing':
      return 'the parent has ended and its sub-runs are stopping; try again when they have stopped';
    case 'closed':
      return 'the parent has ended; rerun a sub-run';
    default:
      return 'the sub-runs have not started yet: register and finalize them, and let the parent wait';
  }
};

/** The differences between two graphs of the same campaign. */
export function compareSubRunGraphs(
  before: Graph,
  after: Graph,
  state: SubRunsState,
  reasons: (name: string) => string | null,
): SubRunEffects {
  const changes: SubRunChange[] = [];
  const starts: string[] = [];
  const stops: string[] = [];
  after.names.forEach((name, n) => {
    const [from, to] = [toSubRunStatus(readMark(before, n)), toSubRunStatus(readMark(after, n))];
    const [was, is] = [readMark(before, n), readMark(after, n)];
    if (from !== to) changes.push({ name, from, to, reason: reasons(name) });
    if (is === 'd' && was !== 'd') starts.push(name);
    if ((is === 'x' || is === 'k') && was === 'd') stops.push(name);
  });
  return { state, changes, starts, stops };
}

/**
 * Commands of people on single sub-runs: each is one event of the dispatcher, answered after its
 * commit.
 */
export const createSubRunCommands = ({
  kernel,
  requests,
  dispatcher,
  parent,
  spec,
  readBeforeSkip: beforeSkip,
}: SubRunCommandsDeps): SubRunCommands => {
  const requireSpec = (id: string, name: string): SubRunSpec => {
    const subRunSpec = spec(id, name);
    if (!subRunSpec) throw new SvcError('not-found', `${id} has no sub-run ${name}.`);
    return subRunSpec;
  };

  const toEvent = (action: SubRunAction, id: string, name: string, body: SubRunActionBody) =>
    toSubRunCommandEvent(action, requireSpec(id, name), body, 'developer', beforeSkip(id, name));

  /**
   * Why the parent rules the command out, whatever the dispatcher says; only a rerun asks the
   * parent to wait again.
   */
  const refusedByParent = (action: SubRunAction, id: string): string | null =>
    action === 'rerun' ? explainUnfitParent(parent(id)) : null;

  const run = (
    action: SubRunAction,
    id: string,
    name: string,
    body: SubRunActionBody,
    request: RequestKey | undefined,
  ) => {
    const before = dispatcher(id);
    requireSpec(id, name);
    const reply = (): SubRunReply => {
      const { value, context } = dispatcher(id);
      const effects = compareSubRunGraphs(
        before.context.graph,
        context.graph,
        value as SubRunsState,
        (of) => spec(id, of)?.reason ?? null,
      );
      return { jobId: id, name, status: requireSpec(id, name).status, ...effects };
    };
    return requests.runOnce(request, reply, (scope) =>
      translateKernelErrors(id, async () => {
        const event = toEvent(action, id, name, body);
        const createRefusal = (why: string) =>
          new SvcError('not-possible-now', `${action} of ${name} is not possible: ${why}.`, {
            data: { state: [`subRuns.${String(dispatcher(id).value)}`] },
          });
        const problem = refusedByParent(action, id);
        if (problem !== null) throw createRefusal(problem);
        const once = request ? { source: REQUEST, externalId: request.key } : {};
        const { sends } = await kernel.submit({
          sends: [{ to: toDispatcherId(id), event, ...once }],
          rows: scope.claim(id),
          allOrNothing: true,
        });
        if (!sends[0]?.accepted)
          throw createRefusal(describeSubRunCommandRefusal(dispatcher(id), event));
        return reply();
      }),
    );
  };

  return {
    subRunWhatIf(id, name, { action, ...body }): SubRunWhatIf {
      const before = dispatcher(id);
      const event = toEvent(action, id, name, body);
      const { accepted, value, changes, effects } = kernel.whatIf(toDispatcherId(id), event);
      const problem =
        refusedByParent(action, id) ??
        (accepted ? null : describeSubRunCommandRefusal(before, event));
      if (problem !== null) {
        return {
          refused: problem,
          state: before.value as SubRunsState,
          changes: [],
          starts: [],
          stops: [],
        };
      }
      const reasons = new Map(
        effects.flatMap(({ type, params }) =>
          type === 'row.patch' ? readReasonChange(params) : [],
        ),
      );
      const after = (changes.graph ?? before.context.graph) as Graph;
      return {
        refused: null,
        ...compareSubRunGraphs(
          before.context.graph,
          after,
          value as SubRunsState,
          (of) => reasons.get(of) ?? null,
        ),
      };
    },
    skipSubRun: (id, name, body, { requestKey }) => run('skip', id, name, body, requestKey),
    unskipSubRun: (id, name, body, { requestKey }) => run('unskip', id, name, body, requestKey),
    rerunSubRun: async (id, name, body, { requestKey }) => run('rerun', id, name, body, requestKey),
    async beginSubRun(id, name, body, { requestKey }) {
      const { value, context } = dispatcher(id);
      const { status } = requireSpec(id, name);
      const n = context.graph.names.indexOf(name);
      if (n < 0 || isTerminalMark(readMark(context.graph, n)))
        return run('rerun', id, name, body, requestKey);
      return {
        jobId: id,
        name,
        status,
        state: value as SubRunsState,
        changes: [],
        starts: [],
        stops: [],
      };
    },
    cancelSubRun: (id, name, body, { requestKey }) => run('cancel', id, name, body, requestKey),
  };
};

/** Name and reason of a change of a sub-run's row; empty for another table. */
const readReasonChange = (params: unknown): [string, string | null][] => {
  // The effect's name determines the type of its params, which the chart's types checked.
  const patch = params as IntrinsicParams['row.patch'];
  return patch.table === 'sub_runs' ? [[patch.key.name ?? '', patch.set.reason ?? null]] : [];
};
