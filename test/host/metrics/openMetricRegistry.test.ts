import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  limitModels,
  type MetricSources,
  type ModelUse,
  openMetricRegistry,
} from '../../../src/host/metrics/openMetricRegistry.ts';
import { toScrapeName, METRICS } from '../../../src/host/metrics/metricTable.ts';
import { timeCommits } from '../../../src/host/metrics/createCommitObserver.ts';
import type { Batch } from '../../../src/kernel/writer.ts';
import type { ForgeView } from '../../../src/contract/schema/forge/forge.ts';
import { parseExposition } from '../../support/exposition.ts';
import { ask, openSurface, TOKEN } from '../../support/http/httpSurface.ts';
import { routes } from '../../../src/contract/routes/routes.ts';

const test = suite('metrics');

const NOW = Date.UTC(2026, 0, 2);

const MODEL: ModelUse = {
  provider: 'builtin',
  model: 'qwen3',
  calls: 3,
  unpriced: 1,
  microUsd: 2_500_000,
  tokens: { input: 100, output: 20 },
};

const GITHUB: ForgeView = {
  id: 'github',
  remote: true,
  account: 'bot',
  problem: null,
  budget: {
    limits: [{ resource: 'core', limit: 5000, remaining: 4999, resetsAt: '2026-01-02T01:00:00Z' }],
    waitsUntil: null,
    sent: 7,
    notModified: 0,
    perJob: 100,
    jobs: [{ jobId: 'shop-job-1', used: 7 }],
  },
  watched: 0,
  polls: 0,
  writes: { all: 0, undecided: 0 },
};

const SOURCES: MetricSources = {
  version: '0.2.0',
  now: () => NOW,
  jobs: () => [
    { state: 'waiting', waitsFor: 'approval', count: 2, oldestSince: NOW - 60_000 },
    { state: 'complete', waitsFor: '', count: 9, oldestSince: 0 },
  ],
  slots: () => ({ used: 1, limit: 2 }),
  models: async () => [MODEL],
  forges: () => ({ value: [GITHUB], ageSeconds: 3 }),
  listDeprecatedUses: () => [
    {
      name: 'config git',
      instead: 'plugins',
      uses: 1,
      ownUses: 2,
      lastUsedAt: '2026-01-01T00:00:00Z',
    },
  ],
  sessionsRunning: () => 1,
  stateBytes: () => ({ database: 4096, wal: 0 }),
  countBrokenRows: () => ({ insights: 2 }),
  diskFree: () => ({ value: { home: 5e9 }, ageSeconds: 2 }),
};

/** Lines of svc's own metrics. */
const listSampleLines = (text: string): string[] =>
  text.split('\n').filter((line) => line.startsWith('svc_'));

test('what the runner knows is read as gauges and totals, in base units (RUN-7)', async () => {
  const { read, observed } = await openMetricRegistry(SOURCES);
  observed.sessionStarted();
  observed.sessionEnded('end_turn', 30);
  observed.noteWait('approval', 120);
  observed.noteCommit('ok', 0.002);
  const { type, text } = await read();
  assert.match(type, /^text\/plain; version=0\.0\.4/);
  const lines = listSampleLines(text);
  for (const line of [
    'svc_build_info{version="0.2.0"} 1',
    'svc_jobs{state="waiting",waits_for="approval"} 2',
    'svc_oldest_seconds{state="waiting",waits_for="approval"} 60',
    'svc_slots{kind="limit"} 2',
    'svc_sessions_started_total 1',
    'svc_sessions_ended_total{reason="end_turn"} 1',
    'svc_session_seconds_sum 30',
    'svc_waits_seconds_count{kind="approval"} 1',
    'svc_commits_total{outcome="ok"} 1',
    'svc_commit_seconds_bucket{le="0.0025"} 1',
    'svc_cost_dollars_total{provider="builtin",model="qwen3"} 2.5',
    'svc_model_calls_unpriced_total{provider="builtin",model="qwen3"} 1',
    'svc_model_tokens_total{provider="builtin",model="qwen3",kind="input"} 100',
    'svc_forge_requests_remaining{forge="github",resource="core"} 4999',
    'svc_forge_requests_total{forge="github"} 7',
    'svc_deprecated_uses_total{name="config git"} 3',
    'svc_state_bytes{file="database"} 4096',
  ])
    assert.ok(lines.includes(line), `${line}\n${text}`);
  assert.not.match(text, /shop-job-1/, 'no job is a label');
});

test('totals that are kept in the store are not counted again by a second reading', async () => {
  const { read } = await openMetricRegistry(SOURCES);
  const [, second] = await Promise.all([read(), read()]);
  assert.ok(listSampleLines(second.text).includes('svc_forge_requests_total{forge="github"} 7'));
});

test('every declared metric has a line or is declared to scrapers, and nothing else is svc’s', async () => {
  const { text } = await (await openMetricRegistry(SOURCES)).read();
  const declared = [...text.matchAll(/^# TYPE (svc_\w+) (\w+)$/gm)].map(([, name, type]) => [
    name,
    type,
  ]);
  assert.equal(
    declared.sort(),
    Object.entries(METRICS)
      .map(([name, { type }]) => [toScrapeName(name), type])
      .sort(),
  );
});

