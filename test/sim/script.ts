import type { SessionResult } from '../../src/contract/session/executor.ts';
import type { WorkItem } from '../../src/contract/schema/job/workItem.ts';
import type { Hands } from './agents.ts';

/** How a session ends. */
export type End = Pick<SessionResult, 'stopReason' | 'error' | 'fault' | 'resetsAt' | 'quota'>;

export const END: End = { stopReason: 'end_turn', error: null };

const listWorkItems = async (hands: Hands): Promise<WorkItem[]> =>
  (await hands.tool('get_work_items')).data.items as WorkItem[];

const isOpen = ({ status }: WorkItem): boolean => status === 'pending' || status === 'in-progress';

/** The purpose of each phase. */
const DUTIES: Readonly<Record<string, (hands: Hands) => Promise<void>>> = {
  async planning(hands) {
    await hands.tool('post_artifact', {
      kind: 'plan-md',
      title: 'Plan',
      content: `Plan of ${hands.jobId}`,
    });
    if ((await listWorkItems(hands)).length > 0) return;
    const items = Array.from({ length: hands.chance.int(0, 3) }, (_, n) => ({
      id: `item-${n}`,
      title: `Item ${n}`,
    }));
    await hands.tool('set_work_items', { items });
  },
  async coding(hands) {
    const items = await listWorkItems(hands);
    const item = items.find(({ status }) => status === 'in-progress') ?? items.find(isOpen);
    if (!item) {
      await hands.tool('goto_phase', { phase: 'reporting', reason: 'nothing is open' });
      return;
    }
    await hands.tool('update_work_item', { id: item.id, status: 'in-progress' });
    if (hands.chance.is(0.3)) await hands.tool('scm_clone_repo');
    const head = `${hands.jobId}/${item.id}`;
    hands.commit(head);
    await hands.sleep(hands.chance.wait(100, 20_000));
    const opened = await hands.tool('local_create_pr', { head, title: item.title });
    if (opened.failed) {
      await hands.tool('update_work_item', { id: item.id, status: 'escalated' });
      return;
    }
    if (hands.chance.is(0.4)) await comment(hands, Number(opened.data.number));
    if (hands.chance.is(0.1))
      await hands.tool('scm_merge_pr', { number: Number(opened.data.number) });
    await hands.tool('await_event', hands.chance.is(0.5) ? {} : { kinds: ['merged', 'commented'] });
  },
  async testing(hands) {
    await hands.tool('add_insight', { category: 'convention', text: 'Tabs.' });
  },
  async evaluation(hands) {
    const items = await listWorkItems(hands);
    const current = items.find(({ status }) => status === 'in-progress');
    if (current) await hands.tool('update_work_item', { id: current.id, status: 'complete' });
    if (items.some((item) => item !== current && isOpen(item))) {
      await hands.tool('goto_phase', { phase: 'coding', reason: 'more is to be done' });
    }
  },
  async reporting(hands) {
    // In a storm some forget what is open: the completion gate is for them.
    if (!hands.stormy || hands.chance.is(0.7)) {
      for (const { id } of (await listWorkItems(hands)).filter(isOpen))
        await hands.tool('update_work_item', { id, status: 'escalated' });
    }
    await hands.tool('post_artifact', { kind: 'report-md', title: 'Report', content: 'Done.' });
  },
};

const comment = (hands: Hands, number: number) =>
  hands.tool('local_post_pr_comment', { number, body: `a remark of ${hands.phase}` });

