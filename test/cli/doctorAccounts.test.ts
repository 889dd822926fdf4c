import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnoseAccounts } from '../../cli/doctor/accounts.ts';
import type { Pool } from '../../src/contract/schema/policy/pool.ts';

const test = suite('svc doctor: accounts of models');

const pool = (change: Partial<Pool> = {}): Pool => ({
  id: 'pool:anthropic:https://api.example:0123456789ab',
  kind: 'anthropic',
  origin: 'https://api.example',
  account: '0123456789ab',
  state: 'open',
  limit: null,
  used: null,
  waiting: 0,
  ...change,
});
const exhausted = pool({
  state: 'exhausted',
  limit: {
    kind: 'exhausted',
    window: '5 hours',
    since: '2026-11-22T12:00:00.000Z',
    until: '2026-11-22T17:00:00.000Z',
  },
  waiting: 3,
});
const billing = pool({
  id: 'pool:openai:https://api.other:none',
  origin: 'https://api.other',
  account: 'none',
  state: 'billing',
  limit: { kind: 'billing', window: null, since: '2026-11-22T12:00:00.000Z', until: null },
  waiting: 1,
});

test('open accounts are well', () => {
  assert.is(diagnoseAccounts([pool()]).status, 'ok');
});

test('an account at its limit is named with the time and its jobs', () => {
  const { status, detail } = diagnoseAccounts([pool(), exhausted]);
  assert.is(status, 'warning');
  assert.is(
    detail,
    'https://api.example (0123456789ab) is at its limit of 5 hours until 2026-11-22 17:00 UTC; 3 jobs wait',
  );
});

test('missing money needs a person, and comes first', () => {
  const { detail, fix } = diagnoseAccounts([exhausted, billing]);
  assert.match(detail, /https:\/\/api\.other \(none\) is unpaid; 1 job waits/);
  assert.is(
    fix,
    'Pay the bill of the account, then run: svc accounts retry pool:openai:https://api.other:none',
  );
});

test.run();
