import type { DatabaseState } from '../databaseLook.ts';
import { CLOUD_METRICS, type CloudMetricName, toCloudScrapeName } from './cloudMetricTable.ts';
import type { CloudObserver } from './cloudObserver.ts';

/** What is asked when metrics are read. */
export interface CloudMetricSources {
  version: string;
  look(): Promise<DatabaseState>;
  isReady(): Promise<boolean>;
  countOwnRunners(): number;
  /** Waiting dispatches by reason. Rejects while the database is away. */
  countWaiting(): Promise<ReadonlyMap<string, number>>;
}

export interface CloudMetrics {
  observer: CloudObserver;
  read(sources: CloudMetricSources): Promise<{ type: string; text: string }>;
}

const NONE: ReadonlyMap<string, number> = new Map();
/** How often the lag of the event loop is measured, ms. */
const LAG_MS = 1_000;

/** The metrics of one node, from its start on. */
export async function openCloudMetrics(): Promise<CloudMetrics> {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = (
    await import('prom-client')
  ).default;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_MS });
  const describe = (name: CloudMetricName) => ({
    name: toCloudScrapeName(name),
    help: CLOUD_METRICS[name].help,
    labelNames: [...CLOUD_METRICS[name].labels],
    registers: [registry],
  });
  const build = new Gauge(describe('build_info'));
  const databaseUp = new Gauge(describe('database_up'));
  const ready = new Gauge(describe('ready'));
  const connectedGauge = new Gauge(describe('runners_connected'));
  const ownConnected = new Gauge(describe('node_runners_connected'));
  const waiting = new Gauge(describe('dispatches_waiting'));
  const dispatchSeconds = new Histogram({
    ...describe('dispatch_seconds'),
    buckets: [...CLOUD_METRICS.dispatch_seconds.buckets],
  });
  const commitSeconds = new Histogram({
    ...describe('commit_seconds'),
    buckets: [...CLOUD_METRICS.commit_seconds.buckets],
  });
  const entries = new Counter(describe('entries_total'));
  const refusedCounter = new Counter(describe('secrets_refused_total'));
  return {
    observer: {
      noteCommit(count, seconds) {
        entries.inc(count);
        commitSeconds.observe(seconds);
      },
      dispatchPlaced: (seconds) => dispatchSeconds.observe(seconds),
      secretRefused: (operation) => refusedCounter.inc({ operation }),
    },
    async read(sources) {
      const [state, isReady] = await Promise.all([sources.look(), sources.isReady()]);
      const reasons = state.databaseReachable
        ? await sources.countWaiting().catch(() => NONE)
        : NONE;
      // No wait from here on, so that two readings do not mix.
      build.set({ version: sources.version }, 1);
      databaseUp.set(state.databaseReachable ? 1 : 0);
      ready.set(isReady ? 1 : 0);
      connectedGauge.remove();
      if (state.runnersConnected !== null) connectedGauge.set(state.runnersConnected);
      ownConnected.set(sources.countOwnRunners());
      waiting.reset();
      for (const [reason, count] of reasons) waiting.set({ reason }, count);
      // The library writes `Nan`, which not every reader takes.
      const text = (await registry.metrics()).replaceAll(/ Nan$/gm, ' NaN');
      return { type: registry.contentType, text };
    },
  };
}
