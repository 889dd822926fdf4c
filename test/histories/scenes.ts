import type { Hands } from '../sim/agents.ts';
import { REPO } from '../sim/forge.ts';
import { END, type End } from '../sim/script.ts';
import type { Scene, Stage } from './stage.ts';

type Part = (hands: Hands) => Promise<unknown>;

const plan: Part = async (hands) => {
  await hands.tool('set_work_items', { items: [{ id: 'one', title: 'The first' }] });
  await hands.tool('post_artifact', {
    kind: 'plan-md',
    title: 'Plan',
    content: 'One thing is to be done.',
  });
};

/** Codes an item and waits for its pull request. */
const code: Part = async (hands) => {
  await hands.tool('update_work_item', { id: 'one', status: 'in-progress' });
  await hands.tool('scm_clone_repo');
  hands.commit('one');
  const { data } = await hands.tool('local_create_pr', {
    head: 'one',
    title: 'The first',
    body: 'Done.',
  });
  await hands.tool('await_event', { kinds: ['merged', 'commented'], prId: String(data.prId) });
};

const evaluate: Part = (hands) => hands.tool('update_work_item', { id: 'one', status: 'complete' });
const report: Part = (hands) =>
  hands.tool('post_artifact', { kind: 'report-md', title: 'Report', content: 'All is done.' });

/** Agents by phase; a phase that is not named ends its turn at once. */
const agents =
  (parts: Record<string, Part>) =>
  async (hands: Hands): Promise<End> => {
    await hands.sleep(1_000);
    const end = await parts[hands.phase]?.(hands);
    await hands.sleep(1_000);
    return typeof end === 'object' && end !== null && 'stopReason' in end ? (end as End) : END;
  };

const usual: Record<string, Part> = {
  planning: plan,
  coding: code,
  evaluation: evaluate,
  reporting: report,
};

/** Called once only: what a phase does in its first session and in later ones. */
const first = (once: Part, then: Part): Part => {
  let called = false;
  return (hands) => {
    const part = called ? then : once;
    called = true;
    return part(hands);
  };
};

/** Ends the session so. */
const createEnd = (stopReason: End['stopReason'], error: string): Promise<End> =>
  Promise.resolve({ stopReason, error, ...(stopReason === 'error' ? { fault: 'own-exit' } : {}) });

const toTheEnd = async (stage: Stage): Promise<void> => {
  await stage.approve();
  await stage.merge();
  await stage.in('ended.complete');
};

/**
 * Lives of jobs that come to every kind of end. Created again for each recording, since agents
 * remember.
 */
