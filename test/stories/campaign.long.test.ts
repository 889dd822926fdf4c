import { statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Campaign } from '../../src/contract/schema/job/campaign.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { PATIENCE_MS } from '../support/inTime.ts';
import { Looks } from '../support/looks.ts';
import { type Story, type StoryOptions, story } from '../support/story.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('stories: campaigns');
const long = longLane(test);

const workflow = (failurePolicy: string): string => `
initial_phase: planning
initial_status: campaign-planning
phases:
  - { name: planning, agent: agents/planner.md, status: campaign-planning, interactive_checkpoint: true }
  - { name: awaiting-sub-runs, agent: null, status: awaiting-sub-runs }
  - { name: aggregating, agent: agents/aggregator.md, status: aggregating }
coordinator:
  enabled: true
  parkPhase: awaiting-sub-runs
  parkStatus: awaiting-sub-runs
  resumePhase: aggregating
  subRunWorkflowPath: workflows/part.md
  subRunParamsDefault: { epicAllowed: false, colour: blue }
  maxParallelSubRuns: 2
  failurePolicy: ${failurePolicy}
  forwardSiblingInsights: true
`;

const PART = `---
initial_phase: coding
initial_status: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding }
  - { name: awaiting-pr-merge, agent: null, status: awaiting-pr-merge }
createParams: { required: [repo, description], optional: [] }
---

A part.
`;

/**
 * A diamond a -> b, c -> d and its tail e. The tools are called under their newer names, and under
 * the older ones once.
 */
const PLANNER = `
tool('register_sub_run', { name: 'a', description: 'part a', params: { colour: 'red' } });
tool('register_sub_run', { name: 'b', description: 'part b', dependsOn: ['a', 'x'] });
tool('campaign_register_child', { name: 'c', description: 'part c', dependsOn: ['a'], params: { lane: 'fast', broken: true } });
tool('register_sub_run', { name: 'd', description: 'part d', dependsOn: ['b', 'c', 'e'] });
tool('register_sub_run', { name: 'e', description: 'part e', dependsOn: ['d'] });
console.log('refused: ' + refused('finalize_sub_runs').replaceAll('\\n', ' '));
tool('register_sub_run', { name: 'b', description: 'part b', dependsOn: ['a'] });
tool('register_sub_run', { name: 'c', description: 'part c', dependsOn: ['a'], params: { broken: true } });
tool('register_sub_run', { name: 'd', description: 'part d', dependsOn: ['b', 'c'] });
tool('finalize_sub_runs');
`;

/** Opens a pull request, or gives up while params.broken is true. */
const CODER = `
const prompt = readFileSync(process.env.SVC_SESSION_DIR + '/system.md', 'utf8');
const { params, siblingInsights = [] } = JSON.parse(/\`\`\`json\\n(.*?)\\n\`\`\`/s.exec(prompt)[1]);
if (kickoff.includes('merged')) process.exit(0);
const name = params.description.at(-1);
console.log('knows: ' + siblingInsights.map(({ text }) => text).join(', '));
if (params.broken === true) {
  tool('escalate', { message: 'params.broken is true' });
  process.exit(0);
}
if (git('branch', '--list', name) === '') git('switch', '-q', '-c', name);
writeFileSync(name + '.txt', name);
git('add', '--all');
git('commit', '-q', '--allow-empty', '-m', 'part ' + name);
tool('add_insight', { category: 'convention', text: 'all parts agree' });
tool('add_insight', { category: 'contract-drift', text: name + ' differs' });
const pr = tool('local_create_pr', { head: name, title: 'Part ' + name });
tool('await_event', { prId: pr.prId, resumePhase: 'coding' });
`;

const AGGREGATOR = `
console.log(kickoff.split('\\n').find((line) => line.includes('sub-runs have ended')));
console.log('not listed: ' + refused('rerun_sub_run', { name: 'a' }));
`;

const options = (failurePolicy: string): StoryOptions => ({
  workflow: workflow(failurePolicy),
  programs: { planner: PLANNER, coder: CODER, aggregator: AGGREGATOR },
  tenant: { 'workflows/part.md': PART },
});

