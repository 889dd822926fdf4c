import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ActorState } from '../../../src/durable/chart.ts';
import type { QuotaKind } from '../../../src/domain/quotaKinds.ts';
import { quotaAdmission } from '../../../src/job/quota/quotaAdmission.ts';

const test = suite('whether the pool of a job lets it begin');

const NOW = Date.UTC(2026, 10, 22, 12);
const HOUR_MS = 3_600_000;
const POOL = 'pool:anthropic:https://api.example:0123456789ab';

interface Asked {
  value?: string;
  used?: number;
  limit?: { kind: QuotaKind; until: number | null };
  visit?: number;
  interactive?: boolean;
  admitted?: boolean;
}

const asked = ({ value = 'open', used = 0, limit, visit = 0, ...job }: Asked) => {
  const actor = (id: string, chart: string, state: string, context: object): ActorState => ({
    id,
    chart,
    seq: 1,
    value: state,
    tags: [],
    status: 'active',
    context,
  });
  const pool = actor(POOL, 'quota', value, {
    pool: POOL,
    closed: limit ? { ...limit, window: null, since: NOW } : null,
    use: { used, window: '5 hours', resetsAt: NOW + HOUR_MS, at: NOW },
  });
  const admit = quotaAdmission({
    settings: { llm: { defaultProvider: 'command', aliases: {} } },
    executor: () => ({
      pool: () => ({
        kind: 'anthropic',
        origin: 'https://api.example',
        account: '0123456789ab',
      }),
    }),
    state: () => pool,
    now: () => NOW,
  }).round([]);
  const verdict = admit(
    actor('job-1', 'job', 'queued', {
      workflow: { phases: [{ name: 'coding', agent: 'coder', model: null, provider: null }] },
      phase: 'coding',
      next: null,
      visit,
      interactive: false,
      ...job,
    }),
  );
  return verdict.verdict === 'park' ? verdict.event : verdict.verdict;
};

const FULL = {
  type: 'quota.closed',
  pool: POOL,
  kind: 'exhausted',
  window: '5 hours',
  until: NOW + HOUR_MS,
};

test('below 90 % a new headless job begins', () => {
  assert.is(asked({ used: 0.899 }), 'go');
});

test('from 90 % on a new headless job waits for the window', () => {
  assert.equal(asked({ used: 0.9 }), FULL);
});

test('from 90 % on a new job of a person begins', () => {
  assert.is(asked({ used: 0.96, interactive: true }), 'go');
});

test('from 90 % on a headless job that has begun goes on', () => {
  assert.is(asked({ used: 0.96, visit: 3 }), 'go');
});

test('from 97 % on no phase begins, of a person neither', () => {
  assert.equal(asked({ used: 0.97, visit: 3, interactive: true }), FULL);
});

test('from 97 % on a job that a person has resumed begins', () => {
  assert.is(asked({ used: 1, admitted: true }), 'go');
});

test('while money is missing a job waits for a person: no time is named', () => {
  assert.equal(asked({ value: 'billing', limit: { kind: 'billing', until: null } }), {
    ...FULL,
    kind: 'billing',
    window: null,
    until: null,
  });
});

test.run();
