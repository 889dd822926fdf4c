import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JobContext } from '../../../machines/index.ts';
import type { ActorState } from '../../../src/kernel/chart.ts';
import type { ActorRow, JournalRow } from '../../../src/kernel/writer.ts';
import { createDryRunService } from '../../../src/policy/guardrails/dryRuns/dryRunService.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { DryRunBody } from '../../../src/contract/schema/policy/dryRun.ts';
import type { GuardrailEntry } from '../../../src/contract/schema/policy/guardrail.ts';
import { guardrailStage } from '../../policy/guardrails/stage.ts';
import { createSubject } from '../../policy/guardrails/subjects.ts';
import { codeOfRefusal, catchRefusal } from '../../support/refusal.ts';

const test = suite('guardrails: dry run');

const CONTEXT = {
  workflowPath: 'workflows/job.md',
  params: {},
  interactive: false,
  subRunOf: null,
};

/** A journal: each text is an insight, `push` a pull request. */
const createJournal = (actor: string, acts: readonly string[]): JournalRow[] =>
  acts.map((act, index) => ({
    actor,
    seq: index + 1,
    at: index,
    event:
      act === 'push'
        ? { type: 'tool.forge_write', forge: 'local', operation: 'create_pr', args: {} }
        : { type: 'tool.add_insight', category: 'pitfall', text: act },
    path: [],
    effects: [],
    note: false,
  }));

async function dryRun(
  journals: Readonly<Record<string, readonly string[]>>,
  { rules = [] as readonly GuardrailEntry[], msPerLook = 0 } = {},
) {
  const stage = await guardrailStage(rules);
  let now = 0;
  const ids = Object.keys(journals);
  const service = createDryRunService({
    guardrails: stage.guardrails,
    rows: stage.rows,
    durable: {
      actor: (id) =>
        ({ snapshot: JSON.stringify({ context: { id, ...CONTEXT } }), createdAt: 0 }) as ActorRow,
      journal: (id, after, limit) =>
        createJournal(id, journals[id] ?? []).slice(after, after + limit),
    },
    statistics: {
      jobs: (_from, last, limit) => {
        const begin = last === null ? 0 : last.row + 1;
        return ids.slice(begin, begin + limit).map((id) => ({
          id,
          row: ids.indexOf(id),
          since: 0,
          createdAt: 0,
          state: 'complete',
          workflow: '',
          isSubRun: false,
          hasEscalated: false,
        }));
      },
    },
    measureElapsed: () => {
      now += msPerLook;
      return now;
    },
    readState: (id) => {
      if (!ids.includes(id)) throw new SvcError('not-found', `Job ${id} does not exist.`);
      return { id, context: { id, ...CONTEXT } } as ActorState<JobContext>;
    },
  });
  const run = (body: DryRunBody, signal = new AbortController().signal) =>
    service.dryRunGuardrail(body, signal);
  return { ...stage, run };
}

const NO_HINTS: GuardrailEntry = {
  id: 'no-hints',
  when: 'tool.before',
  if: 'tool == "add_insight" && string(args.text).contains("hint")',
  message: 'Say it in the pull request.',
};

const JOBS = { 'job-1': ['a hint', 'another hint'], 'job-2': ['fine'], 'job-3': ['hint'] };

test('a candidate says how many jobs it would have stopped (CFG-4)', async () => {
  const { run } = await dryRun(JOBS);
  const { history } = await run({ candidate: NO_HINTS, history: {} });
  assert.is(history?.text, 'Would have stopped 2 of 3 jobs.');
});

test('each finding names job, line, moment and what would have been said', async () => {
  const { run } = await dryRun(JOBS);
  const { history } = await run({ candidate: NO_HINTS, history: {} });
  const { message, ...finding } = history?.found[1] ?? { message: '' };
  assert.equal(finding, {
    jobId: 'job-1',
    seq: 2,
    at: '1970-01-01T00:00:00.001Z',
    moment: 'tool.before',
    tool: 'add_insight',
    phase: '',
    result: 'deny',
  });
  assert.is(message, 'guardrail no-hints: Say it in the pull request.');
});

test('nothing of a dry run is kept', async () => {
  const { run, rows } = await dryRun(JOBS);
  await run({ candidate: NO_HINTS, history: {} });
  assert.is(rows.count('guardrail_decisions'), 0);
});

test('a rule that only notes says in how many jobs', async () => {
  const { run } = await dryRun(JOBS);
  const { history } = await run({ candidate: { ...NO_HINTS, do: 'note' }, history: {} });
  assert.is(history?.text, 'Would have noted something in 2 of 3 jobs.');
});

test('a rule of the configuration that is switched off is tried as if it were on', async () => {
  const { run } = await dryRun(JOBS, { rules: [{ ...NO_HINTS, enabled: false }] });
  assert.is((await run({ rule: 'no-hints', history: {} })).history?.stopped, 2);
});