/** What agents do beside their duty. */
const WHIMS: readonly ((hands: Hands) => Promise<unknown>)[] = [
  (hands) => hands.tool('log', { message: 'one line\nand another', tag: 'note' }),
  (hands) => hands.tool('log', { message: 'a line' }),
  (hands) => hands.tool('add_insight', { category: 'pitfall', text: `seen in ${hands.phase}` }),
  (hands) => hands.tool('set_job_params', { params: { note: hands.chance.int(0, 9) } }),
  (hands) => hands.tool('set_job_params', { params: { repoSlug: 'elsewhere' } }),
  (hands) => hands.tool('get_artifacts'),
  (hands) => hands.tool('read_memory'),
  (hands) => hands.tool('no_such_tool', { of: 'ours' }),
  (hands) =>
    hands.tool('goto_phase', {
      phase: hands.chance.pick(['planning', 'coding', 'testing', 'reporting', 'nowhere']),
    }),
  (hands) => hands.tool('request_new_session', hands.chance.is(0.5) ? {} : { prompt: 'Continue.' }),
  (hands) => hands.tool('await_event', { kinds: ['approved'], resumePhase: 'reporting' }),
  // Ways that would lead around the approval of a plan.
  async (hands) => {
    hands.commit(`${hands.jobId}/early`);
    const { data } = await hands.tool('local_create_pr', {
      head: `${hands.jobId}/early`,
      title: 'Early',
    });
    const resumePhase = hands.chance.is(0.5)
      ? { resumePhase: hands.chance.pick(['coding', 'testing', 'reporting']) }
      : {};
    return hands.tool('await_event', { prId: String(data.prId), ...resumePhase });
  },
  (hands) =>
    hands.tool('await_event', {
      external: 'a person looks',
      resumePhase: hands.chance.pick(['coding', 'testing']),
    }),
  (hands) =>
    hands.tool('switch_workflow', {
      workflowPath: 'workflows/job.md',
      toPhase: 'testing',
      reason: 'the same workflow',
    }),
  (hands) => hands.tool('convert_to_workflow', { workflowPath: 'workflows/short.md' }),
  (hands) =>
    hands.tool('switch_workflow', { workflowPath: 'workflows/short.md', reason: 'enough' }),
  (hands) => comment(hands, hands.chance.int(1, 4)),
  (hands) => hands.tool('local_approve_pr', { number: hands.chance.int(1, 4) }),
  (hands) => hands.tool('scm_merge_pr', { number: hands.chance.int(1, 4) }),
  (hands) => hands.tool('local_get_pr_status', { number: 1 }),
  // A call whose answer it does not wait for: the turn may end before.
  async (hands) => void comment(hands, hands.chance.int(1, 4)).catch(() => undefined),
  // A branch that other jobs use as well.
  (hands) => {
    hands.commit('shared');
    return hands.tool('local_create_pr', { head: 'shared', title: 'Shared' });
  },
  // Two calls at once, as some agents make them.
  (hands) => Promise.all([comment(hands, 1), comment(hands, 1), hands.tool('get_work_items')]),
  (hands) =>
    hands.chance.is(0.2)
      ? hands.tool('escalate', { message: 'I cannot continue.' })
      : hands.tool('log', { message: 'hm' }),
  async (hands) => hands.say('a line on the terminal'),
];

const ENDS: readonly End[] = [
  { stopReason: 'error', error: 'the model does not answer', fault: 'own-exit' },
  { stopReason: 'pause_turn', error: null },
  { stopReason: 'pause_turn', error: null },
  { stopReason: 'quota', error: 'the model takes no requests' },
  { stopReason: 'died', error: 'it was killed' },
  { stopReason: 'died', error: 'it was killed' },
];

/** One session of an agent. */
export async function play(hands: Hands): Promise<End> {
  const { chance } = hands;
  await hands.sleep(chance.wait(10, 5_000));
  const whims = hands.stormy ? chance.wait(0, 5) : 0;
  const before = chance.int(0, whims);
  const whim = async () => {
    await hands.sleep(chance.wait(1, 8_000));
    await chance
      .pick(WHIMS)(hands)
      .catch(() => undefined);
  };
  for (let n = 0; n < before; n++) await whim();
  if (!hands.stormy || chance.is(0.95)) await DUTIES[hands.phase]?.(hands);
  for (let n = before; n < whims; n++) await whim();
  if (hands.stormy && chance.is(0.02)) await new Promise<never>(() => {});
  if (hands.stormy && chance.is(0.06)) return chance.pick(ENDS);
  return END;
}
