import type { Tables } from '../../../src/contract/records/tables.ts';
import { Ansis } from 'ansis';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatWhy } from '../../../cli/render/job/formatWhy.ts';
import type { JobContext } from '../../../machines/index.ts';
import type { ActorState } from '../../../src/kernel/chart.ts';
import type { Invariant } from '../../../src/base/invariants/invariant.ts';
import {
  listRefusedCalls,
  SHOWN_REFUSED_CALLS,
} from '../../../src/jobs/questions/listRefusedCalls.ts';
import { KernelHandle } from '../../../src/kernel/kernelHandle.ts';
import {
  toForbiddenCallRows,
  MAX_FORBIDDEN_CALLS,
} from '../../../src/sessions/agentJob/forbiddenCalls.ts';
import { createSessionPort } from '../../../src/sessions/agentJob/createSessionPort.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import { JOB_WORKFLOW, phase, workflow } from '../../support/charts/jobSteps.ts';
import { guardrailStage } from '../../policy/guardrails/stage.ts';
import { opening } from '../../policy/guardrails/subjects.ts';
import { JOB, jobInSession } from '../jobInSession.ts';

const test = suite('calls that rules refuse: kept, and shown by svc why');

const ONLY = { id: 'insights-at-the-end', tool: 'add_insight', onlyIn: ['reporting'] };
const PLANNED = {
  id: 'planned',
  never: 'phase(coding)',
  unless: [[{ fact: 'approved(planning)' }]],
};
const HERE = { jobId: JOB, visit: 1, phase: 'planning' };

type PortDeps = Parameters<typeof createSessionPort>[0];
type PortScope = Parameters<typeof createSessionPort>[1];

/** The port of a session whose job has a rule, as the runner makes it. */
async function sessionWithRule(rule: Invariant = ONLY) {
  const { kernel: attached, rows } = await jobInSession({ ...JOB_WORKFLOW, invariants: [rule] });
  const kernel = new KernelHandle<Tables>();
  kernel.attach(attached);
  const lines: unknown[] = [];
  const errors: unknown[] = [];
  const deps: Partial<PortDeps> = {
    kernel,
    rows,
    clock: { now: () => 5 },
    readState: (id: string) => kernel.state(id) as ActorState<JobContext>,
    job: () => ({ params: {}, artefacts: [] }) as Partial<Job> as Job,
    appendLog: async (_job: string, line: unknown) => void lines.push(line),
    onError: (_where, error) => void errors.push(error),
  };
  const scope = { ...HERE, session: 1, signal: new AbortController().signal };
  const port = createSessionPort(deps as PortDeps, scope as Partial<PortScope> as PortScope);
  const insight = (key: string) =>
    port.send({ type: 'tool.add_insight', id: key, text: 'it works' } as never, key);
  const switched = workflow([phase('thinking'), phase('coding')]);
  const switchTo = () =>
    port.send(
      {
        type: 'tool.switch_workflow',
        workflowPath: 'workflows/other.md',
        workflow: switched,
        toPhase: 'thinking',
        reason: '',
      } as never,
      'switch',
    );
  return { rows, lines, errors, insight, switchTo, kernel };
}

test('a call that an invariant forbids is a row: rule, call, when, and what to do instead', async () => {
  const { insight, rows } = await sessionWithRule();
  const answer = await insight('one');
  const [row] = rows.all('forbidden_calls', { job_id: JOB });
  assert.equal(
    [row?.rule, row?.tool, row?.phase, row?.at],
    [ONLY.id, 'add_insight', 'planning', 5],
  );
  assert.match(row?.message ?? '', /forbids this: .* Call it in reporting/);
  assert.is(answer.ok, false);
});

test('it is a line of the log too', async () => {
  const { insight, lines } = await sessionWithRule();
  await insight('one');
  const { tag, line } = lines[0] as { tag: string; line: string };
  assert.is(tag, 'invariant');
  assert.match(line, /^refused: the invariant insights-at-the-end/);
});

test('the same call again is counted in its row', async () => {
  const { insight, rows } = await sessionWithRule();
  await insight('one');
  await insight('two');
  assert.equal(
    rows.all('forbidden_calls', { job_id: JOB }).map(({ times }) => times),
    [2],
  );
});

test('a switch of the workflow that would break an invariant is a row', async () => {
  const { switchTo, rows } = await sessionWithRule(PLANNED);
  assert.is((await switchTo()).ok, false);
  const [row] = rows.all('forbidden_calls', { job_id: JOB });
  assert.equal([row?.rule, row?.tool], [PLANNED.id, 'switch_workflow']);
});

test('an agent is answered although nothing could be kept', async () => {
  const { insight, kernel, errors } = await sessionWithRule();
  kernel.submit = () => Promise.reject(new Error('the disk is full'));
  assert.is((await insight('one')).ok, false);
  assert.is(errors.length, 1);
});

test('the rows of one job are bounded: the oldest goes', async () => {
  const { kernel, rows } = await jobInSession(JOB_WORKFLOW);
  for (let n = 0; n <= MAX_FORBIDDEN_CALLS; n++) {
    const call = { rule: `rule-${n}`, tool: 'merge_pr', why: 'no' };
    await kernel.submit({ rows: toForbiddenCallRows(rows, HERE, call, n) });
  }
  assert.is(rows.count('forbidden_calls', { job_id: JOB }), MAX_FORBIDDEN_CALLS);
  assert.is(rows.count('forbidden_calls', { rule: 'rule-0' }), 0);
});

test('svc why gets the last few, the newest first', async () => {
  const { kernel, rows } = await jobInSession(JOB_WORKFLOW);
  for (let n = 0; n <= SHOWN_REFUSED_CALLS; n++) {
    const call = { rule: `rule-${n}`, tool: 'merge_pr', why: 'no' };
    await kernel.submit({ rows: toForbiddenCallRows(rows, HERE, call, n) });
  }
  assert.equal(
    listRefusedCalls(rows, JOB).map(({ rule }) => rule),
    ['rule-5', 'rule-4', 'rule-3', 'rule-2', 'rule-1'],
  );
});

test('what a guardrail refused is among them', async () => {
  const { guardrails, rows } = await guardrailStage([
    { id: 'protected-paths', paths: ['infra/**'] },
  ]);
  await guardrails.check(opening(['infra/a.tf']));
  const [call] = listRefusedCalls(rows, 'job-1');
  assert.equal([call?.by, call?.rule, call?.tool], ['guardrail', 'protected-paths', 'create_pr']);
});

test('svc why prints the call, when, and what the agent was answered', () => {
  const refused = [
    {
      by: 'invariant' as const,
      rule: 'merge-approved',
      tool: 'merge_pr',
      phase: 'merging',
      at: 0,
      times: 3,
      message: 'the invariant merge-approved forbids this: never merge. Leave it to a person.',
    },
  ];
  const why = { id: JOB, state: ['working.inSession'], since: 0, reason: null, waitsFor: [] };
  const text = formatWhy(
    { ...why, waysOut: [], pendingEffects: [], timers: [], refused },
    { color: new Ansis(0), now: () => 180_000 },
  );
  assert.match(
    text,
    /Blocked by rules\n {2}merge_pr in merging, 3 times, last .*\(3 min ago\): the invariant merge-approved forbids this: never merge\. Leave/,
  );
});

test.run();
