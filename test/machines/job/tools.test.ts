import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findToolProblems } from '../../../machines/index.ts';
import { item, phase, pr, SteppedJob, workflow } from '../../support/charts/jobSteps.ts';
import { jobIn, LEAF_STATES } from '../../support/charts/jobStates.ts';

const test = suite('job: tools');

const CALLS: Record<string, Record<string, unknown>> = {
  set_work_items: { items: [item('a')] },
  update_work_item: { id: 'a', status: 'complete' },
  request_new_session: { prompt: null },
  set_job_params: { params: { lane: 'fast' } },
  goto_phase: { phase: 'testing', reason: 'because' },
  await_event: { kinds: null, prId: null, resumePhase: null },
  escalate: { message: 'help' },
  switch_workflow: {
    workflowPath: 'w.md',
    workflow: workflow([phase('x')]),
    toPhase: 'x',
    reason: 'r',
  },
  post_artifact: {
    id: 'art',
    kind: 'report-md',
    title: 'T',
    mime: 'text/markdown',
    size: 1,
    sha256: 's',
  },
  add_insight: { id: 'ins', category: 'pitfall', text: 'careful' },
  propose_change: { id: 'prop', kind: 'memory', layer: 'tenant', paths: ['memory/build.md'] },
  forge_write: { key: 'k', forge: 'local', operation: 'create_pr', args: {} },
  checkout: { dir: 'shop', absDir: '/w/shop' },
};

const coding = () => {
  const job = new SteppedJob().reach('coding');
  job.tool('set_work_items', { items: [item('a')] });
  return job;
};

for (const [name, data] of Object.entries(CALLS)) {
  test(`${name} is taken from the session that runs now, and from no other (TOOL-1)`, () => {
    const open = coding();
    // What await_event waits for.
    if (name === 'await_event') open.createPr(1);
    assert.is(open.tool(name, data), true);
    for (const fence of [{ visit: 1 }, { session: 0 }, { session: 2 }, { visit: 3 }]) {
      const job = coding();
      const before = structuredClone(job.context);
      assert.is(job.tool(name, { ...data, ...fence }), false, JSON.stringify(fence));
      assert.equal(job.context, before);
    }
  });
}

test('outside of a session every tool is refused', () => {
  for (const state of LEAF_STATES.filter((leaf) => leaf !== 'working.inSession')) {
    const job = jobIn(state);
    for (const [name, data] of Object.entries(CALLS))
      assert.is(job.tool(name, data), false, `${name} in ${state}`);
  }
});

test('the agent gets the exact reason of a refusal', () => {
  const { context } = coding();
  const say = (name: string, data: Record<string, unknown>) =>
    findToolProblems(context, { type: `tool.${name}`, visit: 2, session: 1, ...data } as Parameters<
      typeof findToolProblems
    >[1]);
  assert.equal(say('update_work_item', { id: 'zzz' }), [
    'there is no work item zzz; the job has a',
  ]);
  assert.equal(say('goto_phase', { phase: 'deploy', reason: '' }), [
    'there is no phase deploy; the workflow has planning, coding, pr-wait, testing, evaluation, reporting',
  ]);
  assert.equal(say('set_job_params', { params: { repoSlug: 'x', autoApprove: true } }), [
    'an agent cannot set these keys: repoSlug, autoApprove',
  ]);
  assert.equal(
    say('switch_workflow', {
      workflowPath: 'w.md',
      workflow: workflow([phase('x')]),
      toPhase: 'y',
      reason: '',
    }),
    ['there is no phase y; the workflow has x'],
  );
  assert.equal(say('goto_phase', { phase: 'testing', reason: '', visit: 1 }), [
    'the call comes from visit 1, session 1, which is over: end your turn now',
  ]);
  assert.equal(say('goto_phase', { phase: 'testing', reason: '' }), []);
});

test('set_job_params merges at once, on the top level only (TOOL-1)', () => {
  const job = new SteppedJob(undefined, { params: { repoSlug: 'shop', notes: { a: 1 } } }).run();
  job.tool('set_job_params', { params: { notes: { b: 2 }, lane: 'fast' } });
  assert.equal(job.context.params, { repoSlug: 'shop', notes: { b: 2 }, lane: 'fast' });
});

