import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ChatResult } from '../../../src/contract/planning/chat.ts';
import type { ActorState } from '../../../src/kernel/chart.ts';
import type { Send } from '../../../src/kernel/contract.ts';
import { createTurnAccount } from '../../../src/host/runner/createTurnAccount.ts';

const test = suite('a turn of a chat as a user of an account');

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

function openAccount(value: string, until: number | null) {
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
  const account = createTurnAccount(
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
  return { account, sent };
}

test('an exhausted account keeps it from its model until the reset', () => {
  assert.is(openAccount('exhausted', NOW + 1).account.findLimit()?.resetsAt, NOW + 1);
});

test('from the time of the reset on a person may be the one who tries it', () => {
  assert.is(openAccount('exhausted', NOW).account.findLimit(), null);
});

test('a limit of minutes is waited for within the turn', () => {
  assert.is(openAccount('throttled', NOW + 60_000).account.findLimit(), null);
});

test('missing money keeps it from its model', () => {
  assert.is(openAccount('billing', null).account.findLimit()?.resetsAt, null);
});

test('an answer is reported once to a account that waits for one', () => {
  const { account, sent } = openAccount('probing', null);
  account.take({ type: 'token', text: 'Y' });
  account.take({ type: 'token', text: 'es' });
  assert.equal(sent, [{ type: 'quota.answered' }]);
});

test('a limit that it meets is a limit of the account, with the time at which that is tried again', async () => {
  const { account, sent } = openAccount('open', null);
  const resetsAt = NOW + 7_200_000;
  const quota = { kind: 'exhausted', window: '5 hours' } as const;
  await account.reportEnd({ ...RESULT, stop: 'quota', resetsAt, quota });
  assert.equal(sent, [{ type: 'quota.hit', ...quota, resetsAt, chance: 0 }]);
});

test('a turn that ends with an error is not counted: a person sees it', async () => {
  const { account, sent } = openAccount('open', null);
  await account.reportEnd({ ...RESULT, stop: 'error', error: '401' });
  assert.equal(sent, []);
});

test('a turn that a person has stopped says nothing of the account', async () => {
  const { account, sent } = openAccount('probing', null);
  await account.reportEnd({ ...RESULT, stop: 'interrupted' });
  assert.equal(sent, []);
});

test.run();
