import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { refuseApprovalEvent } from '../../../src/policy/guardrails/refuseApprovalEvent.ts';

const HELD = {
  kind: 'developer' as const,
  reason: 'guardrail no-workflow-file-change: the change touches .gitlab-ci.yml',
};
const catchRefusal = (
  parked: Parameters<typeof refuseApprovalEvent>[1],
  eventKey: string,
): string => {
  try {
    refuseApprovalEvent('job-1', parked, eventKey);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

for (const verdict of ['approve', 'reject'])
  test(`${verdict} is refused where a rule has stopped the job, with what can be done (CFG-4)`, () => {
    assert.match(
      catchRefusal(HELD, verdict),
      /no-workflow-file-change has stopped it.+svc why job-1/,
    );
  });

test('a resume continues without it (CFG-4)', () => {
  assert.is(catchRefusal(HELD, 'manual-resume'), '');
});

test('a job that waits for a person for another reason takes any event (CFG-4)', () => {
  assert.is(catchRefusal({ kind: 'developer', reason: 'the agent escalated' }, 'approve'), '');
});

test.run();
