import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ChatResult } from '../../../src/contract/planning/chat.ts';
import type { ActorState } from '../../../src/kernel/chart.ts';
import type { Send } from '../../../src/kernel/contract.ts';
import { createTurnAccount } from '../../../src/host/runner/createTurnAccount.ts';

const test = suite('a turn of a chat as a user of a pool');

const ID = 'pool:anthropic:https://api.example:0123456789ab';
const NOW = 1_000_000;
const RESULT: ChatResult = {
  stop: 'end',
  error: null,
  resetsAt: null,
  usage: null,
  contextTokens: null,
  rounds: 0,
  resume: null,
};

function openPool(value: string, until: number | null) {
  const sent: Send['event'][] = [];
  const state: ActorState = {
    id: ID,
    chart: 'quota',
    seq: 1,
    value,
    tags: [],
    status: 'active',
    context: {
      closed: { kind: 'exhausted', window: null, until, since: 0 },
      use: null,
      failures: 0,
    },
  };
  const pool = createTurnAccount(
    {
      kernel: {
        state: () => state,
        submit: async ({ sends = [] }) => {
          sent.push(...sends.map(({ event }) => event));
          return { started: [], sends: [] };
        },
      },
      now: () => NOW,
      chance: () => 0,
      starts: () => ({ warn: 1, park: 1 }),
      onError: (error) => assert.unreachable(String(error)),
    },
    ID,
  );
  return { pool, sent };
}

test('an exhausted pool keeps it from its model until the reset', () => {
  assert.is(openPool('exhausted', NOW + 1).pool.closed()?.resetsAt, NOW + 1);
});

test('from the time of the reset on a person may be the one who tries it', () => {
  assert.is(openPool('exhausted', NOW).pool.closed(), null);
});

test('a limit of minutes is waited for within the turn', () => {
  assert.is(openPool('throttled', NOW + 60_000).pool.closed(), null);
});

test('missing money keeps it from its model', () => {
  assert.is(openPool('billing', null).pool.closed()?.resetsAt, null);
});

test('an answer is reported once to a pool that waits for one', () => {
  const { pool, sent } = openPool('probing', null);
  pool.take({ type: 'token', text: 'Y' });
  pool.take({ type: 'token', text: 'es' });
  assert.equal(sent, [{ type: 'quota.answered' }]);
});

test('a limit that it meets is a limit of the pool, with the time at which that is tried again', async () => {
  const { pool, sent } = openPool('open', null);
  const resetsAt = NOW + 7_200_000;
  const quota = { kind: 'exhausted', window: '5 hours' } as const;
  await pool.ended({ ...RESULT, stop: 'quota', resetsAt, quota });
  assert.equal(sent, [{ type: 'quota.hit', ...quota, resetsAt, chance: 0 }]);
});

test('a turn that ends with an error is not counted: a person sees it', async () => {
  const { pool, sent } = openPool('open', null);
  await pool.ended({ ...RESULT, stop: 'error', error: '401' });
  assert.equal(sent, []);
});

test('a turn that a person has stopped says nothing of the pool', async () => {
  const { pool, sent } = openPool('probing', null);
  await pool.ended({ ...RESULT, stop: 'interrupted' });
  assert.equal(sent, []);
});

test.run();
