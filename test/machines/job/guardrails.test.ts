import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { phase, SteppedJob, workflow } from '../../support/charts/jobSteps.ts';

const test = suite('job: a guardrail makes it wait');

const TWO = workflow([phase('coding'), phase('review')]);
const held = {
  rule: 'large-diff',
  text: 'guardrail large-diff: the change has 3000 lines. A person can allow exactly this',
};

const startJob = (): SteppedJob => new SteppedJob(TWO).run();
const parked = (): SteppedJob => startJob().end('end_turn', null, { held });

test('it parks for a person at the end of the session (CFG-4)', () => {
  assert.is(parked().at, 'parked.developer');
});

test('the reason is that of the rule, with what can be done (CFG-4)', () => {
  assert.is(
    parked().context.parked?.reason,
    `${held.text}. Resume, or a message, runs the phase again.`,
  );
});

test('the visit ends as one that a guardrail held (CFG-4)', () => {
  assert.is(parked().rows('phase_visits').at(-1)?.outcome, 'guardrail');
});

test('resume runs the phase again (CFG-4)', () => {
  const job = parked();
  job.resume();
  job.run();
  assert.equal([job.at, job.context.phase], ['working.inSession', 'coding']);
});

test('a message runs the phase again (CFG-4)', () => {
  const job = parked();
  job.message('leave the file out');
  job.run();
  assert.equal([job.at, job.context.phase], ['working.inSession', 'coding']);
});

test('the phase that runs again is not held by what held the last one (CFG-4)', () => {
  const job = parked();
  job.resume();
  job.run().end();
  assert.is(job.context.phase, 'review');
});

test('no step that the agent has asked for is taken meanwhile (CFG-4)', () => {
  const job = startJob();
  job.goto('review');
  job.end('end_turn', null, { held });
  assert.equal([job.at, job.context.phase], ['parked.developer', 'coding']);
});

for (const reason of ['interrupted', 'quota', 'died', 'error'] as const)
  test(`it waits for the person also after a session that ended with ${reason} (CFG-4)`, () => {
    assert.is(startJob().end(reason, 'x', { held }).at, 'parked.developer');
  });

test('a session that ended with a limit fails the job before (CFG-4)', () => {
  assert.is(startJob().end('limit', 'boom', { held }).at, 'ended.failed');
});

test('the reason also has the error that the session ended with (CFG-4)', () => {
  const { parked: waits } = startJob().end('error', 'sh ended with 1', { held }).context;
  assert.match(
    waits?.reason ?? '',
    /runs the phase again\. Its session ended with an error: sh ended/,
  );
});

test('an error that is the refusal itself is not said twice (CFG-4)', () => {
  const errorText = 'sh ended with 1: guardrail large-diff: the change has 3000 lines.';
  const { parked: waits } = startJob().end('error', errorText, { held }).context;
  assert.not.match(waits?.reason ?? '', /ended with an error/);
});

test('an agent that calls for a person is heard before (CFG-4)', () => {
  const job = startJob();
  job.tool('escalate', { message: 'help' });
  assert.is(job.end('end_turn', null, { held }).at, 'ended.escalated');
});

test.run();
