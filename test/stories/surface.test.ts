import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Story, story } from '../support/story.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('stories: surface');
const long = longLane(test);

const ONE_PHASE = `
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/worker.md, status: working }
`;

const AWAITING = `
initial_phase: coding
initial_status: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding }
  - { name: awaiting-merge, agent: null, status: awaiting-pr-merge }
  - { name: testing, agent: agents/tester.md, status: testing }
`;

const OPEN_PR = `
git('switch', '-q', '-c', 'change');
writeFileSync('note.txt', 'a note');
git('add', '--all');
git('commit', '-q', '-m', 'a note');
const pr = tool('local_create_pr', { head: 'change', title: 'A change' });
tool('await_event', { prId: pr.prId });
`;

const nothing = {
  workflow: ONE_PHASE,
  programs: { worker: "tool('add_insight', { category: 'a', text: 'b' });" },
};

const svc = (it: Story, ...args: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, '../../cli/bin/run.js'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, SVC_HOME: it.home, NO_COLOR: '1' },
  });

test(
  'a command with an Idempotency-Key is done once, also over a crash of the runner (HTTP-1)',
  story(nothing, async (it) => {
    const body = {
      type: 'job',
      workflowPath: 'workflows/story.md',
      params: { repoSlug: 'repo', description: 'once' },
    };
    const first = await it.client.createJob(body, { idempotencyKey: 'create-1' });
    assert.equal(await it.client.createJob(body, { idempotencyKey: 'create-1' }), first);
    await it.runner.kill();
    await it.runner.start();
    assert.equal(await it.client.createJob(body, { idempotencyKey: 'create-1' }), first);
    const other = { ...body, params: { ...body.params, description: 'twice' } };
    const refused = await it.client
      .createJob(other, { idempotencyKey: 'create-1' })
      .catch((error) => error);
    assert.equal(refused.status, 422);
    assert.equal(refused.code, 'invalid');
    assert.equal((await it.client.jobs()).total, 1);
  }),
);

long(
  'a pull request that was merged by hand while no runner ran wakes its job at the next start (RUN-4 EVT-4)',
  story(
    { workflow: AWAITING, programs: { coder: OPEN_PR, tester: "console.log('tested')" } },
    async (it) => {
      const id = await it.job();
      await it.until(id, (job) => job.parked?.kind === 'event');
      await it.runner.stop();
      it.git('fetch', '-q', it.repository, 'change', 'main');
      it.git('merge', '-q', '--no-ff', '-m', 'by hand', 'FETCH_HEAD');
      it.git('push', '-q', it.repository, 'HEAD:main');
      await it.runner.start();
      const endedJob = await it.until(id, (job) => job.ended);
      assert.equal(endedJob.status, 'complete');
      assert.equal(
        endedJob.prMappings.map(({ state }) => state),
        ['merged'],
      );
    },
  ),
);

long(
  'lists are filtered and paged; older names still work and are counted (HTTP-2 RUN-2 RUN-7 JOB-2)',
  story(nothing, async (it) => {
    const ids = [await it.job(), await it.job(), await it.job()];
    for (const id of ids) await it.until(id, (job) => job.ended);
    const page = await it.client.jobs({ status: 'complete', limit: 2 });
    assert.equal(
      page.jobs.map(({ id }) => id),
      [ids[2], ids[1]],
    );
    assert.equal(page.total, 3);
    assert.equal((await it.client.jobs({ status: 'failed' })).total, 0);
    const legacy = await fetch(
      `${it.runner.url}/jobs?campaignParentId=none&status=awaiting-children`,
    );
    assert.equal(legacy.status, 200);
    assert.equal(legacy.headers.has('deprecation'), true);
    assert.equal(await legacy.json(), []);
    const health = await it.client.health();
    assert.equal(health.version, '0.2.0');
    assert.equal(health.mode, 'local');
    assert.equal(
      health.deprecatedUses.map(({ name, instead, uses }) => [name, instead, uses]).sort(),
      [
        ['query campaignParentId', 'query parentJobId', 1],
        ['status awaiting-children', 'status awaiting-sub-runs', 1],
      ],
    );
  }),
);

long(
  'insights are listed and removed; the removal is a row of the journal (JOB-10)',
  story(nothing, async (it) => {
    const id = await it.job();
    const endedJob = await it.until(id, (job) => job.ended);
    const [insight] = await it.client.insights(id);
    assert.equal(endedJob.insights, [insight]);
    await it.client.removeInsight(id, String(insight?.id));
    assert.equal(await it.client.insights(id), []);
    assert.is((await it.client.journal(id)).at(-1)?.event.type, 'insight.remove');
    const again = await it.client.removeInsight(id, String(insight?.id)).catch((error) => error);
    assert.is(again.status, 404);
  }),
);

test(
  'the stream continues after Last-Event-ID without a gap or a duplicate (HTTP-3)',
  story(nothing, async (it) => {
    const id = await it.job();
    await it.until(id, (job) => job.ended);
    const numbers = async (headers: Record<string, string>) => {
      const text = await (await fetch(`${it.runner.url}/jobs/${id}/stream`, { headers })).text();
      return [...text.matchAll(/^id: (\d+)$/gm)].map(([, n]) => Number(n));
    };
    const all = await numbers({});
    assert.equal(
      all,
      all.map((_, index) => index + 1),
    );
    assert.equal(await numbers({ 'last-event-id': '3' }), all.slice(3));
  }),
);

long(
  'what-if says what a rerun would do, and then it does just that',
  story(nothing, async (it) => {
    const id = await it.job();
    await it.until(id, (job) => job.ended);
    const foreseen = await it.client.whatIf(id, { type: 'job.rerun', phase: 'work' });
    assert.equal(foreseen.accepted, true);
    assert.equal(foreseen.value, 'queued');
    const reply = await it.client.rerun(id, 'work');
    const [row] = await it.client.journal(id, { after: reply.seq - 1, limit: 1 });
    assert.equal(row?.event.type, 'job.rerun');
    assert.equal(row?.path.at(-1), 'queued');
    const again = await it.until(id, (job) => job.ended && job.visit === 2);
    assert.equal(
      again.phases.map(({ phase, outcome }) => [phase, outcome]),
      [
        ['work', 'complete'],
        ['work', 'complete'],
      ],
    );
  }),
);

test(
  'the command line runs a headless job to its end and says by its exit code how it ended (CLI-6 JOB-16)',
  story(
    {
      workflow: ONE_PHASE,
      programs: {
        worker:
          "if (kickoff && JSON.parse(readFileSync(process.env.SVC_SESSION_DIR + '/session.json')).jobId.startsWith('bad')) process.exit(1);",
      },
    },
    async (it) => {
      const args = [
        'job',
        '--repo',
        'repo',
        '--reviewers',
        'ann',
        '--description',
        'x',
        '--workflow',
        'workflows/story.md',
        '--wait',
        '--json',
      ];
      const good = svc(it, ...args);
      assert.is(good.status, 0, good.stderr);
      assert.is(JSON.parse(good.stdout).status, 'complete');
      const bad = svc(it, ...args, '--service-name', 'bad');
      assert.is(bad.status, 6, bad.stderr);
    },
  ),
);

test.run();