test('the text is what a strict reader of the format takes, whatever a model is called', async () => {
  const name = 'a "quoted" \\ back\\slash\nnew line {ünïcode}';
  const { read, observed } = await openMetricRegistry({
    ...SOURCES,
    models: async () => [{ ...MODEL, model: name }],
  });
  for (const seconds of [0, 0.002, 1e9]) {
    observed.noteCommit('ok', seconds);
    observed.sessionEnded('end_turn', seconds);
    observed.noteWait('quota', seconds);
  }
  await read();
  const families = parseExposition((await read()).text);
  for (const [own, { type, help, labels }] of Object.entries(METRICS)) {
    const family = families.get(toScrapeName(own));
    assert.equal([family?.type, family?.help], [type, help], own);
    if (type === 'counter') assert.match(own, /_total$/);
    for (const sample of family?.samples ?? []) {
      const { le: _, ...otherLabels } = sample.labels;
      assert.ok(
        Object.keys(otherLabels).every((label) => (labels as readonly string[]).includes(label)),
        own,
      );
    }
  }
  const [cost] = families.get('svc_cost_dollars_total')?.samples ?? [];
  assert.equal(cost, {
    name: 'svc_cost_dollars_total',
    labels: { provider: 'builtin', model: name },
    value: 2.5,
  });
  assert.is(families.get('svc_session_seconds')?.samples.at(-1)?.value, 3);
});

test('a disk that cannot be read has no line', async () => {
  let readings = 0;
  const { read } = await openMetricRegistry({
    ...SOURCES,
    diskFree: () => ({
      value: readings++ === 0 ? { home: 1, work: 2 } : { home: 1 },
      ageSeconds: 0,
    }),
  });
  await read();
  assert.not.match((await read()).text, /disk_free_bytes\{folder="work"\}/);
});

test('what was never read has no line, and what was read has its age', async () => {
  const known = await openMetricRegistry(SOURCES);
  assert.match((await known.read()).text, 'svc_known_age_seconds{of="forges"} 3');
  const unread = await openMetricRegistry({
    ...SOURCES,
    forges: () => ({ value: [], ageSeconds: null }),
    diskFree: () => ({ value: {}, ageSeconds: null }),
  });
  assert.not.match((await unread.read()).text, /known_age_seconds\{|forge_usable\{/);
});

test('the models that are used least are counted together', () => {
  const many = Array.from({ length: 5 }, (_, n) => ({ ...MODEL, model: `m${n}`, calls: n + 1 }));
  const bounded = limitModels(many, 2);
  assert.equal(
    bounded.map(({ model, calls, tokens }) => [model, calls, tokens.input]),
    [
      ['m4', 5, 100],
      ['m3', 4, 100],
      ['other', 6, 300],
    ],
  );
});

test('a commit is timed and otherwise as it was; one that fails is counted as such and still fails', () => {
  const notes: string[] = [];
  const overlaps: (boolean | undefined)[] = [];
  let fails = false;
  const store = {
    commit(_batch: Batch, overlap?: boolean): undefined {
      overlaps.push(overlap);
      if (fails) throw new Error('disk full');
      return undefined;
    },
  };
  let at = 0;
  timeCommits(
    store,
    { noteCommit: (outcome, seconds) => notes.push(`${outcome} ${seconds}`) },
    () => (at += 5),
  );
  store.commit({} as Batch, true);
  fails = true;
  assert.throws(() => store.commit({} as Batch), /disk full/);
  assert.equal(notes, ['ok 0.005', 'failed 0.005']);
  assert.equal(overlaps, [true, undefined]);
});

test('dashboard and alerts name only metrics that exist', () => {
  const own = new Set(
    Object.entries(METRICS).flatMap(([name, { type }]) =>
      type === 'histogram'
        ? ['_bucket', '_sum', '_count'].map((end) => toScrapeName(name) + end)
        : [toScrapeName(name)],
    ),
  );
  const { panels } = JSON.parse(readFileSync('templates/grafana/svc.json', 'utf8'));
  const used = [
    ...JSON.stringify(panels).matchAll(/svc_\w+/g),
    ...readFileSync('templates/prometheus/alerts.yml', 'utf8').matchAll(/svc_\w+/g),
  ].map(([name]) => name);
  assert.ok(used.length > 20);
  assert.equal(
    [...new Set(used)].filter((name) => !own.has(name)),
    [],
  );
});

const MONITOR = 'monitor-token-0000000000000000000000000000000';

test('metrics.token reads metrics and opens no other route; without a credential nothing is read', async () => {
  const surface = await openSurface({
    metrics: {
      token: MONITOR,
      read: async () => ({ type: 'text/plain; version=0.0.4', text: 'svc_up 1\n' }),
    },
  });
  const by = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
  try {
    const read = await ask(surface, '/metrics', by(MONITOR));
    assert.equal([read.status, read.text], [200, 'svc_up 1\n']);
    assert.is((await ask(surface, '/metrics', by(TOKEN))).status, 200);
    assert.is((await ask(surface, '/metrics')).status, 401);
    assert.is((await ask(surface, '/metrics', by('wrong'))).status, 401);
    for (const { method, path } of routes.filter(({ access }) => access === 'write')) {
      const { status } = await ask(surface, path.replace(/:\w+/g, 'x'), {
        method,
        headers: { Authorization: `Bearer ${MONITOR}`, 'Content-Type': 'application/json' },
        ...(method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }),
      });
      assert.is(status, 401, `${method} ${path}`);
    }
  } finally {
    await surface.close();
  }
});

test.run();
