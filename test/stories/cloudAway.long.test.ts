import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSwitch } from '../support/cloud/openSwitch.ts';
import { defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import { startNodeProcess } from '../support/cloud/startNodeProcess.ts';
import { pairHome, waitUntil, startTeamNode } from '../support/cloud/testTeam.ts';
import { inTime, PATIENCE_MS } from '../support/inTime.ts';
import { Story } from '../support/story.ts';

const test = suite('story: the control plane of a runner is away');
const dbTest = defineDatabaseTests(test);

const WORKFLOW = `
initial_phase: plan
initial_status: planning
phases:
  - { name: plan, agent: agents/plan.md, status: planning, interactive_checkpoint: true }
  - { name: code, agent: agents/code.md, status: coding }
`;
const PROGRAMS = {
  plan: "tool('post_artifact', { kind: 'plan', title: 'The plan', mime: 'text/markdown', content: '# Plan' });",
  code: '',
};
const NEW_JOB = {
  type: 'job',
  workflowPath: 'workflows/story.md',
  params: { repoSlug: 'repo', description: 'asked for while it was away' },
} as const;

const readRefusal = (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    () => 'not refused',
    (error: unknown) => Object(error).code,
  );

/** A runner whose home has its log at a control plane, in a process of its own behind one address. */
async function openTeam() {
  const pairing = await startTeamNode();
  let node = await startNodeProcess(pairing.databaseUrl);
  const front = await openSwitch(node.url);
  const story = new Story({ workflow: WORKFLOW, programs: PROGRAMS });
  await story.runner.start();
  const homeId = JSON.parse(readFileSync(join(story.home, 'home.json'), 'utf8')).id;
  const { body } = await pairHome(pairing, { homeId });
  await story.client.updateConfig({ cloud: { url: front.url, token: body.token } });
  const readPlace = async () => (await story.client.health()).cloud?.state;
  await waitUntil(async () => (await readPlace())?.place === 'replicated', PATIENCE_MS);
  return {
    story,
    readPlace,
    killNode: () => node.kill(),
    async startNode(): Promise<void> {
      node = await startNodeProcess(pairing.databaseUrl);
      front.lead(node.url);
    },
    async [Symbol.asyncDispose]() {
      await story.end();
      await front.close();
      await node.kill();
      await pairing.stop();
    },
  };
}

dbTest(
  'what has begun and what is new is refused, both can be read, and nothing is lost',
  async () => {
    await using it = await openTeam();
    const { story, readPlace } = it;
    const { client } = story;
    const jobId = await story.job();
    const { approval } = await story.until(jobId, ({ parked }) => parked?.kind === 'approval');
    await waitUntil(async () => (await readPlace())?.changes === 0, PATIENCE_MS);

    const killedAt = Date.now();
    await it.killNode();
    const creation = client.createJob(NEW_JOB, { idempotencyKey: 'one' });
    assert.is(await readRefusal(creation), 'cloud-unreachable');
    await waitUntil(async () => (await readPlace())?.place === 'waiting', PATIENCE_MS);

    // What the banner of the dashboard is made of.
    const { since, changes = 0 } = (await readPlace()) ?? {};
    assert.ok(Math.abs(Date.parse(since ?? '') - killedAt) < 15_000, `since ${since}`);
    assert.ok(changes > 0, 'the change that had begun waits');
    const askedAt = Date.now();
    const refused = client.createJob(NEW_JOB, { idempotencyKey: 'two' });
    assert.is(await readRefusal(refused), 'cloud-unreachable');
    assert.ok(Date.now() - askedAt < 5_000, 'at once');
    const approve = { eventKey: 'approve', ...(approval?.shown ? { shown: approval.shown } : {}) };
    assert.is(await readRefusal(client.resume(jobId, approve)), 'cloud-unreachable');
    assert.is((await client.job(jobId)).parked?.kind, 'approval', 'it can be read');
    const status = await story.runner.command('runner', 'status').catch((error: unknown) => error);
    assert.is(Object(status).code, 10);
    assert.match(String(Object(status).stdout), /\b[1-9]\d* changes? waits?\b/);

    await it.startNode();
    await waitUntil(async () => {
      const place = await readPlace();
      return place?.place === 'replicated' && place.changes === 0;
    }, PATIENCE_MS);
    await story.runner.command('runner', 'status');
    const [one, again, two] = [
      await client.createJob(NEW_JOB, { idempotencyKey: 'one' }),
      await client.createJob(NEW_JOB, { idempotencyKey: 'one' }),
      await client.createJob(NEW_JOB, { idempotencyKey: 'two' }),
    ];
    assert.is(again.jobId, one.jobId);
    const { jobs } = await client.jobs({});
    assert.equal(jobs.map(({ id }) => id).sort(), [jobId, one.jobId, two.jobId].sort());
    await client.resume(jobId, approve);
    await story.until(jobId, ({ status: now }) => now === 'complete');

    // A stop does not wait for the control plane.
    await it.killNode();
    const last = client.createJob(NEW_JOB, { idempotencyKey: 'three' });
    assert.is(await readRefusal(last), 'cloud-unreachable');
    await inTime(story.runner.stop(), () => 'the runner to stop');
  },
);

test.run();
