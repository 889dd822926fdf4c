import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { approvalProblems } from '../../machines/rules/approval.ts';

const test = suite('approval');

const shown = { artefactId: 'art', sha256: 'abc' };

test('approve, manual-resume and reject answer what is shown, by name or without one (JOB-5)', () => {
  for (const eventKey of ['approve', 'manual-resume', 'reject']) {
    assert.equal(approvalProblems({ shown }, { eventKey }), []);
    assert.equal(approvalProblems({ shown }, { eventKey, shown: 'abc' }), []);
    assert.equal(approvalProblems({ shown: null }, { eventKey }), []);
  }
});

test('people are told what is wrong with an answer', () => {
  assert.equal(
    [
      approvalProblems({ shown }, { eventKey: 'approve', shown: 'old' }),
      approvalProblems({ shown: null }, { eventKey: 'reject', shown: 'old' }),
      approvalProblems({ shown }, { eventKey: 'yes', shown: 'abc' }),
    ],
    [
      ['the plan old is not the one that is shown now (abc): look at it again'],
      ['the plan old is not the one that is shown now (there is none): look at it again'],
      ['the event key yes is neither approve nor manual-resume nor reject'],
    ],
  );
});

test.run();