export const scenes = (): Scene[] => [
  {
    name: 'complete',
    what: 'A plan is rejected, then approved; a comment leads back to coding, the merge to the end. Insights, params and usage on the way.',
    agents: agents({
      ...usual,
      planning: async (hands) => {
        await plan(hands);
        await hands.tool('set_job_params', { params: { style: 'tabs' } });
        await hands.tool('add_insight', { category: 'convention', text: 'Tabs.' });
      },
    }),
    async people(stage) {
      await stage.in('parked.approval');
      await stage.runner.resume(stage.jobId, { eventKey: 'reject' }, { by: 'open' });
      await stage.in('working.inSession');
      await stage.approve();
      await stage.in('parked.event');
      await stage.runner.approvePullRequest(REPO, 1, { author: 'bob' }, { by: 'open' });
      await stage.runner.commentPullRequest(
        REPO,
        1,
        { author: 'ann', body: 'Why not two?' },
        { by: 'open' },
      );
      await stage.in('working.inSession');
      await stage.merge();
      await stage.in('ended.complete');
    },
  },
  {
    name: 'held',
    what: 'The planner opens a pull request and awaits its events, to go on with testing: a comment wakes the planner alone, the merge leads to the approval; a switch past a checkpoint is approved as well.',
    agents: agents({
      ...usual,
      planning: first(
        async (hands) => {
          await plan(hands);
          await hands.tool('scm_clone_repo');
          hands.commit('early');
          await hands.tool('local_create_pr', {
            head: 'early',
            title: 'Early',
            body: 'Before the plan is approved.',
          });
          await hands.tool('await_event', { resumePhase: 'testing' });
        },
        (hands) => hands.tool('await_event', { resumePhase: 'testing' }),
      ),
      testing: first(
        (hands) =>
          hands.tool('switch_workflow', {
            workflowPath: 'workflows/job.md',
            toPhase: 'evaluation',
            reason: 'All is done.',
          }),
        async () => END,
      ),
    }),
    async people(stage) {
      await stage.in('parked.event');
      await stage.runner.commentPullRequest(
        REPO,
        1,
        { author: 'ann', body: 'Is this planned?' },
        { by: 'open' },
      );
      await stage.until(({ visit, state }) => visit === 2 && state.includes('parked.event'));
      await stage.merge();
      await stage.approve();
      await stage.in('working.inSession');
      await stage.in('ended.complete');
    },
  },
  {
    name: 'failed-by-gate',
    what: 'The work item is never closed: the completion gate sends the reporter back twice and then fails the job.',
    agents: agents({ planning: plan, reporting: report }),
    async people(stage) {
      await stage.approve();
      await stage.in('ended.failed');
    },
  },
  {
    name: 'escalated',
    what: 'The coder asks for a new session, then gives the job to people.',
    agents: agents({
      planning: plan,
      coding: first(
        (hands) => hands.tool('request_new_session', { prompt: 'Look at the tests first.' }),
        (hands) => hands.tool('escalate', { message: 'The requirements contradict each other.' }),
      ),
    }),
    async people(stage) {
      await stage.approve();
      await stage.in('ended.escalated');
    },
  },
  {
    name: 'cancelled',
    what: 'A message comes during a session, which is then ended because a person cancels the job; the pull request is merged later.',
    agents: agents({
      ...usual,
      coding: first(code, () => new Promise<never>(() => {})),
    }),
    async people(stage) {
      await stage.approve();
      await stage.in('parked.event');
      await stage.runner.message(stage.jobId, { message: 'Wait, one more thing.' }, { by: 'open' });
      await stage.in('working.inSession');
      await stage.sleep(3_000);
      await stage.runner.message(stage.jobId, { message: 'Or rather: no.' }, { by: 'open' });
      await stage.runner.cancel(stage.jobId, { reason: 'It is no longer needed.' }, { by: 'open' });
      await stage.in('ended.cancelled');
      await stage.runner.mergePullRequest(REPO, 1, { author: 'ann' }, { by: 'open' });
    },
  },
  {
    name: 'quota-and-deaths',
    what: 'The model has a limit, and the job continues by itself; the agent dies twice and goes on, and is asked about by a message while a person is waited for.',
    params: { autoApprove: true },
    agents: agents({
      ...usual,
      planning: first(() => createEnd('quota', 'the model takes no requests'), plan),
      coding: first(
        () => createEnd('died', 'killed by SIGKILL'),
        first(() => createEnd('died', 'killed by SIGKILL'), code),
      ),
      testing: first(
        (hands) => hands.tool('await_event', { external: 'somebody has to look at the page' }),
        () => Promise.resolve(),
      ),
    }),
    async people(stage) {
      await stage.in('parked.quota');
      await stage.merge();
      await stage.in('parked.external');
      await stage.runner.pause(stage.jobId, { by: 'open' });
      await stage.in('parked.paused');
      await stage.runner.message(stage.jobId, { message: 'The page is fine.' }, { by: 'open' });
      await stage.in('ended.complete');
    },
  },
  {
    name: 'paused-and-told',
    what: 'Paused in the queue, in a session and while it awaits an event; a message resumes it each time. A failed job is cancelled.',
    params: { autoApprove: ['planning'] },
    agents: agents({ ...usual, reporting: () => createEnd('error', 'the model does not answer') }),
    async people(stage) {
      await stage.runner.pause(stage.jobId, { by: 'open' });
      await stage.runner.message(stage.jobId, { message: 'Begin.' }, { by: 'open' });
      await stage.in('working.inSession');
      await stage.sleep(500);
      await stage.runner.pause(stage.jobId, { by: 'open' });
      await stage.in('parked.paused');
      await stage.runner.message(stage.jobId, { message: 'Go on.' }, { by: 'open' });
      await stage.in('parked.event');
      await stage.runner.pause(stage.jobId, { by: 'open' });
      await stage.runner.message(stage.jobId, { message: 'Look again.' }, { by: 'open' });
      await stage.in('working.inSession');
      await stage.merge();
      await stage.in('ended.failed');
      await stage.runner.cancel(stage.jobId, { reason: 'It is not worth it.' }, { by: 'open' });
      await stage.in('ended.cancelled');
    },
  },
  {
    name: 'rerun',
    what: 'Complete, then a phase is run again and the job completes a second time.',
    agents: agents(usual),
    async people(stage) {
      await toTheEnd(stage);
      await stage.runner.rerun(stage.jobId, 'testing', { by: 'open' });
      await stage.in('working.inSession');
      await stage.in('ended.complete');
    },
  },
  {
    name: 'switched',
    what: 'The planner switches to another workflow; there the evaluator goes back to coding once, which counts as a loop.',
    params: { autoApprove: true },
    agents: agents({
      ...usual,
      planning: async (hands) => {
        await plan(hands);
        await hands.tool('switch_workflow', {
          workflowPath: 'workflows/short.md',
          reason: 'The long way is not needed.',
        });
      },
      evaluation: first(
        (hands) => hands.tool('goto_phase', { phase: 'coding', reason: 'The tests are missing.' }),
        evaluate,
      ),
    }),
    async people(stage) {
      await stage.merge();
      await stage.in('working.inSession');
      await stage.merge();
      await stage.in('ended.complete');
    },
  },
  {
    name: 'crashes',
    what: 'The runner crashes in a session and goes on; five crashes without progress park the job for a developer; an error fails it; it is resumed.',
    agents: agents({
      ...usual,
      planning: first(plan, first(plan, plan)),
      testing: first(
        async () => ({
          stopReason: 'error',
          error: 'The model does not answer.',
          fault: 'own-exit',
        }),
        async () => END,
      ),
    }),
    async people(stage) {
      await stage.in('working.inSession');
      await stage.sleep(1_200);
      await stage.crash();
      await stage.approve();
      await stage.in('working.inSession');
      for (let n = 0; n < 5; n++) await stage.crash();
      await stage.in('parked.developer');
      await stage.runner.resume(stage.jobId, { eventKey: 'go' }, { by: 'open' });
      await stage.merge();
      await stage.in('ended.failed');
      await stage.runner.resume(stage.jobId, { eventKey: 'go' }, { by: 'open' });
      await stage.in('ended.complete');
    },
  },
  {
    name: 'unattended',
    what: 'A job works unattended for an hour; its pull request is merged after that, which begins nothing; with two hours more it waits for its model until these are over; a resume without a limit brings it to its end.',
    params: { autoApprove: true, unattended: { until: '1h' } },
    agents: agents({
      ...usual,
      testing: first(
        async () => ({ stopReason: 'quota', error: 'used up', resetsAt: Date.UTC(2026, 0, 1, 4) }),
        async () => END,
      ),
    }),
    async people(stage) {
      await stage.sleep(3_700_000);
      await stage.merge();
      await stage.in('parked.paused');
      await stage.runner.resume(
        stage.jobId,
        { eventKey: 'go', unattended: { until: '2h' } },
        { by: 'open' },
      );
      await stage.in('parked.quota');
      await stage.sleep(7_200_000);
      await stage.in('parked.paused');
      await stage.runner.resume(stage.jobId, { eventKey: 'go' }, { by: 'open' });
      await stage.in('ended.complete');
    },
  },
  {
    name: 'circle',
    what: 'The tester sends the coder back again and again and nothing changes: it is warned, parks for a developer over a crash, and ends after a message.',
    sameFiles: true,
    agents: (() => {
      let rejections = 0;
      return agents({
        async testing(hands) {
          rejections += 1;
          if (rejections <= 3)
            await hands.tool('goto_phase', { phase: 'coding', reason: 'It fails.' });
        },
      });
    })(),
    async people(stage) {
      await stage.until(({ visit }) => visit === 3);
      await stage.crash();
      await stage.in('parked.developer');
      await stage.crash();
      await stage.runner.message(stage.jobId, { message: 'Leave it red.' }, { by: 'open' });
      await stage.in('ended.complete');
    },
  },
];
