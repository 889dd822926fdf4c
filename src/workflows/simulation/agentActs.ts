import {
  toDispatcherId,
  type JobContext,
  type ToolEvent,
  findToolProblems,
} from '../../../machines/index.ts';
import { answerForgeWrite } from './answerForgeWrite.ts';
import type { AgentAct } from './step.ts';
import { type PendingEffect, JOB_ID, type World } from './world.ts';

/** Duration of an agent's act, and of a session that only ends its turn, ms. */
const ACT_MS = 60_000;
const SESSION_MS = 10 * 60_000;

const findOpenSession = ({
  asked,
}: World): Extract<PendingEffect, { type: 'session.open' }> | undefined =>
  asked.find((one) => one.type === 'session.open' && one.actor === JOB_ID) as
    | Extract<PendingEffect, { type: 'session.open' }>
    | undefined;

/** Whether an agent of the job runs. */
export const isAgentRunning = (world: World): boolean =>
  world.at === 'working.inSession' && findOpenSession(world) !== undefined;

export async function endSession(
  world: World,
  reason: Extract<AgentAct, { do: 'end' }>['reason'],
): Promise<void> {
  const session = findOpenSession(world);
  if (!session) return;
  const { visit, session: number } = session.params;
  const error =
    reason === 'error' || reason === 'limit' || reason === 'stuck' ? 'set by the script' : null;
  const sessionEnd = {
    type: 'session.ended',
    visit,
    session: number,
    stopReason: reason,
    error,
    // The script's error stands for one of the agent's own program.
    ...(reason === 'error' && { fault: 'own-exit' }),
    usage: null,
  };
  await world.answer(session, reason === 'interrupted' ? 1000 : SESSION_MS, sessionEnd);
}

/** After these an agent ends its turn: they take effect when the session is over. */
const ENDING: readonly AgentAct['do'][] = ['await', 'goto', 'escalate', 'new-session'];

/** Distributes over the union, unlike Omit alone. */
type WithoutFence<Event> = Event extends unknown ? Omit<Event, 'visit' | 'session'> : never;
type ToolSend = WithoutFence<ToolEvent>;

/** The newest open pull request, or the newest of all; else one of another job. */
const pickNewestPr = ({ prs }: JobContext): { repo: string; number: number } =>
  prs.findLast(({ state }) => state === 'open') ?? prs.at(-1) ?? { repo: 'simulated', number: 1 };

function toToolSends(act: AgentAct, { context, clock }: World): ToolSend[] {
  const write = (operation: string, args: Record<string, unknown>): ToolSend => ({
    type: 'tool.forge_write',
    key: `${operation}-${context.prs.length + 1}-${clock.now()}`,
    forge: 'local',
    operation,
    args,
  });
  switch (act.do) {
    case 'plan': {
      const id = `plan-${clock.now()}`;
      return [
        {
          type: 'tool.post_artifact',
          id,
          kind: 'plan-md',
          title: act.text,
          mime: 'text/markdown',
          size: act.text.length,
          sha256: id.padEnd(64, '0'),
        },
      ];
    }
    case 'work-items':
      return [{ type: 'tool.set_work_items', items: act.items }];
    case 'item':
      return [{ type: 'tool.update_work_item', id: act.id, status: act.status }];
    case 'open-pr':
      return [write('create_pr', { title: act.title })];
    case 'push':
      return [write('create_pr', { title: 'The change', number: pickNewestPr(context).number })];
    case 'merge': {
      const { repo, number } = pickNewestPr(context);
      return [write('merge_pr', { repo, number })];
    }
    case 'call':
      return [write(act.operation, {})];
    case 'await':
      return [
        { type: 'tool.await_event', kinds: act.kinds, prId: null, resumePhase: act.resumePhase },
      ];
    case 'goto':
      return [{ type: 'tool.goto_phase', phase: act.phase, reason: 'set by the script' }];
    case 'escalate':
      return [{ type: 'tool.escalate', message: act.text }];
    case 'new-session':
      return [{ type: 'tool.request_new_session', prompt: null }];
    default:
      return [];
  }
}

async function registerSubRuns(world: World, names: readonly string[]): Promise<string | null> {
  const { visit, session, workflow } = world.context;
  const fence = { visit, session };
  const dispatcher = toDispatcherId(JOB_ID);
  for (const name of names) {
    const refusal = await world.send(
      { to: JOB_ID, event: { type: 'tool.register_sub_run', name, ...fence } },
      { to: dispatcher, event: { type: 'subRuns.register', spec: { name, description: name } } },
    );
    if (refusal !== null) return refusal;
  }
  const { maxParallelSubRuns: cap = 1, failurePolicy: policy = 'halt-on-failure' } =
    workflow.coordinator ?? {};
  return world.send(
    { to: JOB_ID, event: { type: 'tool.finalize_sub_runs', ...fence } },
    { to: dispatcher, event: { type: 'subRuns.finalize', cap, policy } },
  );
}

/** The running agent acts. null = accepted, else why not. */
export async function performAgentAct(world: World, act: AgentAct): Promise<string | null> {
  if (act.do === 'end') {
    await endSession(world, act.reason);
    return null;
  }
  await world.pass(ACT_MS);
  if (act.do === 'sub-runs') return registerSubRuns(world, act.names);
  const { visit, session } = world.context;
  for (const tool of toToolSends(act, world)) {
    const event = { ...tool, visit, session };
    const problems = findToolProblems(world.context, event);
    const refusal = await world.send({ to: JOB_ID, event });
    if (refusal !== null) return problems.length > 0 ? problems.join('; ') : refusal;
  }
  if (ENDING.includes(act.do)) await endSession(world, 'end_turn');
  // The agent waits for the answer of a write.
  for (const pendingEffect of world.asked)
    if (pendingEffect.type === 'forge.write') await answerForgeWrite(world, pendingEffect);
  return null;
}
