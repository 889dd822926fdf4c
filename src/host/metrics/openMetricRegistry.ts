import type { ForgeView } from '../../contract/schema/forge/forge.ts';
import type { DeprecatedUse } from '../../contract/schema/api/replies.ts';
import type { KnownValue } from './lastKnown.ts';
import { toScrapeName, METRICS, type MetricName } from './metricTable.ts';
import type { ProcessObserver } from './createCommitObserver.ts';

export interface ModelUse {
  provider: string;
  model: string;
  calls: number;
  unpriced: number;
  microUsd: number;
  tokens: Readonly<Record<string, number>>;
}

export interface JobGroup {
  state: string;
  waitsFor: string;
  count: number;
  /** Epoch ms. */
  oldestSince: number;
}

/** What is asked when metrics are read. None of it waits for a forge, a disk or a program. */
export interface MetricSources {
  version: string;
  /** Epoch ms. */
  now(): number;
  jobs(): readonly JobGroup[];
  slots(): { used: number; limit: number };
  models(): Promise<readonly ModelUse[]>;
  /** As they were last read: no one waits for a forge. */
  forges(): KnownValue<readonly ForgeView[]>;
  listDeprecatedUses(): readonly DeprecatedUse[];
  sessionsRunning(): number;
  stateBytes(): Readonly<Record<string, number>>;
  countBrokenRows(): Readonly<Record<string, number>>;
  /** Free bytes by folder, as they were last read. */
  diskFree(): KnownValue<Readonly<Record<string, number>>>;
}

export interface Metrics {
  observed: ProcessObserver;
  read(): Promise<{ type: string; text: string }>;
}

/** Models that have labels of their own; the others are counted together, as `other`. */
export const MOST_MODELS = 50;
/** Answers that need the store are this old at most, ms. */
const FRESH_MS = 5_000;
/** How often the lag of the event loop is measured, ms. */
const LAG_MS = 1_000;
/** Parts of a dollar in which costs are kept. */
const MICRO = 1_000_000;

interface StoredFigures {
  /** Epoch ms. */
  at: number;
  jobs: readonly JobGroup[];
  models: readonly ModelUse[];
}

export function limitModels(all: readonly ModelUse[], most = MOST_MODELS): ModelUse[] {
  const sorted = [...all].sort((a, b) => b.calls - a.calls);
  const rest = sorted.slice(most);
  if (rest.length === 0) return sorted;
  const other: ModelUse = {
    provider: 'other',
    model: 'other',
    calls: 0,
    unpriced: 0,
    microUsd: 0,
    tokens: {},
  };
  for (const { calls, unpriced, microUsd, tokens } of rest) {
    other.calls += calls;
    other.unpriced += unpriced;
    other.microUsd += microUsd;
    const kinds = new Set([...Object.keys(other.tokens), ...Object.keys(tokens)]);
    other.tokens = Object.fromEntries(
      [...kinds].map((kind) => [kind, (other.tokens[kind] ?? 0) + (tokens[kind] ?? 0)]),
    );
  }
  return [...sorted.slice(0, most), other];
}

