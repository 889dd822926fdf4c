import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ActorState } from '../../../src/kernel/chart.ts';
import type { QuotaKind } from '../../../src/base/agents/quotaKinds.ts';
import type { Settings } from '../../../src/contract/schema/runner/settings.ts';
import { createQuotaAdmission } from '../../../src/policy/quota/createQuotaAdmission.ts';

const test = suite('whether the pool of a job lets it begin');

const NOW = Date.UTC(2026, 10, 22, 12);
const HOUR_MS = 3_600_000;
const POOL = 'pool:anthropic:https://api.example:0123456789ab';

interface AdmissionCase {
  value?: string;
  used?: number;
  limit?: { kind: QuotaKind; until: number | null };
  visit?: number;
  interactive?: boolean;
  admitted?: boolean | 'pool' | 'probe';
  next?: { phase: string; sameVisit: boolean };
  model?: string;
  provider?: string;
  aliases?: Settings['llm']['aliases'];
  /** Why the executor of the fallback could run nothing. */
  lacks?: string;
  /** State of the fallback's pool. */
  other?: string;
}

const OTHER = 'pool:openai:https://api.example:0123456789ab';

const askAdmission = ({
  value = 'open',
  used = 0,
  limit,
  visit = 0,
  model,
  provider,
  aliases = {},
  lacks,
  other,
  ...job
}: AdmissionCase) => {
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
  const admit = createQuotaAdmission({
    settings: { llm: { defaultProvider: 'command', aliases } },
    executor: (id) => ({
      ...(id === 'command' || lacks === undefined ? {} : { lacks: () => lacks }),
      pool: () => ({
        kind: id === 'command' ? 'anthropic' : 'openai',
        origin: 'https://api.example',
        account: '0123456789ab',
      }),
    }),
    state: (id) =>
      id === POOL
        ? pool
        : other === undefined
          ? undefined
          : actor(OTHER, 'quota', other, { closed: null, use: null }),
    now: () => NOW,
  }).beginGroup([]);
  const answer = admit(
    actor('job-1', 'job', 'queued', {
      workflow: {
        phases: [
          { name: 'coding', agent: 'coder', model: model ?? null, provider: provider ?? null },
        ],
      },
      phase: 'coding',
      next: null,
      visit,
      interactive: false,
      ...job,
    }),
    {},
  );
  return answer.kind === 'go' ? (answer.grant ?? 'go') : Object(answer).event;
};

const FULL = {
  type: 'quota.closed',
  pool: POOL,
  kind: 'exhausted',
  window: '5 hours',
  until: NOW + HOUR_MS,
};

const EXHAUSTED = {
  value: 'exhausted',
  limit: { kind: 'exhausted', until: NOW + HOUR_MS },
} as const;
const WAITS = { ...FULL, window: null };

test('below 90 % a new headless job begins', () => {
  assert.is(askAdmission({ used: 0.899 }), 'go');
});

test('from 90 % on a new headless job waits for the window', () => {
  assert.equal(askAdmission({ used: 0.9 }), FULL);
});

test('from 90 % on a new job of a person begins', () => {
  assert.is(askAdmission({ used: 0.96, interactive: true }), 'go');
});

test('from 90 % on a headless job that has begun continues', () => {
  assert.is(askAdmission({ used: 0.96, visit: 3 }), 'go');
});

test('from 97 % on no phase begins, of a person neither', () => {
  assert.equal(askAdmission({ used: 0.97, visit: 3, interactive: true }), FULL);
});

test('from 97 % on a job that a person has resumed begins', () => {
  assert.is(askAdmission({ used: 1, admitted: true }), 'go');
});

test('a job that its pool has woken waits again where a limit was met before its turn', () => {
  assert.equal(askAdmission({ ...EXHAUSTED, admitted: 'pool' }), WAITS);
  assert.equal(askAdmission({ ...EXHAUSTED, admitted: 'probe' }), WAITS);
});

test('while a limit may hold, of the jobs that were woken only the probe begins', () => {
  assert.equal(askAdmission({ ...EXHAUSTED, value: 'probing', admitted: 'pool' }), WAITS);
  assert.is(askAdmission({ ...EXHAUSTED, value: 'probing', admitted: 'probe' }), 'go');
});

test('a job that was woken in its wave begins', () => {
  assert.is(askAdmission({ ...EXHAUSTED, value: 'waking', admitted: 'pool' }), 'go');
});

test('a job that a person has resumed begins while a limit holds', () => {
  assert.is(askAdmission({ ...EXHAUSTED, admitted: true }), 'go');
});

test('while an account is unpaid a job waits for a person: no time is named', () => {
  assert.equal(askAdmission({ value: 'billing', limit: { kind: 'billing', until: null } }), {
    ...FULL,
    kind: 'billing',
    window: null,
    until: null,
  });
});

/** A visit that begins, with an alias that has a fallback. */
const SPARED = {
  ...EXHAUSTED,
  model: 'coding',
  next: { phase: 'coding', sameVisit: false },
  aliases: {
    coding: { provider: 'command', model: 'large', fallback: 'spare' },
    spare: { provider: 'builtin', model: 'small' },
  },
};
const SPARE = { fallback: { from: 'coding', to: 'spare', pool: POOL } };

test('without a fallback a visit waits for its exhausted pool', () => {
  const { coding, spare } = SPARED.aliases;
  const aliases = { coding: { provider: coding.provider, model: coding.model }, spare };
  assert.equal(askAdmission({ ...SPARED, aliases }), WAITS);
});

test('while a pool is exhausted a visit begins with the fallback of its alias', () => {
  assert.equal(askAdmission(SPARED), SPARE);
});

test('while too little of a window is left it begins with the fallback too', () => {
  assert.equal(askAdmission({ ...SPARED, value: 'open', used: 0.97 }), SPARE);
});

test('no fallback is taken while the pool is open', () => {
  assert.is(askAdmission({ ...SPARED, value: 'open' }), 'go');
});

test('a provider that the phase pins has no fallback', () => {
  assert.equal(askAdmission({ ...SPARED, provider: 'command' }), WAITS);
});

test('a visit that has begun keeps its model', () => {
  assert.equal(askAdmission({ ...SPARED, next: { phase: 'coding', sameVisit: true } }), WAITS);
});

test('a limit of minutes is waited for', () => {
  const limit = { kind: 'throttled', until: NOW + HOUR_MS } as const;
  assert.equal(askAdmission({ ...SPARED, value: 'throttled', limit }), {
    ...WAITS,
    kind: 'throttled',
  });
});

test('missing money is for people, not for a fallback', () => {
  const limit = { kind: 'billing', until: null } as const;
  assert.equal(askAdmission({ ...SPARED, value: 'billing', limit }), {
    ...WAITS,
    kind: 'billing',
    until: null,
  });
});

test('a fallback that its executor could not run is not taken', () => {
  assert.equal(askAdmission({ ...SPARED, lacks: 'no endpoint is configured' }), WAITS);
});

test('a fallback whose own pool is closed is not taken', () => {
  assert.equal(askAdmission({ ...SPARED, other: 'probing' }), WAITS);
});

test.run();