test('a second work item in progress is refused (JOB-4)', () => {
  const job = coding();
  job.tool('set_work_items', { items: [item('a', 'in-progress'), item('b')] });
  assert.is(job.tool('update_work_item', { id: 'b', status: 'in-progress' }), false);
  job.createPr(7);
  assert.is(
    job.tool('update_work_item', { id: 'b', title: 'Do B', prIds: ['local:shop#7'] }),
    true,
  );
  assert.equal(job.context.workItems[1], { ...item('b'), title: 'Do B', prIds: ['local:shop#7'] });
});

test('an artefact is a row and a frame; a plan is what is shown for approval (JOB-10, TOOL-2)', () => {
  const job = new SteppedJob().run();
  job.tool('post_artifact', {
    id: 'art',
    kind: 'plan-md',
    title: 'Plan',
    mime: 'text/markdown',
    size: 4,
    sha256: 'abc',
  });
  const row = {
    id: 'art',
    kind: 'plan-md',
    title: 'Plan',
    mime: 'text/markdown',
    size: 4,
    sha256: 'abc',
    phase: 'planning',
    visit: 1,
  };
  assert.equal(job.rows('artefacts'), [{ job_id: 'shop-job-1', ...row, at: job.now }]);
  assert.equal(job.frames.at(-1), {
    kind: 'artefact',
    data: { ...row, at: new Date(job.now).toISOString() },
  });
  assert.equal(job.context.shown, { artefactId: 'art', sha256: 'abc' });
  job.tool('post_artifact', {
    id: 'rep',
    kind: 'report-md',
    title: 'R',
    mime: 'text/markdown',
    size: 4,
    sha256: 'def',
  });
  assert.equal(job.context.shown, { artefactId: 'art', sha256: 'abc' });
});

test('insights are rows that can be removed in every state (JOB-10)', () => {
  for (const state of LEAF_STATES) {
    const job = jobIn(state);
    job.tables.set('insights', [{ job_id: 'shop-job-1', id: 'ins' }]);
    assert.is(job.send({ type: 'insight.remove', id: 'ins' }), true, state);
    assert.equal(job.rows('insights'), []);
    assert.is(job.at, state);
  }
  const job = coding();
  job.tool('add_insight', { id: 'ins', category: 'pitfall', text: 'careful' });
  assert.equal(job.rows('insights'), [
    {
      job_id: 'shop-job-1',
      id: 'ins',
      at: job.now,
      phase: 'coding',
      category: 'pitfall',
      text: 'careful',
    },
  ]);
});

test('a write goes through the outbox; its answer is a row, its pull request a mapping of the current work item (TOOL-6)', () => {
  const job = coding();
  job.tool('update_work_item', { id: 'a', status: 'in-progress' });
  job.tool('forge_write', {
    key: 'k',
    forge: 'local',
    operation: 'create_pr',
    args: { title: 'T' },
  });
  assert.equal(job.effects, [
    {
      type: 'forge.write',
      params: {
        key: 'k',
        forge: 'local',
        operation: 'create_pr',
        args: { title: 'T' },
        at: job.now,
      },
    },
  ]);
  assert.is(
    job.tool('forge_write', { key: 'k', forge: 'local', operation: 'create_pr', args: {} }),
    false,
    'it is on its way',
  );
  job.send({
    type: 'forge.wrote',
    key: 'k',
    operation: 'create_pr',
    ok: true,
    pr: pr(1),
    result: { number: 1 },
  });
  assert.equal(job.rows('tool_answers'), [
    { job_id: 'shop-job-1', key: 'k', ok: 1, result: '{"number":1}' },
  ]);
  assert.equal(job.rows('pr_mappings'), [
    {
      forge: 'local',
      repo: 'shop',
      number: 1,
      job_id: 'shop-job-1',
      pr_id: 'local:shop#1',
      title: 'PR 1',
      head: 'work-1',
      base: 'main',
      url: 'http://127.0.0.1/shop/1',
      state: 'open',
      work_item: null,
      merged_at: null,
    },
  ]);
  assert.equal(job.context.writes, []);
  assert.equal(job.context.workItems[0]?.prIds, ['local:shop#1']);
  assert.equal(job.context.prs, [
    {
      prId: 'local:shop#1',
      forge: 'local',
      repo: 'shop',
      number: 1,
      state: 'open',
      workItem: null,
    },
  ]);
});