const statuses = ({ subRuns }: Pick<Job, 'subRuns'>): Record<string, string> =>
  Object.fromEntries(subRuns.map(({ name, status }) => [name, status]));

/**
 * The job until it is as wanted; meanwhile a person approves the plan and merges what the sub-runs
 * open.
 */
const untilWith = async (
  it: Story,
  jobId: string,
  isReached: (job: Job, campaign: Campaign | null) => boolean,
): Promise<Job> => {
  let most = 0;
  const deadline = Date.now() + PATIENCE_MS;
  const looks = new Looks();
  for (;;) {
    const job = await it.client.job(jobId);
    const campaign = job.subRuns.length > 0 ? await it.client.campaign(jobId) : null;
    most = Math.max(most, job.subRuns.filter(({ status }) => status === 'dispatched').length);
    assert.ok(most <= 2, `${most} sub-runs at once`);
    if (isReached(job, campaign)) return job;
    if (Date.now() > deadline)
      throw new Error(`it did not get there: ${JSON.stringify({ job, campaign }, null, 2)}`);
    if (job.parked?.kind === 'approval')
      await it.client.resume(jobId, { eventKey: 'approve', shown: String(job.approval?.shown) });
    for (const { jobId: id, status } of job.subRuns)
      if (status === 'dispatched' && id !== null) await mergeOpen(it, id);
    await looks.pause();
  }
};

const mergeOpen = async (it: Story, id: string): Promise<void> => {
  const job = await it.client.job(id);
  const open = job.prMappings.find(({ state }) => state === 'open');
  if (job.parked?.kind === 'event' && open)
    await it.client.mergePullRequest(open.repo, open.number, { author: 'ann' });
};

