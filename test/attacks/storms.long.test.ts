import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  buildBatchPrompt,
  type JobContext,
  type JobInput,
  jobChart,
} from '../../machines/index.ts';
import type { DurableEvent } from '../../src/kernel/chart.ts';
import { createKernel } from '../../src/kernel/kernel.ts';
import type { Ports } from '../../src/kernel/port.ts';
import { listLeafPaths } from '../../src/base/json/listLeafPaths.ts';
import { toOwnerSends } from '../../src/forges/localForgeService.ts';
import { listInboxItems } from '../../src/jobs/views/jobRows.ts';
import type { ProviderEvent } from '../../src/contract/schema/forge/pr.ts';
import { openStore } from '../../src/jobs/store/openStore.ts';
import { attackedRunner, endAll, goesOn, startJob } from '../support/attackedRunner.ts';
import { phase, pr, workflow } from '../support/charts/jobSteps.ts';
import { seededRandom } from '../support/charts/randomWalk.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';

const test = suite('attacks: storms');

const DELIVERIES = 10_000;
const DISTINCT = 7_000;
const SEED = 24;
const JOB = 'shop-job-1';

/**
 * Comments and approvals of two pull requests, each with a time of its own, by the number of the
 * event.
 */
const createEvent = (n: number): ProviderEvent => {
  const { prId, forge, repo, number, url } = pr(1 + (n % 2));
  const kind = n % 7 === 0 ? 'approved' : 'commented';
  return {
    kind,
    forge,
    repo,
    number,
    prId,
    url,
    author: `reviewer-${n % 5}`,
    text: `event ${n}.`,
    externalId: `${prId}:${n}`,
    happenedAt: 1_000_000 + n * 1_000,
  };
};

/** 10,000 deliveries of 7,000 events: a good part of them comes twice, and none in its order. */
const deliveries = (): ProviderEvent[] => {
  const random = seededRandom(SEED);
  const numbers = Array.from({ length: DELIVERIES }, (_, at) =>
    at < DISTINCT ? at : Math.floor(random() * DISTINCT),
  );
  for (let at = numbers.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [numbers[at], numbers[other]] = [numbers[other] ?? 0, numbers[at] ?? 0];
  }
  return numbers.map(createEvent);
};

/** Ports that never answer: the test sends what they would. */
const silent: Ports = Object.fromEntries(
  ['phase.prepare', 'session.open', 'session.stop', 'message.offer', 'forge.write'].map((name) => [
    name,
    () => new Promise<undefined>(() => {}),
  ]),
);

test('24 · 10,000 deliveries for one parked job, three in ten of them doubled, out of order, of two pull requests at once: one wake, one batch in the order of time, nothing dropped', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-storm-'));
  const clock = new SimulatedClock();
  const store = openStore({ file: join(dir, 'state.db'), pid: process.pid, now: clock.now() });
  const kernel = createKernel({
    screen: null,
    store: store.durable,
    charts: [jobChart],
    ports: silent,
    clock,
  });
  await kernel.start();
  const context = () => kernel.state(JOB)?.context as JobContext;
  const at = () => listLeafPaths(kernel.state(JOB)?.value ?? '').join();
  const send = async (event: DurableEvent) =>
    assert.ok((await kernel.send(JOB, event)).accepted, event.type);
  const input: JobInput = {
    id: JOB,
    type: 'job',
    tenantId: 'solo-test',
    workflowPath: 'workflows/job.md',
    workflow: workflow([phase('work')]),
    params: {},
    interactive: false,
    limits: { gateBlocks: 5, sessionsPerVisit: 10 },
    createdAt: clock.now(),
  };
  const prepare = async () => {
    await send({ type: 'slot.granted' });
    await send({
      type: 'phase.prepared',
      visit: context().visit,
      workflow: input.workflow,
      overlayHash: 'hash',
      checkout: null,
    });
  };
  const fence = () => ({ visit: context().visit, session: context().session });
  const endTurn = () =>
    send({ type: 'session.ended', ...fence(), stopReason: 'end_turn', error: null, usage: null });
  const awaitEvent = () =>
    send({ type: 'tool.await_event', ...fence(), kinds: null, prId: null, resumePhase: null });
  /** What the running session was given. */
  const batch = (): string => {
    const effectId = store.durable
      .journal(JOB, 0, 100_000)
      .flatMap(({ effects }) => effects)
      .findLast(({ type }) => type === 'session.open')?.id;
    const params = store.durable.listPendingEffects().find((row) => row.effectId === effectId)
      ?.params as {
      inboxFrom: number;
      inboxTo: number;
    };
    return (
      buildBatchPrompt(listInboxItems(store.rows, JOB, params.inboxFrom, params.inboxTo)) ?? ''
    );
  };
  const listReportedEvents = (text: string) =>
    [...text.matchAll(/^> event (\d+)\.$/gm)].map(([, n]) => Number(n));

  await kernel.submit({ starts: [{ chart: 'job', id: JOB, input }] });
  await prepare();
  for (const number of [1, 2]) {
    await send({
      type: 'tool.forge_write',
      ...fence(),
      key: `k${number}`,
      forge: 'local',
      operation: 'create_pr',
      args: {},
    });
    await send({
      type: 'forge.wrote',
      key: `k${number}`,
      operation: 'create_pr',
      ok: true,
      pr: pr(number),
      result: { number },
    });
  }
  await awaitEvent();
  await endTurn();
  assert.is(at(), 'parked.event');

  const storm = deliveries();
  const submitted = await Promise.all(
    storm.map((event) => kernel.submit({ sends: toOwnerSends(store.rows, [event]) })),
  );
  const results = submitted.flatMap(({ sends }) => sends);
  assert.is(results.length, DELIVERIES);
  assert.ok(results.every(({ accepted }) => accepted));
  assert.is(
    results.filter((result) => result.accepted && result.duplicate).length,
    DELIVERIES - DISTINCT,
  );

  assert.is(at(), 'queued');
  const journal = store.durable.journal(JOB, 0, 100_000);
  assert.is(journal.filter(({ event }) => event.type === 'forge.event').length, DISTINCT);
  await prepare();
  assert.is(context().visit, 2, 'one wake: one more visit of the phase');
  const events = batch();
  assert.equal(
    listReportedEvents(events),
    Array.from({ length: DISTINCT }, (_, n) => n),
    'all of them, each once, in the order of time',
  );

  // News that come while the turn is ending belong to the next one.
  const late = Array.from({ length: 100 }, (_, n) => createEvent(DISTINCT + n));
  await awaitEvent();
  await Promise.all([
    ...late.map((event) => kernel.submit({ sends: toOwnerSends(store.rows, [event]) })),
    endTurn(),
  ]);
  assert.is(at(), 'queued');
  await prepare();
  assert.equal(
    listReportedEvents(batch()),
    Array.from({ length: 100 }, (_, n) => DISTINCT + n),
  );
  await awaitEvent();
  await endTurn();
  assert.is(at(), 'parked.event', 'nothing is delivered twice: the job waits again');

  store.close();
  rmSync(dir, { recursive: true });
});

