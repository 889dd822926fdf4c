import type { JobInput } from '../../../machines/index.ts';
import type { WorkflowTable } from '../../contract/schema/workflow/workflow.ts';
import { endSession } from './agentActs.ts';
import { answerForgeWrite } from './answerForgeWrite.ts';
import { type PendingEffect, JOB_ID, type World } from './world.ts';

/** Durations of steps without a decision, ms. */
const PREPARE_MS = 5_000;
const SUB_RUN_MS = 60 * 60_000;

/** How sub-runs end, by name; what is left out completes. */
export type SubRunOutcomes = ReadonlyMap<string, 'complete' | 'failed'>;

/** A sub-run is a job of one phase without an agent: its own workflow is not simulated. */
const SUB_RUN: WorkflowTable = {
  initial_phase: 'work',
  initial_status: 'working',
  phases: [
    {
      name: 'work',
      agent: null,
      model: null,
      status: 'working',
      interactive_checkpoint: false,
      provider: null,
      obligations: null,
    },
  ],
  coordinator: null,
};

/** A sub-run that is to fail has an agent, whose program fails. */
const FAILING_SUB_RUN: WorkflowTable = {
  ...SUB_RUN,
  phases: SUB_RUN.phases.map((phase) => ({ ...phase, agent: 'agents/simulated.md' })),
};

async function answerPreparation(
  world: World,
  preparation: Extract<PendingEffect, { type: 'phase.prepare' }>,
  outcomes: SubRunOutcomes,
): Promise<void> {
  const { visit } = preparation.params;
  const isOwn = preparation.actor === JOB_ID;
  const name = preparation.params.params.subRun;
  const fails = typeof name === 'string' && outcomes.get(name) === 'failed';
  const subRun = fails ? FAILING_SUB_RUN : SUB_RUN;
  const workflow = isOwn ? world.context.workflow : subRun;
  const answer = {
    type: 'phase.prepared',
    visit,
    workflow,
    overlayHash: 'simulated',
    checkout: null,
  };
  return world.answer(preparation, isOwn ? PREPARE_MS : SUB_RUN_MS, answer);
}

function failSubRun(
  world: World,
  opening: Extract<PendingEffect, { type: 'session.open' }>,
): Promise<void> {
  const { visit, session } = opening.params;
  return world.answer(opening, 0, {
    type: 'session.ended',
    visit,
    session,
    stopReason: 'error',
    error: 'set by the script',
    fault: 'own-exit',
    usage: null,
  });
}

function createSubRunInput(world: World, name: string, attempt: number, jobId: string): JobInput {
  const { tenantId, limits } = world.context;
  return {
    id: jobId,
    type: 'sub-run',
    tenantId,
    workflowPath: 'simulated',
    workflow: SUB_RUN,
    limits,
    params: { subRun: name },
    interactive: false,
    createdAt: world.clock.now(),
    subRunOf: { parentJobId: JOB_ID, name, attempt },
  };
}

async function answerEffect(
  world: World,
  pendingEffect: PendingEffect,
  outcomes: SubRunOutcomes,
): Promise<void> {
  switch (pendingEffect.type) {
    case 'phase.prepare':
      return answerPreparation(world, pendingEffect, outcomes);
    case 'forge.write':
      return answerForgeWrite(world, pendingEffect);
    case 'session.open':
      return failSubRun(world, pendingEffect);
    case 'session.stop':
      await world.answer(pendingEffect, 0);
      return endSession(world, 'interrupted');
    case 'subRun.dispatch': {
      const { name, attempt } = pendingEffect.params;
      const jobId = `${JOB_ID}.${name}.${attempt}`;
      const input = createSubRunInput(world, name, attempt, jobId);
      return world.answer(pendingEffect, 0, {
        type: 'subRun.prepared',
        name,
        attempt,
        jobId,
        input,
      });
    }
    case 'subRun.stop': {
      const { name, attempt, reason } = pendingEffect.params;
      await world.answer(pendingEffect, 0);
      await world.send({
        to: `${JOB_ID}.${name}.${attempt}`,
        event: { type: 'job.cancel', reason },
      });
      return;
    }
    default:
      return world.answer(pendingEffect, 0);
  }
}

/**
 * Does one thing without a decision: a slot, a preparation, a write, a sub-run. False = nothing was
 * left.
 */
export async function performRunnerStep(world: World, outcomes: SubRunOutcomes): Promise<boolean> {
  const [waiting] = world.store.listWaiting();
  if (waiting !== undefined) {
    await world.send({ to: waiting, event: { type: 'slot.granted' } });
    return true;
  }
  const mine = world.asked.filter(({ type, actor }) => type !== 'session.open' || actor !== JOB_ID);
  const next = mine.find(({ actor }) => actor === JOB_ID) ?? mine[0];
  if (!next) return false;
  await answerEffect(world, next, outcomes);
  return true;
}
