import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { resolveConfiguredRules } from '../../../src/policy/guardrails/resolveConfiguredRules.ts';
import type { Subject } from '../../../src/policy/guardrails/rule.ts';
import { catchRefusal } from '../../support/refusal.ts';
import { guardrailStage } from './stage.ts';
import { opening, createSubject } from './subjects.ts';

const AT = { visit: 1, session: 1 };
type Stage = Awaited<ReturnType<typeof guardrailStage>>;

/** A person allows what makes the job wait. */
async function allow({ guardrails }: Stage, subject: Subject): Promise<void> {
  await guardrails.check(subject, AT);
  const { id = '' } = guardrails.decisions.findHeldRule('job-1', AT) ?? {};
  await guardrails.decisions.allow('job-1', id, 'token');
}

const large = opening(['a.ts'], { lines: 3000 });

for (const member of ['repo', 'head', 'base'])
  test(`the same content with another ${member} is not allowed with it (CFG-4)`, async () => {
    const stage = await guardrailStage();
    await allow(stage, large);
    const other = { ...large, args: { ...large.args, [member]: 'other' } };
    assert.is((await stage.guardrails.check(other, AT)).result, 'park');
  });

test('any size of a change is allowed for the job where a person says that, and for no other job or rule (CFG-4)', async () => {
  const stage = await guardrailStage([{ id: 'large-diff-files', limit: 1 }]);
  await stage.guardrails.check(large, AT);
  const { id = '' } = stage.guardrails.decisions.findHeldRule('job-1', AT) ?? {};
  await stage.guardrails.decisions.allow('job-1', id, 'login', { anySize: true });
  const larger = opening(['a.ts'], { lines: 9_000, hash: 'made again' });
  assert.is((await stage.guardrails.check(larger, AT)).result, 'pass');
  const ofAnother = { ...larger, job: { ...larger.job, id: 'job-2' } };
  assert.is((await stage.guardrails.check(ofAnother, AT)).result, 'park');
  const files = opening(['a.ts', 'b.ts'], { hash: 'more files' });
  assert.is((await stage.guardrails.check(files, AT)).rule, 'large-diff-files');
});

test('any size of what is no size cannot be allowed (CFG-4)', async () => {
  const stage = await guardrailStage([{ id: 'protected-paths', paths: ['infra/**'] }]);
  await stage.guardrails.check(opening(['infra/a.tf']), AT);
  const { id = '' } = stage.guardrails.decisions.findHeldRule('job-1', AT) ?? {};
  const refused = await catchRefusal(() =>
    stage.guardrails.decisions.allow('job-1', id, 'login', { anySize: true }),
  );
  assert.is(refused.code, 'bad-argument');
  assert.is((await stage.guardrails.check(opening(['infra/a.tf']), AT)).result, 'park');
});

test('the same content with another title is allowed with it (CFG-4)', async () => {
  const stage = await guardrailStage();
  await allow(stage, large);
  const other = { ...large, args: { ...large.args, title: 'Better' } };
  assert.is((await stage.guardrails.check(other, AT)).result, 'pass');
});

test('one more pull request is allowed once, not twice (CFG-4)', async () => {
  const stage = await guardrailStage();
  const createWriteSubject = (openPrs: number) =>
    createSubject({
      moment: 'write.before',
      tool: 'create_pr',
      done: { openPrs, commentsInHour: 0 },
    });
  await allow(stage, createWriteSubject(20));
  const results = [];
  for (const n of [20, 21])
    results.push((await stage.guardrails.check(createWriteSubject(n), AT)).result);
  assert.equal(results, ['pass', 'park']);
});

test('the end of one phase is not allowed with that of another (CFG-4)', async () => {
  const stage = await guardrailStage([{ id: 'look', when: 'phase.end', do: 'park' }]);
  const end = (phase: string) => createSubject({ moment: 'phase.end', tool: '', phase });
  await allow(stage, end('code'));
  const results = [];
  for (const phase of ['code', 'test'])
    results.push((await stage.guardrails.check(end(phase), AT)).result);
  assert.equal(results, ['pass', 'park']);
});

const ASKS = `echo '{"result":"park","message":"ask Ana"}'`;
const SAID = { when: ['tool.before'] };

test('what a script had asked for is not allowed once it has changed (CFG-4)', async () => {
  const stage = await guardrailStage();
  stage.script('mine.sh', ASKS, SAID);
  await allow(stage, createSubject());
  stage.script('mine.sh', `${ASKS} # changed`, SAID);
  assert.is((await stage.guardrails.check(createSubject(), AT)).result, 'park');
});

test('what a person has allowed is kept when older decisions go (CFG-4)', async () => {
  const stage = await guardrailStage([{ id: 'mine', when: 'tool.before' }]);
  await allow(stage, large);
  for (let n = 0; n < 505; n += 1) await stage.guardrails.check(createSubject({ args: { n } }), AT);
  assert.is((await stage.guardrails.check(large, AT)).result, 'pass');
});

test('no script runs for what is refused anyway (CFG-4)', async () => {
  const stage = await guardrailStage([{ id: 'mine', when: 'tool.before' }]);
  const file = join(stage.scriptsDir, 'ran.txt');
  stage.script('late.sh', `touch ${file}`, SAID);
  await stage.guardrails.check(createSubject(), AT);
  assert.not(existsSync(file));
});

test('a script in a folder that others can change counts as failing (CFG-4)', async () => {
  const stage = await guardrailStage();
  stage.script('mine.sh', 'exit 0', SAID);
  chmodSync(stage.scriptsDir, 0o777);
  assert.is((await stage.guardrails.check(createSubject(), AT)).result, 'deny');
});

test('a script takes nothing out (CFG-4)', async () => {
  const stage = await guardrailStage();
  stage.script('mine.sh', `echo '{"result":"redact"}'`, SAID);
  assert.match(
    (await stage.guardrails.check(createSubject(), AT)).message,
    /other than pass, deny, park/,
  );
});

test('a rule with paths is about changes that touch them alone (CFG-4)', async () => {
  const { guardrails } = await guardrailStage([
    { id: 'mine', when: 'write.before', paths: ['docs/**'] },
  ]);
  const results = [];
  for (const path of ['docs/a.md', 'src/a.ts'])
    results.push((await guardrails.check(opening([path], { hash: path }), AT)).result);
  assert.equal(results, ['deny', 'pass']);
});

const MISTAKES = {
  'park before a job begins': [{ id: 'mine', when: 'job.start', do: 'park' }],
  'redact by a new rule': [{ id: 'mine', when: 'tool.before', do: 'redact' }],
  'redact by a rule of svc that cannot': [{ id: 'large-diff', do: 'redact' }],
  'a limit of a rule of svc without one': [{ id: 'no-force-push', limit: 3 }],
  'a limit of a new rule': [{ id: 'mine', when: 'tool.before', limit: 3 }],
  'another moment of a rule of svc': [{ id: 'large-diff', when: 'phase.end' }],
  'less than deny of what svc refuses by itself': [{ id: 'no-merge-unapproved', do: 'note' }],
  'a new rule without a moment': [{ id: 'mine' }],
} as const;

for (const [what, entries] of Object.entries(MISTAKES))
  test(`${what} is a mistake of the configuration (CFG-4)`, () => {
    assert.is(resolveConfiguredRules(entries).mistakes.length, 1);
  });

test('two entries with one id are a mistake of the configuration (CFG-4)', () => {
  const entry = { id: 'mine', when: 'tool.before' } as const;
  assert.equal(
    resolveConfiguredRules([entry, entry]).mistakes.map(({ key }) => key),
    ['id'],
  );
});

test.run();
