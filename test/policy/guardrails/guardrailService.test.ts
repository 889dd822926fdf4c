import { chmodSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createGuardrailService } from '../../../src/policy/guardrails/guardrailService.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { GuardrailEntry } from '../../../src/contract/schema/policy/guardrail.ts';
import { guardrailStage } from './stage.ts';
import { opening, createSubject } from './subjects.ts';
import { codeOfRefusal, catchRefusal } from '../../support/refusal.ts';

const test = suite('guardrails as people see them');

const INFRA: GuardrailEntry = { id: 'protected-paths', paths: ['infra/**'] };

async function service(rules: readonly GuardrailEntry[] = [INFRA]) {
  const stage = await guardrailStage(rules);
  const { guardrails, settings, rows, store } = stage;
  const resumed: unknown[] = [];
  const waiting = { kind: 'developer' as const, reason: '' };
  const access = createGuardrailService({
    guardrails,
    settings,
    rows,
    reader: store.guardrails,
    readParked: (jobId) => {
      if (jobId !== 'job-1') throw new SvcError('not-found', `Job ${jobId} does not exist.`);
      return waiting;
    },
    resume: async (...call) => {
      resumed.push(call);
      return { jobId: 'job-1', status: 'queued', phase: 'code', state: ['queued'], seq: 9 };
    },
  });
  const parks = async (path = 'infra/main.tf') => {
    const subject = opening([path], { hash: path });
    waiting.reason = (await guardrails.check(subject, { visit: 1, session: 1 })).message;
    return subject;
  };
  return { ...stage, access, resumed, waiting, parks };
}

test('GET /guardrails counts what a rule did and let pass (CFG-4)', async () => {
  const { access, guardrails, parks } = await service();
  await parks();
  await parks();
  await guardrails.check(opening(['src/a.ts'], { hash: 'b' }));
  const { rules } = await access.guardrails();
  const rule = rules.find(({ id }) => id === 'protected-paths');
  assert.equal(rule?.counts, { pass: 1, deny: 0, park: 2, redact: 0, note: 0 });
});

test('GET /guardrails names what is wrong with a script', async () => {
  const { access, script } = await service();
  chmodSync(script('mine.sh', 'exit 0\n', { when: ['write.before'] }), 0o722);
  const { rules } = await access.guardrails();
  assert.match(rules.find(({ id }) => id === 'mine')?.problem ?? '', /can be changed by others/);
});

test('GET /guardrails/decisions has the newest first, by rule and page', async () => {
  const { access, guardrails, parks, clock } = await service([
    INFRA,
    { id: 'no-note', when: 'tool.before', tools: ['add_insight'] },
  ]);
  await parks('infra/z.tf');
  clock.advance(1000);
  await parks('infra/b.tf');
  await guardrails.check(createSubject());
  const { decisions, total } = access.guardrailDecisions({ rule: 'protected-paths', limit: 1 });
  assert.is(total, 2);
  assert.match(
    decisions[0]?.message ?? '',
    /^guardrail protected-paths: the change touches infra\/b/,
  );
  assert.is(access.guardrailDecisions({ result: 'deny' }).decisions[0]?.rule, 'no-note');
  assert.is(access.guardrailDecisions({ job: 'job-1' }).total, 3);
});

test('allowed by a person, exactly this passes, and the job continues', async () => {
  const { access, guardrails, parks, resumed } = await service();
  const subject = await parks();
  const reply = await access.allowGuardrail('job-1', { rule: 'protected-paths' }, { by: 'login' });
  assert.is(reply.decision.allowed?.by, 'login');
  assert.is(reply.resumed, true);
  assert.equal(resumed, [
    ['job-1', { eventKey: 'manual-resume' }, { by: 'login', person: undefined }],
  ]);
  assert.is((await guardrails.check(subject)).result, 'pass');
  const other = opening(['infra/main.tf'], { hash: 'other' });
  assert.is((await guardrails.check(other)).result, 'park');
});

test('the job stays as it is where that is wanted', async () => {
  const { access, parks, resumed } = await service();
  await parks();
  const body = { rule: 'protected-paths', resume: false };
  assert.is((await access.allowGuardrail('job-1', body, { by: 'token' })).resumed, false);
  assert.equal(resumed, []);
});

test('the job stays as it is where it waits for something else', async () => {
  const { access, parks, waiting, resumed } = await service();
  await parks();
  waiting.reason = 'guardrail large-diff: the change has 3000 lines.';
  const body = { rule: 'protected-paths' };
  assert.is((await access.allowGuardrail('job-1', body, { by: 'token' })).resumed, false);
  assert.equal(resumed, []);
});

test('a refusal that does not wait for a person is not allowed', async () => {
  const { access, guardrails } = await service([{ id: 'no-note', when: 'tool.before' }]);
  await guardrails.check(createSubject());
  assert.is(
    await codeOfRefusal(() => access.allowGuardrail('job-1', { rule: 'no-note' }, { by: 'token' })),
    'not-possible-now',
  );
});

test('where nothing was stopped there is nothing to allow, and it is said when there is', async () => {
  const { access } = await service();
  const refusal = await catchRefusal(() =>
    access.allowGuardrail('job-1', { rule: 'protected-paths' }, { by: 'token' }),
  );
  assert.is(
    refusal.message,
    'No rule has stopped job-1, so there is nothing to allow. If a rule makes it wait, svc why job-1 shows the rule.',
  );
});

test('a rule that decided nothing is not found, and the closest one is named', async () => {
  const { access, parks } = await service();
  await parks();
  const refusal = await catchRefusal(() =>
    access.allowGuardrail('job-1', { rule: 'protected-path' }, { by: 'token' }),
  );
  assert.is(refusal.code, 'not-found');
  assert.match(refusal.message, /Did you mean protected-paths\?/);
});

test.run();
