import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeCompletion } from '../../../../machines/job/rules/completionGate.ts';

const test = suite('the text for a complete campaign');

const CASES: [failed: number, escalated: number, text: string][] = [
  [0, 0, 'complete'],
  [1, 0, 'complete, 1 sub-run failed'],
  [3, 0, 'complete, 3 sub-runs failed'],
  [0, 1, 'complete, 1 sub-run escalated'],
  [0, 2, 'complete, 2 sub-runs escalated'],
  [1, 2, 'complete, 1 sub-run failed, 2 escalated'],
];

for (const [failed, escalated, text] of CASES)
  test(`${failed} failed and ${escalated} escalated: ${text}`, () => {
    assert.is(describeCompletion({ failed, escalated }), text);
  });

test.run();
