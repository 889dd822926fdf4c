import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JobContext } from '../../../machines/index.ts';
import type { ActorState } from '../../../src/kernel/chart.ts';
import type { Why } from '../../../src/kernel/questions.ts';
import { explainQuotaWait } from '../../../src/policy/quota/explainQuotaWait.ts';

const test = suite('why a job waits for the limit of an account');

const ID = 'pool:anthropic:https://api.example:0123456789ab';
const UNTIL = Date.UTC(2026, 10, 23, 2, 43);
const WHY: Why = {
  id: 'job-1',
  state: ['parked.quota'],
  since: 0,
  waitsFor: ['for the account'],
  waysOut: [],
  pendingEffects: [],
  timers: [],
};

const PARKED: JobContext['parked'] = {
  kind: 'quota',
  reason: 'its reason',
  since: '2026-11-23T02:00:00.000Z',
  pool: ID,
};

const whyAt = (value: string, closed: { until: number | null; window: string | null } | null) =>
  explainQuotaWait(
    {
      state: (): ActorState => ({
        id: ID,
        chart: 'quota',
        seq: 1,
        value,
        tags: [],
        status: 'active',
        context: { closed },
      }),
      why: () => ({ ...WHY, timers: [{ name: 'due', due: UNTIL + 9_000 }] }),
    },
    WHY,
    PARKED,
  );

test('it names the account, its limit, and when it is tried again', () => {
  assert.is(
    whyAt('exhausted', { until: UNTIL, window: '5 hours' }).waitsFor[1],
    `${ID} is exhausted (limit of 5 hours); it is tried again at 2026-11-23 02:43 UTC`,
  );
});

test('the timer of the account is shown as that of the job', () => {
  assert.equal(whyAt('exhausted', { until: UNTIL, window: null }).timers, [
    { name: 'quota', due: UNTIL + 9_000 },
  ]);
});

test('missing money comes back at no time: a person settles it', () => {
  assert.is(
    whyAt('billing', { until: null, window: null }).waitsFor[1],
    `the account ${ID} is unpaid, and waiting does not help: pay its bill, then run svc accounts retry ${ID}`,
  );
});

test('while another job tries the account, it is named', () => {
  assert.is(whyAt('probing', null).waitsFor[1], `${ID} is being tested with one job`);
});

test('a job that an open account keeps back says its own reason', () => {
  assert.is(whyAt('open', null).waitsFor[1], 'its reason');
});

test('a job that waits for something else is left as it is', () => {
  assert.is(explainQuotaWait({ state: () => undefined, why: () => WHY }, WHY, null), WHY);
});

test.run();