test('the answer of a write is taken in every state: it outlives the session that asked (TOOL-6)', () => {
  for (const state of LEAF_STATES) {
    const job = jobIn(state);
    const merged = pr(1, { state: 'merged', mergedAt: '2026-01-01T00:00:00.000Z' });
    assert.is(
      job.send({
        type: 'forge.wrote',
        key: 'm',
        operation: 'merge_pr',
        ok: true,
        pr: merged,
        result: {},
      }),
      true,
    );
    assert.equal(job.at, state);
    assert.equal(job.context.prs[0]?.state, 'merged');
    assert.equal(job.rows('pr_mappings')[0]?.merged_at, '2026-01-01T00:00:00.000Z');
  }
});

test('an answer that the forge gave before the merge does not open the pull request again (EVT-2)', () => {
  const job = coding();
  job.createPr(1);
  job.tool('forge_write', { key: 'again', forge: 'local', operation: 'create_pr', args: {} });
  const at = new Date(job.now).toISOString();
  job.prEvent('merged');
  job.send({
    type: 'forge.wrote',
    key: 'again',
    operation: 'create_pr',
    ok: true,
    pr: pr(1),
    result: { existing: true },
  });
  assert.is(job.context.prs[0]?.state, 'merged');
  assert.equal(
    job.rows('pr_mappings').map(({ state, merged_at }) => [state, merged_at]),
    [['merged', at]],
  );
});

test("a comment on another job's pull request does not take it over (EVT-4)", () => {
  const job = coding();
  job.send({
    type: 'forge.wrote',
    key: 'c',
    operation: 'post_pr_comment',
    ok: true,
    pr: pr(9),
    result: {},
  });
  assert.equal(job.context.prs, []);
  assert.equal(job.rows('pr_mappings'), []);
  assert.equal(job.rows('tool_answers').length, 1);
});

test('usage of a session is a row and a frame (JOB-11)', () => {
  const job = coding();
  const usage = { inputTokens: 10, outputTokens: 2, cachedInputTokens: 1 };
  job.send({
    type: 'session.ended',
    visit: 2,
    session: 1,
    stopReason: 'end_turn',
    error: null,
    usage,
  });
  assert.equal(job.rows('token_usage'), [
    {
      job_id: 'shop-job-1',
      visit: 2,
      session: 1,
      phase: 'coding',
      input_tokens: 10,
      output_tokens: 2,
      cached_input_tokens: 1,
    },
  ]);
  const frame = job.frames.find(({ kind }) => kind === 'usage');
  assert.equal(frame?.data, { phase: 'coding', visit: 2, session: 1, usage });
});

test('the end of a session that is over is refused', () => {
  const job = coding();
  const endEvent = {
    type: 'session.ended',
    visit: 2,
    session: 1,
    stopReason: 'end_turn',
    error: null,
    usage: null,
  };
  assert.equal(job.send({ ...endEvent, session: 2 }), false);
  assert.equal(job.send({ ...endEvent, visit: 1 }), false);
  assert.equal(job.send(endEvent), true);
  assert.equal(job.send(endEvent), false);
});

test('a job that grows is refused further calls long before its context is full; its end is not', () => {
  const large = (name: string) =>
    workflow([phase(name), phase('z', { obligations: ['x'.repeat(11_500)] })]);
  const job = new SteppedJob(large('a')).run();
  assert.is(job.tool('set_job_params', { params: { notes: 'x'.repeat(16_000) } }), true);
  assert.is(
    job.tool('switch_workflow', {
      workflowPath: 'w.md',
      workflow: large('b'),
      toPhase: 'b',
      reason: '',
    }),
    true,
  );
  assert.is(
    job.tool('set_work_items', {
      items: Array.from({ length: 40 }, (_, n) => ({ ...item(`i${n}`), title: 'x'.repeat(150) })),
    }),
    false,
  );
  assert.match(
    findToolProblems(job.context, {
      type: 'tool.escalate',
      message: 'x'.repeat(9000),
      visit: 1,
      session: 1,
    })[0] ?? '',
    /would take \d+ bytes of at most 49152/u,
  );
  assert.ok(JSON.stringify(job.context).length < 49_152);
  job.end();
  assert.equal(job.at, 'working.inSession');
  assert.equal(job.context.phase, 'b');
});

test('a job owns at most 50 pull requests', () => {
  const job = coding();
  const results = Array.from({ length: 60 }, (_, n) => job.createPr(n + 1));
  assert.equal(results.filter(Boolean).length, 50);
  assert.equal(job.context.prs.length, 50);
});

test.run();
