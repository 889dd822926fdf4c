import {
  toDispatcherId,
  type JobContext,
  type JobPorts,
  type SubRunsPorts,
} from '../../../machines/index.ts';
import type { Kernel } from '../../../src/kernel/contract.ts';
import type { EffectOutcome, Port } from '../../../src/kernel/port.ts';
import { buildSubRunParams } from '../../../src/jobs/subRuns/buildSubRunParams.ts';
import { findSubRunSpec } from '../../../src/jobs/views/listSubRunSpecs.ts';
import type { PrMapping } from '../../../src/contract/schema/forge/pr.ts';
import type { SubRunInput } from '../../../src/contract/schema/job/subRun.ts';
import type { OpenStore } from '../../../src/jobs/store/openStore.ts';
import { phase, workflow } from '../charts/jobSteps.ts';

type AllPorts = JobPorts & SubRunsPorts;
type EffectKind =
  | 'phase.prepare'
  | 'session.open'
  | 'forge.write'
  | 'subRun.dispatch'
  | 'subRun.stop';

const program = (name: string): string =>
  new URL(`../../../demo/intelligence/programs/${name}.mjs`, import.meta.url).href;
/** The graph that the demo's planner registers, and what its coder does for each sub-run. */
export const { SUB_RUNS } = (await import(program('graph'))) as { SUB_RUNS: SubRunInput[] };
const { PARTS } = (await import(program('parts'))) as {
  PARTS: Record<
    string,
    { needs?: Record<string, string>; insights: { category: string; text: string }[] }
  >;
};

/** As `workflows/campaign.md` and `workflows/sub-run.md`. */
export const PARENT_WORKFLOW = workflow(
  [
    phase('planning', { interactive_checkpoint: true }),
    phase('awaiting-sub-runs', { agent: null }),
    phase('aggregating'),
  ],
  {
    coordinator: {
      enabled: true,
      parkPhase: 'awaiting-sub-runs',
      parkStatus: 'awaiting-sub-runs',
      resumePhase: 'aggregating',
      subRunWorkflowPath: 'workflows/sub-run.md',
      subRunParamsDefault: {},
      maxParallelSubRuns: 2,
      failurePolicy: 'halt-on-failure',
      forwardSiblingInsights: true,
    },
  },
);
const SUB_RUN_WORKFLOW = workflow([phase('coding'), phase('awaiting-pr-merge', { agent: null })]);

/** What outlives every process: the store, and the forge's own memory of what it was asked for. */
export interface CampaignWorld {
  store: OpenStore;
  pullRequests: Map<string, number>;
  /** Jobs that were ever prepared: each further request gets another id. */
  prepared: number;
}

export const contextIn = ({ durable }: OpenStore, id: string): JobContext =>
  (JSON.parse(durable.actor(id)?.snapshot ?? '') as { context: JobContext }).context;

