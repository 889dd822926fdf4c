import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAgentJob, type AgentJobDeps } from '../../src/sessions/agentJob/agentJob.ts';
import type { ForbiddenCall } from '../../src/sessions/agentJob/forbiddenCalls.ts';
import type { Forge } from '../../src/contract/forge/forge.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { createForges } from '../../src/providers/forges.ts';
import type { WorkflowTable } from '../../src/contract/schema/workflow/workflow.ts';
import { JOB_WORKFLOW } from '../support/charts/jobSteps.ts';
import { JOB, jobInSession } from './jobInSession.ts';

const test = suite('writes of a session that wait for the answer of a forge');

const LOCAL = { id: 'local' } as Partial<Forge> as Forge;

/** A job with a running session, its job port, and the forge's side of its writes. */
async function jobWithSession(workflow: WorkflowTable = JOB_WORKFLOW) {
  const { kernel, rows, writes } = await jobInSession(workflow);
  const forbidden: ForbiddenCall[] = [];
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
    log: async () => {},
    recordForbidden: async (call) => void forbidden.push(call),
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

test('a call that an invariant forbids is answered with the rule and what to do, and the same is kept (INT-5)', async () => {
  const only = { id: 'comments-at-the-end', tool: 'post_pr_comment', onlyIn: ['reporting'] };
  const job = await jobWithSession({ ...JOB_WORKFLOW, invariants: [only] });
  const error = await job.write('one').catch((failure: Error) => failure);
  assert.instance(error, Error);
  const [call] = job.forbidden;
  assert.equal([call?.rule, call?.tool], ['comments-at-the-end', 'post_pr_comment']);
  assert.match(
    call?.why ?? '',
    /^the invariant comments-at-the-end forbids this: .* Call it in reporting/,
  );
  assert.is(error instanceof Error && error.message, call?.why);
});

test('a call that the chart refuses for another reason is not kept', async () => {
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
