import { Ansis } from 'ansis';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatWhy } from '../../../cli/render/job/formatWhy.ts';
import { explainGuardrailWait } from '../../../src/policy/guardrails/explainGuardrailWait.ts';
import type { WhyReply } from '../../../src/contract/schema/api/replies.ts';
import { guardrailStage } from './stage.ts';
import { opening, createSubject } from './subjects.ts';

const test = suite('guardrails: why a job waits');

const WHY: WhyReply = {
  id: 'job-1',
  state: ['parked.developer'],
  since: 0,
  reason: null,
  waitsFor: ['for a developer: resume, or a message'],
  waysOut: [
    { event: 'job.resume', from: 'parked.developer', target: 'queued', open: true, guards: [] },
  ],
  pendingEffects: [],
  timers: [],
};

test('it names the rule, what was wanted, and that it can be allowed', async () => {
  const { guardrails, rows } = await guardrailStage([
    { id: 'protected-paths', paths: ['infra/**'] },
  ]);
  const { message: reason } = await guardrails.check(opening(['infra/a.tf']));
  const why = explainGuardrailWait(rows, WHY, { kind: 'developer', reason });
  assert.equal(why.guardrail, { rule: 'protected-paths', wanted: 'create_pr', allowable: true });
  assert.is(
    why.waitsFor[1],
    'for you to decide about create_pr, which the guardrail protected-paths stopped',
  );
});

test('svc why has the command to allow it, and the one to continue without it', async () => {
  const guardrail = { rule: 'large-diff', wanted: 'create_pr', allowable: true };
  const text = formatWhy({ ...WHY, guardrail }, { color: new Ansis(0), now: () => 0 });
  assert.match(text, /svc guardrail allow job-1 --rule large-diff {2}allow exactly this/);
  assert.match(text, /svc resume job-1 +continue without it/);
});

test('what a rule refused at the end of a phase no one can allow', async () => {
  const { guardrails, rows } = await guardrailStage([{ id: 'no-end', when: 'phase.end' }]);
  const subject = createSubject({ moment: 'phase.end', tool: '' });
  const { message: reason } = await guardrails.check(subject);
  const why = explainGuardrailWait(rows, WHY, { kind: 'developer', reason });
  assert.equal(why.guardrail, { rule: 'no-end', wanted: 'the end of the phase', allowable: false });
});

test('a job that waits for something else names no rule', async () => {
  const { rows } = await guardrailStage();
  const parked = { kind: 'developer' as const, reason: 'the agent asks which one' };
  assert.is(explainGuardrailWait(rows, WHY, parked).guardrail, undefined);
  assert.is(explainGuardrailWait(rows, WHY, null).guardrail, undefined);
});

test.run();