const COMMENTS = 60;

test('24 · the same over HTTP: comments on two pull requests at once, each request sent twice, while the job waits for its slot', async () => {
  const twoBranches = `
if (session.visit === 1) {
  for (const name of ['one', 'two']) {
    git('switch', '--quiet', '-c', name, 'origin/HEAD');
    writeFileSync(name, name);
    git('add', name);
    git('commit', '--quiet', '-m', name);
    tool('local_create_pr', { head: name, title: name });
  }
  tool('await_event', {});
} else {
  writeFileSync('kickoff-' + session.visit, kickoff);
}`;
  const it = await attackedRunner({
    workflow:
      'initial_phase: work\ninitial_status: work\nphases:\n  - { name: work, agent: agents/worker.md, status: work }\n',
    programs: {
      worker: twoBranches,
      blocker: "while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 20));",
    },
    config: { runner: { maxConcurrentJobs: 1 } },
    tenant: {
      'workflows/blocker.md':
        '---\ninitial_phase: b\ninitial_status: b\nphases:\n  - { name: b, agent: agents/blocker.md, status: b }\n---\n\nHolds the slot.\n',
    },
  });
  try {
    const id = await it.job();
    const parked = await it.until(id, (job) => job.parked?.kind === 'event');
    const blocker = await startJob(it, 'workflows/blocker.md');
    const blocking = await it.until(blocker, ({ state }) => state.includes('working.inSession'));
    const post = async (n: number) => {
      const response = await fetch(
        `${it.runner.url}/forges/local/repos/repo/prs/${1 + (n % 2)}/comment`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${it.runner.token}`,
            'content-type': 'application/json',
            'idempotency-key': `comment-${n}`,
          },
          body: JSON.stringify({ body: `comment ${n}.`, author: 'reviewer' }),
        },
      );
      // The second of two concurrent requests is refused until the first has ended.
      assert.ok(response.status === 200 || response.status === 409, await response.text());
    };
    await Promise.all(Array.from({ length: COMMENTS }, (_, n) => [post(n), post(n)]).flat());
    assert.equal((await it.client.job(id)).state, ['queued']);
    it.write(join(String(blocking.params.repoCheckoutAbsDir), 'go'), '');
    const endedJob = await it.until(id, ({ ended }) => ended);
    assert.equal(endedJob.status, 'complete');
    assert.equal(endedJob.visit, parked.visit + 1);
    const kickoff = readFileSync(
      join(String(endedJob.params.repoCheckoutAbsDir), `kickoff-${endedJob.visit}`),
      'utf8',
    );
    const reported = [...kickoff.matchAll(/^> comment (\d+)\.$/gm)].map(([, n]) => Number(n));
    assert.equal(
      reported.toSorted((a, b) => a - b),
      Array.from({ length: COMMENTS }, (_, n) => n),
    );
    const times = [...kickoff.matchAll(/^\d+\. (\S+) commented on /gm)].map(([, time]) =>
      String(time),
    );
    assert.equal(times.length, COMMENTS);
    assert.equal(times, times.toSorted());
    await goesOn(it);
  } finally {
    await endAll(it);
  }
});

test.run();
