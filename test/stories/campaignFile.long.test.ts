import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Campaign } from '../../src/contract/schema/job/campaign.ts';
import { type Story, story } from '../support/story.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('stories: a campaign that is given with the request');
const long = longLane(test);

const CAMPAIGN = `
initial_phase: planning
initial_status: campaign-planning
phases:
  - { name: planning, agent: agents/planner.md, status: campaign-planning }
  - { name: awaiting-sub-runs, agent: null, status: awaiting-sub-runs }
  - { name: aggregating, agent: agents/aggregator.md, status: aggregating }
coordinator:
  enabled: true
  parkPhase: awaiting-sub-runs
  resumePhase: aggregating
  subRunWorkflowPath: workflows/part.md
  maxParallelSubRuns: 2
  failurePolicy: halt-on-failure
  forwardSiblingInsights: true
`;

const PART = `---
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/worker.md, status: working }
---

A part.
`;

const programs = {
  planner: "throw new Error('no planning here')",
  worker: `
    tool('add_insight', { category: 'convention', text: 'from ' + process.cwd().split('/').at(-2) });
    if (readFileSync(process.env.SVC_SESSION_DIR + '/system.md', 'utf8').includes('this one breaks')) process.exit(9);
  `,
  aggregator: "tool('add_insight', { category: 'summary', text: kickoff });",
};

const campaign = { workflow: CAMPAIGN, tenant: { 'workflows/part.md': PART }, programs };

const post = async (it: Story, path: string, body: unknown) => {
  const response = await fetch(`${it.runner.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${it.runner.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const graph = async (it: Story, id: string): Promise<Campaign> => {
  const headers = { authorization: `Bearer ${it.runner.token}` };
  return (await (
    await fetch(`${it.runner.url}/jobs/${id}/sub-runs`, { headers })
  ).json()) as Campaign;
};

const start = (it: Story, subRuns: unknown[]) =>
  post(it, '/jobs', {
    type: 'campaign',
    workflowPath: 'workflows/story.md',
    params: { repoSlug: 'repo', description: 'all of it' },
    subRuns,
  });

test(
  'its graph is run without a planner, its insights come together, and the parent completes (SUB-1 SUB-2 SUB-5)',
  story(campaign, async (it) => {
    const { status, body } = await start(it, [
      { name: 'a', description: 'the first' },
      { name: 'b', description: 'the second', dependsOn: ['a'] },
      { name: 'c', description: 'the third', dependsOn: ['a'] },
    ]);
    assert.is(status, 201, JSON.stringify(body));
    const id = String(body.jobId);
    const endedJob = await it.until(id, (job) => job.ended);
    assert.equal(endedJob.status, 'complete');
    assert.equal(
      endedJob.phases.map(({ phase }) => phase),
      ['awaiting-sub-runs', 'aggregating'],
    );
    assert.equal(
      endedJob.subRuns.map(({ name, status: how, attempt }) => [name, how, attempt]),
      [
        ['a', 'complete', 1],
        ['b', 'complete', 1],
        ['c', 'complete', 1],
      ],
    );
    assert.is(endedJob.aggregatedSiblingInsights.length, 3);
    assert.match(endedJob.insights[0]?.text ?? '', /All sub-runs have ended: 3 complete\./);
    const b = await it.client.job(endedJob.subRuns[1]?.jobId ?? '');
    assert.equal(b.parentJobId, id);
    assert.equal(b.aggregatedSiblingInsights.length, 1);
  }),
);

long(
  'a failure halts it, what a command would do is shown first, and a rerun and a skip bring it to its end (SUB-4 SUB-6)',
  story(campaign, async (it) => {
    const { body } = await start(it, [
      { name: 'a', description: 'this one breaks' },
      { name: 'b', description: 'the second', dependsOn: ['a'] },
      { name: 'c', description: 'the third', dependsOn: ['b'] },
    ]);
    const id = String(body.jobId);
    const parent = await it.until(id, (job) => job.parked?.kind === 'halted');
    assert.match(parent.parked?.reason ?? '', /^a did not succeed: rerun, skip or cancel/);
    const halted = await graph(it, id);
    assert.equal(
      halted.subRuns.map(({ name, status, waitsFor }) => [name, status, waitsFor]),
      [
        ['a', 'failed', null],
        ['b', 'pending', 'for a (failed)'],
        ['c', 'pending', 'for b (pending)'],
      ],
    );
    const foreseen = await post(it, `/jobs/${id}/sub-runs/b/what-if`, { action: 'skip' });
    assert.equal(foreseen.body, {
      refused: null,
      state: 'halted',
      changes: [
        { name: 'b', from: 'pending', to: 'skipped', reason: 'skipped by developer' },
        { name: 'c', from: 'pending', to: 'ready', reason: null },
      ],
      starts: [],
      stops: [],
    });
    const skipped = await post(it, `/jobs/${id}/sub-runs/b/skip`, {});
    assert.equal(skipped.status, 200);
    assert.equal(skipped.body.changes, foreseen.body.changes);
    const again = await post(it, `/jobs/${id}/sub-runs/a/rerun`, {
      paramsPatch: { description: 'whole' },
      reason: 'fixed',
    });
    assert.equal(again.status, 200);
    assert.equal(again.body.starts, ['a', 'c']);
    const endedJob = await it.until(id, (job) => job.ended);
    assert.equal(endedJob.status, 'complete');
    assert.equal(
      endedJob.subRuns.map(({ status }) => status),
      ['complete', 'skipped', 'complete'],
    );
  }),
);

test(
  'what is wrong with its graph is said all at once, and nothing is made (SUB-1)',
  story(campaign, async (it) => {
    const { status, body } = await start(it, [
      { name: 'a', description: 'x', dependsOn: ['b'] },
      { name: 'b', description: 'x', dependsOn: ['a', 'missing'] },
      { name: 'c', description: 'x', params: { lane: 'nowhere' } },
    ]);
    assert.equal(status, 422);
    assert.equal(
      (body.errors as { message: string }[]).map(({ message }) => message),
      [
        'b depends on missing, which is not registered',
        'there is a cycle: a -> b -> a',
        'c: no workflow has the id nowhere (params.lane); known: campaign, job-automerge, job, part, self-update, story, sub-run',
      ],
    );
    assert.is((await it.client.jobs()).total, 0);
  }),
);

test.run();