export async function openMetricRegistry(sources: MetricSources): Promise<Metrics> {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = (
    await import('prom-client')
  ).default;
  const registry = new Registry();
  // The lag of the event loop is measured by a timer, which must not keep an idle runner awake.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_MS });
  const gauges = new Map<MetricName, InstanceType<typeof Gauge>>();
  const histograms = new Map<MetricName, InstanceType<typeof Histogram>>();
  const counters = new Map<MetricName, InstanceType<typeof Counter>>();
  for (const [name, spec] of Object.entries(METRICS) as [
    MetricName,
    (typeof METRICS)[MetricName],
  ][]) {
    const options = {
      name: toScrapeName(name),
      help: spec.help,
      labelNames: [...spec.labels],
      registers: [registry],
    };
    if (spec.type === 'gauge') gauges.set(name, new Gauge(options));
    else if (spec.type === 'counter') counters.set(name, new Counter(options));
    else histograms.set(name, new Histogram({ ...options, buckets: [...spec.buckets] }));
  }

  const set = (name: MetricName, labels: Record<string, string>, value: number): void => {
    gauges.get(name)?.set(labels, value);
  };
  /** A sum that is kept elsewhere: it is set again at each reading. */
  const total = (name: MetricName, labels: Record<string, string>, value: number): void => {
    counters.get(name)?.inc(labels, value);
  };
  const KEPT: readonly MetricName[] = [
    'model_tokens_total',
    'model_calls_total',
    'model_calls_unpriced_total',
    'cost_dollars_total',
    'forge_requests_total',
    'deprecated_uses_total',
  ];
  const changing: readonly MetricName[] = [
    'jobs',
    'oldest_seconds',
    'forge_usable',
    'disk_free_bytes',
    'broken_rows',
  ];

  let fromStore: StoredFigures | null = null;
  const readStore = async (): Promise<StoredFigures> => {
    const at = sources.now();
    if (fromStore === null || at - fromStore.at > FRESH_MS)
      fromStore = { at, models: limitModels(await sources.models()), jobs: sources.jobs() };
    return fromStore;
  };

  /** In one go, so that two readings at once do not count twice. */
  const collect = (
    { jobs, models }: StoredFigures,
    { value: disk, ageSeconds: diskAge }: KnownValue<Readonly<Record<string, number>>>,
    { value: forges, ageSeconds: forgesAge }: KnownValue<readonly ForgeView[]>,
  ): void => {
    for (const name of changing) gauges.get(name)?.reset();
    for (const name of KEPT) counters.get(name)?.reset();
    const now = sources.now();
    set('build_info', { version: sources.version }, 1);
    for (const { state, waitsFor, count, oldestSince } of jobs) {
      const labels = { state, waits_for: waitsFor };
      set('jobs', labels, count);
      if (['queued', 'working', 'waiting'].includes(state))
        set('oldest_seconds', labels, Math.max(0, now - oldestSince) / 1000);
    }
    const { used, limit } = sources.slots();
    set('slots', { kind: 'used' }, used);
    set('slots', { kind: 'limit' }, limit);
    set('sessions_running', {}, sources.sessionsRunning());
    for (const { provider, model, calls, unpriced, microUsd, tokens } of models) {
      const labels = { provider, model };
      total('model_calls_total', labels, calls);
      total('model_calls_unpriced_total', labels, unpriced);
      total('cost_dollars_total', labels, microUsd / MICRO);
      for (const [kind, count] of Object.entries(tokens))
        total('model_tokens_total', { ...labels, kind }, count);
    }
    for (const [file, bytes] of Object.entries(sources.stateBytes()))
      set('state_bytes', { file }, bytes);
    for (const [folder, bytes] of Object.entries(disk)) set('disk_free_bytes', { folder }, bytes);
    if (diskAge !== null) set('known_age_seconds', { of: 'disk' }, diskAge);
    if (forgesAge !== null) set('known_age_seconds', { of: 'forges' }, forgesAge);
    for (const [table, rows] of Object.entries(sources.countBrokenRows()))
      set('broken_rows', { table }, rows);
    for (const { id, problem, budget } of forges) {
      set('forge_usable', { forge: id }, problem === null ? 1 : 0);
      if (budget === null) continue;
      total('forge_requests_total', { forge: id }, budget.sent);
      for (const { resource, limit: most, remaining, resetsAt } of budget.limits) {
        const labels = { forge: id, resource };
        set('forge_requests_limit', labels, most);
        set('forge_requests_remaining', labels, remaining);
        set('forge_reset_timestamp_seconds', labels, Date.parse(resetsAt) / 1000);
      }
    }
    for (const { name, uses, ownUses } of sources.listDeprecatedUses())
      total('deprecated_uses_total', { name }, uses + ownUses);
  };

  return {
    observed: {
      sessionStarted: () => counters.get('sessions_started_total')?.inc(),
      sessionEnded(reason, seconds) {
        counters.get('sessions_ended_total')?.inc({ reason });
        if (seconds !== null) histograms.get('session_seconds')?.observe(seconds);
      },
      noteWait: (kind, seconds) => histograms.get('waits_seconds')?.observe({ kind }, seconds),
      noteCommit(outcome, seconds) {
        counters.get('commits_total')?.inc({ outcome });
        histograms.get('commit_seconds')?.observe(seconds);
      },
    },
    async read() {
      const storedFigures = await readStore();
      collect(storedFigures, sources.diskFree(), sources.forges());
      // The library writes `Nan`, which not every reader takes.
      const text = (await registry.metrics()).replaceAll(/ Nan$/gm, ' NaN');
      return { type: registry.contentType, text };
    },
  };
}