test(
  'a campaign halts at a failure; what-if tells what each decision would do, a rerun with other params and a skip finish it, and the parent sums up (SUB-1 SUB-2 SUB-3 SUB-4 SUB-5 SUB-6 SUB-8 TOOL-4 TOOL-5 TOOL-11 INT-10)',
  story(options('halt-on-failure'), async (it) => {
    const id = await it.job({ type: 'feature' });
    await it.until(id, (job) => job.parked?.kind === 'approval');
    assert.is(
      (await it.client.campaign(id)).state,
      'finalized',
      'nothing begins before the approval',
    );

    await untilWith(
      it,
      id,
      (job, campaign) => campaign?.state === 'halted' && statuses(job).b === 'complete',
    );
    const halted = await it.until(id, (job) => job.parked?.kind === 'halted');
    assert.is(halted.state.join(), 'parked.halted');
    assert.equal(statuses(halted), {
      a: 'complete',
      b: 'complete',
      c: 'escalated',
      d: 'pending',
      e: 'pending',
    });

    const skip = await it.client.subRunWhatIf(id, 'c', { action: 'skip' });
    assert.equal(skip.refused, null);
    assert.equal(skip.state, 'dispatching');
    assert.equal(skip.starts, ['d']);
    assert.equal(skip.stops, []);
    assert.equal(
      skip.changes.map(({ name, from, to }) => [name, from, to]),
      [
        ['c', 'escalated', 'skipped'],
        ['d', 'pending', 'dispatched'],
      ],
    );
    const paramsPatch = { broken: false };
    const whatIf = await it.client.subRunWhatIf(id, 'c', { action: 'rerun', paramsPatch });
    const still = await it.until(id, (job) => job.parked?.kind === 'halted');
    assert.equal(still.subRuns, halted.subRuns, 'a question changes nothing');

    await it.client.skipSubRun(id, 'e', { reason: 'not needed' });
    const change = await it.client.rerunSubRun(id, 'c', { reason: 'fixed', paramsPatch });
    assert.equal(
      {
        state: change.state,
        changes: change.changes,
        starts: change.starts,
        stops: change.stops,
        refused: null,
      },
      { ...whatIf },
      'what happens is what was announced',
    );

    const endedJob = await untilWith(it, id, (job) => job.ended);
    assert.equal(endedJob.status, 'complete');
    assert.equal(statuses(endedJob), {
      a: 'complete',
      b: 'complete',
      c: 'complete',
      d: 'complete',
      e: 'skipped',
    });
    assert.equal(
      endedJob.phases.map(({ phase }) => phase),
      ['planning', 'awaiting-sub-runs', 'aggregating'],
    );
    const subRun = (name: string) => endedJob.subRuns.find((one) => one.name === name);
    assert.equal(subRun('c')?.attempt, 2);
    assert.equal(subRun('e')?.reason, 'skipped by developer: not needed');
    assert.equal(endedJob.campaignChildren, endedJob.subRuns, 'the older field has the same');

    const a = await it.client.job(subRun('a')?.jobId ?? '');
    assert.equal(a.params, {
      repoSlug: 'repo',
      description: 'part a',
      epicAllowed: false,
      colour: 'red',
      parentJobId: id,
      repoCheckoutDir: a.params.repoCheckoutDir,
      repoCheckoutAbsDir: a.params.repoCheckoutAbsDir,
    });
    assert.equal(a.parentJobId, id);
    assert.equal(a.workflowPath, 'workflows/part.md');
    const b = await it.client.job(subRun('b')?.jobId ?? '');
    assert.equal(b.params.colour, 'blue');
    assert.equal(
      b.aggregatedSiblingInsights.map(({ text }) => text),
      ['all parts agree', 'a differs'],
    );
    assert.ok(
      (await it.log(b.id)).some((line) => line.includes('knows: all parts agree, a differs')),
      'a sub-run is notified',
    );

    const drift = (await it.client.campaign(id)).contractDrift.map(
      ({ text, subRun: of }) => `${of}: ${text}`,
    );
    assert.equal(drift.sort(), ['a: a differs', 'b: b differs', 'c: c differs', 'd: d differs']);
    const texts = endedJob.aggregatedSiblingInsights.map(({ text }) => text);
    assert.equal(texts.length, 5, 'the same thing is said once');
    assert.equal(
      texts.filter((text) => text === 'all parts agree').length,
      1,
      'the same thing is said once',
    );

    const log = (await it.log(id)).join('\n');
    for (const part of [
      'b depends on x, which is not registered',
      'there is a cycle: d -> e -> d',
      'no workflow has the id fast',
      'All sub-runs have ended: 4 complete, 1 skipped.',
    ]) {
      assert.ok(log.includes(part), part);
    }
    assert.match(
      log,
      /not listed: .*offered only where the key tools of the phase aggregating/,
      'the aggregator tried to run one again',
    );
    assert.is(subRun('a')?.attempt, 1, 'and could not: its phase does not list the tool');
    assert.ok(
      statSync(
        join(a.params.repoCheckoutAbsDir as string, '..', '..', id, 'contracts'),
      ).isDirectory(),
    );
  }),
);