/** Ports that do the work of the demo's agents at once, without processes or repositories. */
export function campaignPorts(
  world: CampaignWorld,
  kernel: () => Kernel,
): { [Name in EffectKind]: Port<AllPorts[Name]> } {
  const { store } = world;
  return {
    'phase.prepare': async ({ visit }, { actorId }) => {
      const table =
        contextIn(store, actorId).subRunOf === null ? PARENT_WORKFLOW : SUB_RUN_WORKFLOW;
      return {
        events: [
          { type: 'phase.prepared', visit, workflow: table, overlayHash: 'h', checkout: null },
        ],
      };
    },
    'session.open': async (params, { actorId }) => {
      await session(world, kernel(), actorId, params);
      const { visit, session: number } = params;
      return {
        events: [
          {
            type: 'session.ended',
            visit,
            session: number,
            stopReason: 'end_turn',
            error: null,
            usage: null,
          },
        ],
      };
    },
    'forge.write': async ({ key, operation }, { effectId, actorId }): Promise<EffectOutcome> => {
      const number = world.pullRequests.get(effectId) ?? world.pullRequests.size + 1;
      world.pullRequests.set(effectId, number);
      const name = contextIn(store, actorId).subRunOf?.name ?? '';
      const pr: PrMapping = {
        prId: `local:texts#${number}`,
        forge: 'local',
        repo: 'texts',
        number,
        title: name,
        head: `svc/${name}`,
        base: 'main',
        url: `http://test/${number}`,
        state: 'open',
        workItem: null,
        mergedAt: null,
      };
      return {
        events: [{ type: 'forge.wrote', key, operation, ok: true, pr, result: { number } }],
      };
    },
    'subRun.dispatch': async ({ parentJobId, name, attempt }) => {
      const spec = findSubRunSpec(store.rows, parentJobId, name);
      if (!spec) throw new Error(`there is no sub-run ${name}`);
      const { params, limits, tenantId, interactive } = contextIn(store, parentJobId);
      world.prepared += 1;
      const id = `${name}-${world.prepared}`;
      const parent = {
        id: parentJobId,
        params,
        interactive,
        coordinator: PARENT_WORKFLOW.coordinator ?? never(),
      };
      const input = {
        id,
        type: 'sub-run',
        tenantId,
        limits,
        interactive,
        createdAt: 0,
        workflow: SUB_RUN_WORKFLOW,
        workflowPath: 'workflows/sub-run.md',
        subRunOf: { parentJobId, name, attempt },
        params: buildSubRunParams(parent, { description: spec.description, params: spec.params }),
      };
      return { events: [{ type: 'subRun.prepared', name, attempt, jobId: id, input }] };
    },
    'subRun.stop': async () => {},
  };
}

const never = (): never => {
  throw new Error('the workflow of the parent coordinates');
};

async function session(
  world: CampaignWorld,
  kernel: Kernel,
  jobId: string,
  request: JobPorts['session.open'],
): Promise<void> {
  const { visit, session: number } = request;
  let calls = 0;
  /** A session that a crash cut off makes the same calls again; each counts once. */
  const tool = (
    name: string,
    own: Record<string, unknown>,
    command?: { type: string; [key: string]: unknown },
  ) => {
    calls += 1;
    const event = { type: `tool.${name}`, ...own, visit, session: number };
    return kernel.submit({
      sends: [
        { to: jobId, event, source: 'tool', externalId: `${visit}.${calls}` },
        ...(command ? [{ to: toDispatcherId(jobId), event: command }] : []),
      ],
      allOrNothing: true,
    });
  };
  const learn = (category: string, text: string) =>
    tool('add_insight', { id: `${visit}.${calls}`, category, text });
  switch (request.phase.name) {
    case 'planning':
      for (const spec of SUB_RUNS)
        await tool('register_sub_run', { name: spec.name }, { type: 'subRuns.register', spec });
      await tool(
        'finalize_sub_runs',
        {},
        { type: 'subRuns.finalize', cap: 2, policy: 'halt-on-failure' },
      );
      return;
    case 'aggregating':
      await learn('summary', request.prompt ?? '');
      return;
    default: {
      const { prs, params, subRunOf } = contextIn(world.store, jobId);
      if (prs.some(({ state }) => state === 'merged')) return;
      const part = PARTS[subRunOf?.name ?? ''];
      const missing = Object.entries(part?.needs ?? {}).find(
        ([param]) => params[param] === undefined,
      );
      if (missing) {
        await tool('escalate', { message: missing[1] });
        return;
      }
      for (const { category, text } of part?.insights ?? []) await learn(category, text);
      await tool('forge_write', {
        key: `pr of ${jobId}`,
        forge: 'local',
        operation: 'create_pr',
        args: {},
      });
      const readMapping = () => world.store.rows.one('pr_mappings', { job_id: jobId });
      while (!readMapping()) await new Promise<void>((resolve) => setImmediate(resolve));
      await tool('await_event', {
        kinds: null,
        prId: `local:texts#${readMapping()?.number}`,
        resumePhase: 'coding',
      });
    }
  }
}
