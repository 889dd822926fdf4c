import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  toApprovalStatus,
  hasOpenCheckpoint,
  isBackwardStep,
  findNextPhase,
  findReadingPhase,
  deriveVisitStatus,
} from '../../../../machines/job/rules/phases.ts';
import { JOB_WORKFLOW, phase, workflow } from '../../../support/charts/jobSteps.ts';

const test = suite('phases');

test('the next phase is the one declared after it (JOB-3)', () => {
  assert.equal(
    ['planning', 'evaluation', 'reporting', 'gone'].map(
      (name) => findNextPhase(JOB_WORKFLOW, name)?.name,
    ),
    ['coding', 'reporting', undefined, undefined],
  );
});

test('the first visit shows initial_status, every other one the status of its phase (JOB-2)', () => {
  const table = workflow([phase('plan', { status: 'planning' }), phase('code')], {
    initial_status: 'warming-up',
  });
  assert.equal(deriveVisitStatus(table, 'plan', 1), 'warming-up');
  assert.equal(deriveVisitStatus(table, 'plan', 2), 'planning');
  assert.equal(deriveVisitStatus(table, 'code', 1), 'code');
  assert.equal(deriveVisitStatus(table, 'gone', 3), 'gone');
});

test('a loop leads back to the same phase or to an earlier one', () => {
  assert.equal(isBackwardStep(JOB_WORKFLOW, 'evaluation', 'coding'), true);
  assert.equal(isBackwardStep(JOB_WORKFLOW, 'coding', 'coding'), true);
  assert.equal(isBackwardStep(JOB_WORKFLOW, 'coding', 'testing'), false);
});

test('a message is read by the phase itself or the nearest one before it that has an agent', () => {
  const silent = workflow([phase('a', { agent: null }), phase('b', { agent: null })]);
  assert.equal(findReadingPhase(JOB_WORKFLOW, 'testing')?.name, 'testing');
  assert.equal(findReadingPhase(JOB_WORKFLOW, 'pr-wait')?.name, 'coding');
  assert.equal(findReadingPhase(silent, 'b'), undefined);
});

const checkpoint = phase('planning', { interactive_checkpoint: true });

for (const [name, autoApprove, holds] of [
  ['nothing', undefined, true],
  ['the phase', 'planning', false],
  ['another phase', 'coding', true],
  ['a list with it', ['coding', 'planning'], false],
  ['a list without it', ['coding'], true],
  ['all', true, false],
  ['false', false, true],
  ['the text true', 'true', true],
] as const) {
  test(`a checkpoint ${holds ? 'holds' : 'passes'} when autoApprove is ${name} (JOB-5, JOB-16)`, () => {
    assert.is(hasOpenCheckpoint(checkpoint, { autoApprove }), holds);
  });
}

test('a phase without checkpoint never waits for approval', () => {
  assert.is(hasOpenCheckpoint(phase('coding'), {}), false);
  assert.is(hasOpenCheckpoint(undefined, {}), false);
});

test('planning that waits for approval has a status of its own (JOB-5)', () => {
  assert.equal(['planning', 'reporting'].map(toApprovalStatus), [
    'awaiting-plan-approval',
    'reporting',
  ]);
});

test.run();