test('what a rule did stop then counts, although the journal has no line of it', async () => {
  const { run, guardrails } = await dryRun({ 'job-1': ['fine'] }, { rules: [NO_HINTS] });
  await guardrails.check(createSubject({ args: { text: 'a hint' } }));
  const { history } = await run({ rule: 'no-hints', history: {} });
  assert.is(history?.text, 'Would have stopped 1 of 1 job.');
  assert.is(history?.found[0]?.seq, null);
});

test('a rule about files says that it cannot judge a push', async () => {
  const { run } = await dryRun({ 'job-1': ['push'] });
  for (const rule of ['large-diff', 'no-secret-in-diff', 'no-workflow-file-change']) {
    const { history } = await run({ rule, history: {} });
    assert.is(history?.withoutContent, 1, rule);
    assert.is(history?.questions, 0, rule);
  }
  const { history } = await run({ rule: 'max-prs', history: {} });
  assert.is(history?.withoutContent, 0);
  assert.is(history?.questions, 1);
});

test('the start of a job is judged', async () => {
  const { run } = await dryRun({ 'job-1': [] });
  const candidate: GuardrailEntry = {
    id: 'no-job',
    when: 'job.start',
    if: 'job.workflow == "workflows/job.md"',
  };
  const { history } = await run({ candidate, history: {} });
  assert.is(history?.text, 'Would have stopped 1 of 1 job.');
  assert.is(history?.found[0]?.seq, 0);
});

test('only the jobs that are wanted are read', async () => {
  const { run } = await dryRun(JOBS);
  assert.is((await run({ candidate: NO_HINTS, history: { jobs: 2 } })).history?.jobs, 2);
  const { history } = await run({ candidate: NO_HINTS, history: { job: 'job-3' } });
  assert.is(history?.text, 'Would have stopped 1 of 1 job.');
});

test('it ends after 20 s, and reports it', async () => {
  const { run } = await dryRun(JOBS, { msPerLook: 8_000 });
  const { history } = await run({ candidate: NO_HINTS, history: {} });
  assert.is(history?.cutBy, 'time');
  assert.is((history?.jobs ?? 9) < 3, true);
});

test('the runner does other work in between, and a client that goes ends it', async () => {
  const { run } = await dryRun(
    { 'job-1': Array.from({ length: 60 }, () => 'fine') },
    { msPerLook: 5 },
  );
  const controller = new AbortController();
  setImmediate(() => controller.abort(new Error('gone')));
  let message = '';
  await run({ candidate: NO_HINTS, history: {} }, controller.signal).catch((error: Error) => {
    message = error.message;
  });
  assert.is(message, 'gone');
});

test('one made-up question is answered as an agent would be', async () => {
  const { run } = await dryRun({});
  const asked = { tool: 'bash', args: { command: 'git push --force origin work' } };
  const reply = await run({ rule: 'no-force-push', asked });
  assert.is(reply.asked?.result, 'deny');
  assert.match(
    reply.asked?.message ?? '',
    /^guardrail no-force-push: the command git push --force/,
  );
  assert.is(
    (await run({ rule: 'no-force-push', asked: { tool: 'add_insight' } })).asked?.isAsked,
    false,
  );
});

test('files, lines and a text of a made-up change are judged', async () => {
  const { run } = await dryRun({});
  const change = async (rule: string, asked: DryRunBody['asked']) =>
    (await run({ rule, ...(asked ? { asked } : {}) })).asked?.result;
  assert.is(await change('no-workflow-file-change', { paths: ['.gitlab-ci.yml'] }), 'park');
  assert.is(await change('large-diff', { paths: ['a'], lines: 2001 }), 'park');
  const added = `ghp_${'a1B2'.repeat(9)}`;
  assert.is(await change('no-secret-in-diff', { paths: ['a'], added }), 'deny');
});

test('a script is run', async () => {
  const { run, script } = await dryRun({});
  script('mine.sh', 'echo no >&2; exit 2\n', { when: ['tool.before'] });
  assert.is(
    (await run({ rule: 'mine', asked: { tool: 'x' } })).asked?.message,
    'guardrail mine: no.',
  );
});

test('an unknown rule is refused with the closest name', async () => {
  const { run } = await dryRun({});
  const refusal = await catchRefusal(() => run({ rule: 'large-dif' }));
  assert.is(refusal.message, 'No rule large-dif exists. Did you mean large-diff?');
});

test('a candidate with a mistake is refused at its key', async () => {
  const { run } = await dryRun({});
  const candidate = { ...NO_HINTS, if: 'tool = 1' };
  const refusal = await catchRefusal(() => run({ candidate }));
  assert.is(refusal.errors[0]?.pointer, '/candidate/if');
});

test('a rule or a candidate is needed, and not both', async () => {
  const { run } = await dryRun({});
  assert.is(await codeOfRefusal(() => run({})), 'invalid');
  assert.is(await codeOfRefusal(() => run({ rule: 'max-prs', candidate: NO_HINTS })), 'invalid');
});

test.run();
