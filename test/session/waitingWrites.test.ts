import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobChart, subRunsChart } from '../../machines/index.ts';
import type { EffectOutcome } from '../../src/durable/port.ts';
import { createKernel } from '../../src/durable/kernel.ts';
import { createAgentJob, type AgentJobDeps } from '../../src/session/agentJob.ts';
import type { Forge } from '../../src/contract/forge.ts';
import type { Job } from '../../src/schema/job.ts';
import { createForges } from '../../src/providers/forges.ts';
import { openStore } from '../../src/durable/sqlite/openStore.ts';
import type { WorkflowTable } from '../../src/schema/workflow.ts';
import { JOB_WORKFLOW } from '../support/charts/jobSteps.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';

const test = suite('writes of a session that wait for the answer of a forge');

const JOB = 'shop-job-1';
const LOCAL = { id: 'local' } as Partial<Forge> as Forge;
const nothing = async () => {};

interface WaitingWrite {
  answer(outcome: EffectOutcome): void;
  fail(error: Error): void;
}

/**
 * A job with a running session, its job port, and the forge's side of every write by the write's
 * key.
 */
async function jobWithSession(workflow: WorkflowTable = JOB_WORKFLOW) {
  const { durable, rows } = openStore({ file: ':memory:', pid: 1, now: 0 });
  const writes = new Map<string, WaitingWrite>();
  const kernel = createKernel({
    store: durable,
    charts: [jobChart, subRunsChart],
    clock: new SimulatedClock(),
    // A write that fails once is given up at once.
    retryMs: [],
    ports: {
      'phase.prepare': nothing,
      'session.open': () => new Promise(() => {}),
      'session.stop': nothing,
      'message.offer': nothing,
      'forge.write': ({ key }: { key: string }) =>
        new Promise((answer, fail) => void writes.set(key, { answer, fail })),
      'subRun.dispatch': nothing,
      'subRun.stop': nothing,
    },
  });
  await kernel.start();
  const input = {
    id: JOB,
    type: 'job',
    tenantId: 'solo-test',
    workflowPath: 'workflows/job.md',
    workflow,
    params: {},
    interactive: true,
    limits: { gateBlocks: 5, sessionsPerVisit: 10 },
    createdAt: 0,
  };
  await kernel.submit({ starts: [{ chart: jobChart.id, id: JOB, input }] });
  await kernel.send(JOB, { type: 'slot.granted' });
  const prepared = { visit: 1, workflow, overlayHash: 'hash', checkout: null };
  await kernel.send(JOB, { type: 'phase.prepared', ...prepared });

  const forbidden: string[] = [];
  const deps: Partial<AgentJobDeps> = {
    kernel,
    rows,
    forges: createForges([LOCAL]),
    writeAccess: async (_job, _forge, _operation, args) => ({ problem: null, args }),
    job: () => ({ params: {}, artefacts: [] }) as Partial<Job> as Job,
  };
  const scope = { jobId: JOB, visit: 1, session: 1, phase: 'planning', jobDir: '/nowhere' };
  const port = createAgentJob(deps as AgentJobDeps, {
    ...scope,
    signal: new AbortController().signal,
    cloneRepo: () => Promise.reject(new Error('not used')),
    workflow: () => Promise.reject(new Error('not used')),
    memory: () => Promise.reject(new Error('not used')),
    log: nothing,
    forbidden: async (why) => void forbidden.push(why),
  });
  return {
    forbidden,
    /** What the tool that writes is answered, in the end. */
    write: (key: string) => port.forgeWrite('post_pr_comment', { repo: 'shop', number: 1 }, key),
    goTo: (name: string) =>
      port.send({ type: 'tool.goto_phase', phase: name, reason: 'why not' }, 'goto'),
    /** Resolves when the forge has been asked to do this many writes. */
    async asked(count: number) {
      while (writes.size < count) await new Promise((resolve) => setImmediate(resolve));
    },
    answer(key: string, result: Record<string, unknown>) {
      const event = {
        type: 'forge.wrote',
        key,
        operation: 'post_pr_comment',
        ok: true,
        pr: null,
        result,
      };
      writes.get(key)?.answer({ events: [event] });
    },
    fail: (key: string, message: string) => writes.get(key)?.fail(new Error(message)),
  };
}

test('a write keeps waiting for its own answer when another write of the job is given up', async () => {
  const job = await jobWithSession();
  const one = job.write('one');
  const other = job.write('other');
  // Its answer is asked for below; a rejection before that is not an unhandled one.
  one.catch(() => {});
  await job.asked(2);

  job.fail('other', 'no such pull request');
  assert.equal(await other, { ok: false, result: { error: 'no such pull request' } });

  job.answer('one', { commentId: 7 });
  assert.equal(await one, { ok: true, result: { commentId: 7 } });
});

test('a call that an invariant forbids is answered with the rule and what to do, and so is the log (INT-5)', async () => {
  const only = { id: 'comments-at-the-end', tool: 'post_pr_comment', onlyIn: ['reporting'] };
  const job = await jobWithSession({ ...JOB_WORKFLOW, invariants: [only] });
  const error = await job.write('one').catch((failure: Error) => failure);
  assert.instance(error, Error);
  const [line] = job.forbidden;
  assert.match(
    line ?? '',
    /^the invariant comments-at-the-end forbids this: .* Call it in reporting/,
  );
  assert.is(error instanceof Error && error.message, line);
});

test('a call that the chart refuses for another reason is no line of the log', async () => {
  const job = await jobWithSession();
  assert.is((await job.goTo('nowhere')).ok, false);
  assert.equal(job.forbidden, []);
});

test('a write that is given up answers with the error', async () => {
  const job = await jobWithSession();
  const answer = job.write('one');
  await job.asked(1);
  job.fail('one', 'no such pull request');
  assert.equal(await answer, { ok: false, result: { error: 'no such pull request' } });
});

test.run();
