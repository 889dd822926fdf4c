import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isUnaskedEvent } from '../../../../machines/job/guards.ts';
import { NO_SIGNALS } from '../../../../machines/job/rules/createJobContext.ts';

const test = suite('kinds that have to be asked for');

const awaited = (kinds: string[] | null) => ({
  kinds,
  prId: null,
  from: 'coding',
  after: 'testing',
});
const createAwaitSignals = (kinds: string[] | null) => ({
  ...NO_SIGNALS,
  await: { kinds, prId: null, resumePhase: null },
});

for (const [name, kind, context, expected] of [
  [
    'green checks, while nothing is awaited',
    'check_passed',
    { awaited: null, signals: NO_SIGNALS },
    true,
  ],
  [
    'green checks, while any event is awaited',
    'check_passed',
    { awaited: awaited(null), signals: NO_SIGNALS },
    true,
  ],
  [
    'green checks, while comments are awaited',
    'check_passed',
    { awaited: awaited(['commented']), signals: NO_SIGNALS },
    true,
  ],
  [
    'green checks, awaited by name',
    'check_passed',
    { awaited: awaited(['check_passed']), signals: NO_SIGNALS },
    false,
  ],
  [
    'green checks, while the session that asks for them by name still runs',
    'check_passed',
    { awaited: null, signals: createAwaitSignals(['merged', 'check_passed']) },
    false,
  ],
  ['a failed check', 'check_failed', { awaited: null, signals: NO_SIGNALS }, false],
] as const) {
  test(`${name}: ${expected ? 'nothing to the job' : 'goes into its inbox'} (JOB-6)`, () => {
    assert.is(isUnaskedEvent(kind, context), expected);
  });
}

test.run();