long(
  'under continue the dependents of a failed sub-run are skipped with its name, the others continue, and the parent is notified; after a rerun the parent waits again (SUB-2 SUB-4 SUB-6)',
  story(options('continue'), async (it) => {
    const id = await it.job();
    const endedJob = await untilWith(it, id, (job) => job.ended);
    assert.equal(endedJob.status, 'complete');
    assert.equal(statuses(endedJob), {
      a: 'complete',
      b: 'complete',
      c: 'escalated',
      d: 'skipped',
      e: 'skipped',
    });
    const reasons = Object.fromEntries(endedJob.subRuns.map(({ name, reason }) => [name, reason]));
    assert.match(reasons.d ?? '', 'c');
    assert.match(reasons.e ?? '', 'c');
    assert.ok(
      (await it.log(id)).some((line) => line.includes('2 complete, 1 escalated, 2 skipped')),
    );
    assert.equal(endedJob.subRunFailures, {
      failed: 0,
      escalated: 1,
      text: 'complete, 1 sub-run escalated',
    });

    const again = await it.client.rerunSubRun(id, 'c', { paramsPatch: { broken: false } });
    assert.equal(again.state, 'reopened');
    assert.equal(
      again.changes.map(({ name, from, to }) => [name, from, to]),
      [
        ['c', 'escalated', 'pending'],
        ['d', 'skipped', 'pending'],
        ['e', 'skipped', 'pending'],
      ],
    );
    const repaired = await untilWith(
      it,
      id,
      (job) => job.ended && job.subRuns.every(({ status }) => status === 'complete'),
    );
    assert.equal(repaired.status, 'complete');
    assert.equal(repaired.subRunFailures, undefined);
    assert.equal(
      repaired.phases.map(({ phase }) => phase),
      ['planning', 'awaiting-sub-runs', 'aggregating', 'aggregating'],
      'resumePhase runs once for each settlement',
    );
    await it.client.rerun(id, 'aggregating');
    await it.client.cancel(id);
    const cancelled = await it.until(id, (job) => job.status === 'cancelled');
    assert.is(cancelled.ended, true);
    const refused = await it.client.subRunWhatIf(id, 'c', { action: 'rerun' });
    assert.match(refused.refused ?? '', /was cancelled/);
  }),
);

test(
  'killed while sub-runs are under way, the campaign ends with the same sub-runs, none lost and none twice (SUB-7)',
  story(options('continue'), async (it) => {
    const id = await it.job();
    await untilWith(
      it,
      id,
      (job) => job.subRuns.filter(({ status }) => status === 'dispatched').length === 2,
    );
    await it.runner.kill();
    await it.runner.start();
    const endedJob = await untilWith(it, id, (job) => job.ended);
    assert.equal(statuses(endedJob), {
      a: 'complete',
      b: 'complete',
      c: 'escalated',
      d: 'skipped',
      e: 'skipped',
    });
    const { jobs: children } = await it.client.jobs({ parentJobId: id });
    assert.equal(
      children.map((job) => job.id).sort(),
      endedJob.subRuns.flatMap(({ jobId }) => (jobId === null ? [] : [jobId])).sort(),
    );
    assert.is(children.length, 3);
  }),
);

const CONVERTING = `
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/converter.md, status: working }
`;

long(
  'a job that turns out too large converts: the history records it, it starts again with no sub-runs, and only a workflow that coordinates is accepted (TOOL-4 TOOL-5 JOB-12)',
  story(
    {
      workflow: CONVERTING,
      programs: {
        converter: `
console.log('refused: ' + refused('register_sub_run', { name: 'a', description: 'x' }));
console.log('refused: ' + refused('convert_to_workflow', { workflowPath: 'workflows/story.md' }));
tool('convert_to_workflow', { workflowPath: 'workflows/large.md', params: { epic: 'shop' } });
`,
        planner: "console.log('plans'); tool('campaign_status');",
        aggregator: "console.log('sums up');",
      },
      tenant: {
        'workflows/large.md': `---\n${workflow('continue').trim()}\n---\n\nLarge.\n`,
        'workflows/part.md': PART,
      },
    },
    async (it) => {
      const id = await it.job();
      const job = await untilWith(it, id, (now) => now.ended);
      assert.equal(
        job.workflowPathHistory.map(({ from, to, fromPhase, toPhase, by }) => ({
          from,
          to,
          fromPhase,
          toPhase,
          by,
        })),
        [
          {
            from: 'workflows/story.md',
            to: 'workflows/large.md',
            fromPhase: 'work',
            toPhase: 'planning',
            by: 'convert_to_workflow',
          },
        ],
      );
      assert.equal(job.params.epic, 'shop');
      assert.equal(job.subRuns, []);
      assert.equal(job.status, 'complete');
      const log = (await it.log(id)).join('\n');
      assert.match(
        log,
        'no permission, nothing was done. workflows/story.md has no coordinator block',
      );
      assert.match(
        log,
        'convert_to_workflow: nothing was done. workflows/story.md has no coordinator block',
      );
    },
  ),
);

test.run();
