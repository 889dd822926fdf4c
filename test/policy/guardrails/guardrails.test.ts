import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { codeOfRefusal } from '../../support/refusal.ts';
import { guardrailStage } from './stage.ts';
import { opening, createSubject } from './subjects.ts';

const AT = { visit: 1, session: 1 };
const large = opening(['a.ts'], { lines: 3000 });
const TOKEN = ['npm', 'a1B2'.repeat(9)].join('_');

test('what no rule is against passes (CFG-4)', async () => {
  const { guardrails } = await guardrailStage();
  assert.is((await guardrails.check(createSubject(), AT)).result, 'pass');
});

test('a decision names the rule (CFG-4)', async () => {
  const { guardrails } = await guardrailStage();
  assert.is((await guardrails.check(large, AT)).rule, 'large-diff');
});

test('a decision is a row when it is answered (CFG-4)', async () => {
  const { guardrails, rows } = await guardrailStage();
  await guardrails.check(large, AT);
  const [row] = rows.all('guardrail_decisions');
  assert.equal([row?.rule, row?.result, row?.times, row?.visit], ['large-diff', 'park', 1, 1]);
});

test('the same thing asked again is the same row (CFG-4)', async () => {
  const { guardrails, rows } = await guardrailStage();
  for (const session of [1, 2]) await guardrails.check(large, { visit: 1, session });
  assert.equal(
    rows.all('guardrail_decisions').map(({ times, session }) => [times, session]),
    [[2, 2]],
  );
});

test('a job waits for a person where a rule says park (CFG-4)', async () => {
  const { guardrails } = await guardrailStage();
  await guardrails.check(large, AT);
  assert.match(
    guardrails.decisions.findHeldRule('job-1', AT)?.message ?? '',
    /large-diff: .* A person can allow exactly this/,
  );
});

test('a later session does not wait for what an earlier one was refused (CFG-4)', async () => {
  const { guardrails } = await guardrailStage();
  await guardrails.check(large, AT);
  assert.is(guardrails.decisions.findHeldRule('job-1', { visit: 1, session: 2 }), null);
});

test('what a person has allowed passes (CFG-4)', async () => {
  const { guardrails } = await guardrailStage();
  await guardrails.check(large, AT);
  const { id = '' } = guardrails.decisions.findHeldRule('job-1', AT) ?? {};
  await guardrails.decisions.allow('job-1', id, 'token');
  assert.is((await guardrails.check(large, AT)).result, 'pass');
});

test('what a person has allowed is no leave for anything else (CFG-4)', async () => {
  const { guardrails } = await guardrailStage();
  await guardrails.check(large, AT);
  const { id = '' } = guardrails.decisions.findHeldRule('job-1', AT) ?? {};
  await guardrails.decisions.allow('job-1', id, 'token');
  const other = opening(['a.ts'], { lines: 3000, hash: 'b' });
  assert.is((await guardrails.check(other, AT)).result, 'park');
});

test('what a person has allowed one job is no leave for another (CFG-4)', async () => {
  const { guardrails } = await guardrailStage();
  await guardrails.check(large, AT);
  const { id = '' } = guardrails.decisions.findHeldRule('job-1', AT) ?? {};
  await guardrails.decisions.allow('job-1', id, 'token');
  const other = { ...large, job: { ...large.job, id: 'job-2' } };
  assert.is((await guardrails.check(other, AT)).result, 'park');
});

test('no one can allow what is denied (CFG-4)', async () => {
  const { guardrails } = await guardrailStage();
  await guardrails.check(createSubject({ tool: 'bash', args: { command: 'git push -f' } }), AT);
  const [row] = guardrails.decisions.list('job-1', 1);
  assert.is(
    await codeOfRefusal(() => guardrails.decisions.allow('job-1', row?.id ?? '', 'token')),
    'not-possible-now',
  );
});

test('a decision that is not there cannot be allowed (CFG-4)', async () => {
  const { guardrails } = await guardrailStage();
  assert.is(
    await codeOfRefusal(() => guardrails.decisions.allow('job-1', 'x', 'token')),
    'not-found',
  );
});

test('the heaviest rule decides (CFG-4)', async () => {
  const { guardrails } = await guardrailStage([
    { id: 'note-it', when: 'write.before', do: 'note' },
    { id: 'deny-it', when: 'write.before', if: 'diff.lines > 1' },
  ]);
  assert.is((await guardrails.check(large, AT)).rule, 'deny-it');
});

test('a token is taken out of what continues (CFG-4)', async () => {
  const { guardrails } = await guardrailStage();
  const subject = createSubject({ args: { text: `use ${TOKEN} here` } });
  assert.equal((await guardrails.check(subject, AT)).args, { text: 'use [secret] here' });
});

test('a condition that fails refuses (CFG-4)', async () => {
  const { guardrails } = await guardrailStage([
    { id: 'of-args', when: 'tool.before', if: 'args.nope == 3' },
  ]);
  assert.is((await guardrails.check(createSubject(), AT)).result, 'deny');
});

test('a condition that fails and would only note lets pass (CFG-4)', async () => {
  const { guardrails } = await guardrailStage([
    { id: 'of-args', when: 'tool.before', if: 'args.nope == 3', do: 'note' },
  ]);
  assert.is((await guardrails.check(createSubject(), AT)).result, 'pass');
});

test('an entry changes a rule of svc by its id (CFG-4)', async () => {
  const { guardrails } = await guardrailStage([{ id: 'large-diff', limit: 5000 }]);
  assert.is((await guardrails.check(large, AT)).result, 'pass');
});

test('a change of the configuration counts from the next question on (CFG-4)', async () => {
  const { guardrails, settings } = await guardrailStage();
  settings.guardrails.rules = [{ id: 'large-diff', enabled: false }];
  assert.is((await guardrails.check(large, AT)).result, 'pass');
});

test('switched off, no rule is asked (CFG-4)', async () => {
  const { guardrails } = await guardrailStage([], { enabled: false });
  assert.is((await guardrails.check(large, AT)).result, 'pass');
});

test('what passes is counted (CFG-4)', async () => {
  const { guardrails } = await guardrailStage([
    { id: 'mine', when: 'tool.before', if: 'tool == "x"' },
  ]);
  for (let n = 0; n < 3; n += 1) await guardrails.check(createSubject(), AT);
  assert.is((await guardrails.decisions.passes()).find(({ rule }) => rule === 'mine')?.passes, 3);
});

test('of one job the newest 500 decisions are kept (CFG-4)', async () => {
  const { guardrails, rows } = await guardrailStage([{ id: 'mine', when: 'tool.before' }]);
  for (let n = 0; n < 505; n += 1) await guardrails.check(createSubject({ args: { n } }), AT);
  assert.is(rows.count('guardrail_decisions'), 500);
});

test('of jobs that were refused before they began the newest 500 decisions are kept (CFG-4)', async () => {
  const { guardrails, rows } = await guardrailStage([{ id: 'mine', when: 'job.start' }]);
  const job = { ...createSubject().job, id: '' };
  for (let n = 0; n < 503; n += 1)
    await guardrails.check(createSubject({ moment: 'job.start', job, args: { n } }));
  assert.is(rows.count('guardrail_decisions'), 500);
});

test.run();
