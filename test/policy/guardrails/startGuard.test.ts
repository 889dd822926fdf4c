import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countUnknownRepo, refuseByRule } from '../../../src/policy/guardrails/startGuard.ts';
import type { GuardrailEntry } from '../../../src/contract/schema/policy/guardrail.ts';
import { guardrailStage } from './stage.ts';
import { CAMPAIGN_WORKFLOW } from '../../support/charts/jobSteps.ts';
import { codeOfRefusal, catchRefusal } from '../../support/refusal.ts';

const test = suite('guardrails before a job begins');

const JOB = {
  workflowPath: 'workflows/job.md',
  workflow: CAMPAIGN_WORKFLOW,
  params: { repoSlug: 'acme/shop' },
  interactive: false,
};
const rule = (part: Partial<GuardrailEntry>): GuardrailEntry => ({
  id: 'mine',
  when: 'job.start',
  ...part,
});

test('a rule keeps a job from beginning (CFG-4)', async () => {
  const { guardrails } = await guardrailStage([rule({ if: 'job.repository == "acme/shop"' })]);
  assert.is(await codeOfRefusal(() => refuseByRule({ guardrails }, JOB, 'person')), 'guardrail');
});

test('the refusal names the rule and what to do instead (CFG-4)', async () => {
  const { guardrails } = await guardrailStage([rule({ message: 'Use acme/api.' })]);
  const { message } = await catchRefusal(() => refuseByRule({ guardrails }, JOB, 'person'));
  assert.match(message, /guardrail mine: Use acme\/api\. Start it otherwise, or change the rule/);
});

test('the refusal has the rule as data (CFG-4)', async () => {
  const { guardrails } = await guardrailStage([rule({})]);
  const { data } = await catchRefusal(() => refuseByRule({ guardrails }, JOB, 'person'));
  assert.equal(data, { rule: 'mine' });
});

for (const actor of ['person', 'trigger', 'sub-run'] as const)
  test(`a rule can be about a job that a ${actor} begins, and no other (CFG-4)`, async () => {
    const { guardrails } = await guardrailStage([rule({ if: `actor != "${actor}"` })]);
    assert.is(await refuseByRule({ guardrails }, JOB, actor), undefined);
  });

test('no rule of svc keeps a job from beginning that it knows nothing against (CFG-4)', async () => {
  const { guardrails, rows } = await guardrailStage();
  await refuseByRule({ guardrails }, JOB, 'person');
  assert.is(rows.count('guardrail_decisions'), 0);
});

test('a script that says park refuses: no job exists that could wait (CFG-4)', async () => {
  const { guardrails, script } = await guardrailStage();
  script('ask.sh', `echo '{"result":"park","message":"Ask Ana."}'`, { when: ['job.start'] });
  assert.is(await codeOfRefusal(() => refuseByRule({ guardrails }, JOB, 'person')), 'guardrail');
});

test('a rule that notes lets the job begin (CFG-4)', async () => {
  const { guardrails, rows } = await guardrailStage([rule({ do: 'note' })]);
  await refuseByRule({ guardrails }, JOB, 'person');
  assert.is(rows.all('guardrail_decisions')[0]?.result, 'note');
});

test('switched off, no rule keeps a job from beginning (CFG-4)', async () => {
  const { guardrails } = await guardrailStage([rule({})], { enabled: false });
  assert.is(await refuseByRule({ guardrails }, JOB, 'person'), undefined);
});

test('a repository that svc does not know is counted as only-known-repos (CFG-4)', async () => {
  const { guardrails, rows } = await guardrailStage();
  await countUnknownRepo({ guardrails }, JOB, [
    { pointer: '/params/repoSlug', message: 'is none' },
  ]);
  assert.equal(
    rows.all('guardrail_decisions').map(({ rule: id, moment }) => [id, moment]),
    [['only-known-repos', 'job.start']],
  );
});

test.run();
