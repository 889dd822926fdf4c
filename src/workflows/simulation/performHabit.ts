import { performAgentAct, isAgentRunning, endSession } from './agentActs.ts';
import { performOthersAct, createPrEvent } from './othersActs.ts';
import { JOB_ID, type World } from './world.ts';

/** Durations for people and forges unless the script says otherwise, ms. */
const PERSON_MS = 60 * 60_000;

/** Does what the workflow seems to want of an agent in its phase, then ends the turn. */
async function performAgentHabit(world: World): Promise<void> {
  const { workflow, phase: name, subRuns, workItems, prs } = world.context;
  const { phases, coordinator } = workflow;
  const index = phases.findIndex((phase) => phase.name === name);
  const [phase, next] = [phases[index], phases[index + 1]];
  if (phase?.interactive_checkpoint)
    await performAgentAct(world, { do: 'plan', text: `Plan of ${name}` });
  const coordinates = coordinator?.enabled === true;
  if (
    coordinates &&
    next?.name === coordinator.parkPhase &&
    (subRuns === null || subRuns === 'collecting')
  ) {
    await performAgentAct(world, { do: 'sub-runs', names: ['first', 'second'] });
  } else if (
    next?.agent === null &&
    !next.interactive_checkpoint &&
    !(coordinates && next.name === coordinator.parkPhase)
  ) {
    if (!prs.some(({ state }) => state === 'open'))
      await performAgentAct(world, { do: 'open-pr', title: `Change of ${name}` });
    await performAgentAct(world, { do: 'await', kinds: null, resumePhase: null });
  }
  // In the last phase the completion gate requires it.
  for (const { id, status } of next ? [] : workItems) {
    if (status === 'pending' || status === 'in-progress')
      await performAgentAct(world, { do: 'item', id, status: 'complete' });
  }
  await endSession(world, 'end_turn');
}

/** Does what people and forges do by default. False = they would have to decide. */
async function performOthersHabit(world: World): Promise<boolean> {
  const waits = world.at;
  if (!['parked.approval', 'parked.event', 'parked.developer', 'parked.paused'].includes(waits))
    return false;
  if (waits === 'parked.event') {
    const kinds = world.context.awaited?.kinds ?? null;
    const kind = kinds === null || kinds.includes('merged') ? 'merged' : null;
    const eventKind =
      kind ??
      (['closed', 'approved', 'changes_requested', 'commented'] as const).find((one) =>
        kinds?.includes(one),
      );
    const event = eventKind && createPrEvent(world, eventKind);
    if (!event) return false;
    await world.pass(PERSON_MS);
    return (await world.send({ to: JOB_ID, event })) === null;
  }
  await world.pass(PERSON_MS);
  return (
    (await performOthersAct(world, { do: waits === 'parked.approval' ? 'approve' : 'resume' })) ===
    null
  );
}

/**
 * Does what happens by default: the agent does its part and ends its turn, a person approves, a
 * pull request is merged. `acted`: the script has used this session, so it only ends. False =
 * nothing is left.
 */
export async function performHabit(world: World, acted: boolean): Promise<boolean> {
  if (!isAgentRunning(world)) return performOthersHabit(world);
  if (acted) await endSession(world, 'end_turn');
  else await performAgentHabit(world);
  return true;
}
