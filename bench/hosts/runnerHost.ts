import { neverAway } from '../../src/base/concurrency/unlessAway.ts';
import { mayAlwaysAct } from '../../src/base/concurrency/mayAct.ts';
import { join } from 'node:path';
import type { Port } from '../../src/kernel/port.ts';
import { createAuditTrail } from '../../src/host/audit/createAuditTrail.ts';
import { ConfigService } from '../../src/host/config/configService.ts';
import { createApp } from '../../src/api/server/app.ts';
import { listenForRequests } from '../../src/api/server/listenForRequests.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import { silentLog } from '../../src/base/system/log/log.ts';
import { fakeNotifications } from '../../test/support/http/fakeNotifications.ts';
import { createPluginHost } from '../../src/plugins/pluginHost.ts';
import { toPluginsDir } from '../../src/plugins/install.ts';
import { resolvePluginProgram } from '../../src/plugins/process/pluginProcess.ts';
import { openSetUp } from '../../src/host/start/openSetUp.ts';
import { createRunner } from '../../src/host/runner/runner.ts';
import { createForges } from '../../src/providers/forges.ts';
import { createLocalForge } from '../../src/providers/local/forge.ts';
import { parseWakeRules } from '../../src/providers/rest/wakeRules.ts';
import { openStore } from '../../src/jobs/store/openStore.ts';
import { createToolHost } from '../../src/executors/tools/host/createToolHost.ts';
import { TrustService } from '../../src/jobs/workspace/trustService.ts';
import { TrustFile } from '../../src/workflows/trust/trustFile.ts';
import type { Hook } from '../../src/contract/forge/hook.ts';
import { githubWebhook } from '../../src/providers/github/plugin.ts';
import { PARKING_WORKFLOW } from '../benchWorkflow.ts';
import { benchSettings } from '../benchSettings.ts';
import { BENCH_TOKEN } from '../home.ts';
import { answerCalls } from '../hostProcess.ts';
import { instantPorts } from '../instantPorts.ts';
import { processorMs, residentMemory } from '../memory.ts';
import { monotonicMs } from '../monotonic.ts';
import { Speakers } from '../speakers.ts';
import { BENCH_WRITER } from '../writerThread.ts';
import { unscreened } from '../../test/support/standIns/unscreened.ts';
import { noRunnerGates } from '../../test/support/standIns/noRunnerGates.ts';
import { noBrokenRows } from '../../test/support/standIns/noBrokenRows.ts';

/** The runner and its HTTP surface on a home, without effects or with agents on demand. */
const settings = benchSettings(process.argv[2] ?? '');
const instant = process.argv[3] === 'instant';
/** Secret of the webhooks that it takes as those of GitHub; without one it takes none. */
const hookSecret = process.argv[4];
const hook = (secret: string): Hook => ({
  read: githubWebhook(secret),
  rules: parseWakeRules('', ''),
  selfIsPerson: false,
  ownIds: async () => ['svc-robot'],
});

const store = openStore({
  file: settings.paths.stateDb,
  pid: process.pid,
  now: systemClock.now(),
  later: (run, ms) => systemClock.at(systemClock.now() + ms, run),
  commits: { place: 'auto', measureElapsed: () => performance.now() },
  thread: BENCH_WRITER,
});
const speakers = new Speakers();
const tools = createToolHost({
  clock: systemClock,
  awaySince: neverAway,
  visible: unscreened,
  screen: unscreened,
  ids: randomIds,
  onError: () => undefined,
});
const beginnings: [jobId: string, at: number][] = [];
let enough = () => {};
let release = () => {};
let released = Promise.resolve();
let url = '';

const runner = createRunner({
  settings,
  store,
  clock: systemClock,
  ids: randomIds,
  log: silentLog,
  forges: createForges([
    createLocalForge({ mayAct: mayAlwaysAct, repos: {}, rows: store.rows, webUrl: () => '' }),
  ]),
  tools,
  ...noRunnerGates,
  remote: {
    ...noRunnerGates.remote,
    random: Math.random,
    webhooks: hookSecret === undefined ? {} : { github: hook(hookSecret) },
  },
  executors: () => [speakers],
  baseUrl: () => url,
  hostEnv: {},
  binDir: join(import.meta.dirname, '..', '..', 'cli', 'bin'),
  aroundPorts(ports) {
    if (!instant) return ports;
    const quick: Readonly<Record<string, Port>> = instantPorts(PARKING_WORKFLOW, (jobId) => {
      beginnings.push([jobId, monotonicMs()]);
      enough();
      return released;
    });
    return { ...ports, ...quick };
  },
});
let commits = 0;
const written = store.durable.commit.bind(store.durable);
store.durable.commit = (batch, overlap) => {
  commits += 1;
  return written(batch, overlap);
};
const plugins = createPluginHost({
  mayAct: mayAlwaysAct,
  screen: unscreened,
  pluginsDir: toPluginsDir(settings.home),
  program: resolvePluginProgram(join(import.meta.dirname, '..', '..'), true),
  version: settings.version,
  settings: {},
  builtIn: [],
  hostEnv: {},
  clock: systemClock,
  ids: randomIds,
  onUnhealthy: () => undefined,
});
const sources = {
  env: { SVC_HOME: settings.home },
  homeDir: settings.home,
  flags: {},
  packageRoot: join(import.meta.dirname, '..', '..'),
};
const config = new ConfigService({ sources, createDraftName: randomIds.next });
const app = createApp({
  awaySince: neverAway,
  screen: unscreened,
  brokenRows: noBrokenRows,
  runner,
  intake: runner.intake,
  config,
  trust: new TrustService({
    file: new TrustFile(join(settings.home, 'trust.json'), randomIds.next),
    repos: async () => [],
    now: systemClock.now,
  }),
  setUp: openSetUp({ hostEnv: {}, settings, clock: systemClock, config: { sources } }, config),
  plugins,
  notifications: fakeNotifications,
  trail: createAuditTrail({
    reader: store.audit,
    writeRows: runner.writeRows,
    clock: systemClock,
    awaySince: neverAway,
    screen: unscreened,
    log: silentLog,
  }),
  settings,
  token: BENCH_TOKEN,
  loginTable: { all: () => [], write: runner.writeRows },
  webhooks: () => false,
  tools,
  log: silentLog,
  dashboardDir: null,
  clock: systemClock,
});
const server = await listenForRequests(app, {
  host: '127.0.0.1',
  port: 0,
  token: BENCH_TOKEN,
  auth: 'auto',
});
url = server.url;
await runner.start();

const calls = {
  port: (): number => server.port,
  /** From now on first effects are begun and not ended, until `release`. */
  hold(): void {
    released = new Promise((resolve) => {
      release = resolve;
    });
  },
  release: (): void => release(),
  /**
   * The first effects of so many jobs, with the instants at which they began, as soon as all of
   * them have begun.
   */
  async begun(jobs: number): Promise<[jobId: string, at: number][]> {
    await new Promise<void>((resolve) => {
      enough = () => {
        if (beginnings.length >= jobs) resolve();
      };
      enough();
    });
    return beginnings.splice(0, jobs);
  },
  /** Items in the inboxes of all jobs. */
  inbox: (): number => store.rows.count('inbox_items'),
  commits: (): number => commits,
  memory: residentMemory,
  cpu: processorMs,
  sessions: (): number => speakers.count,
  tools: () => speakers.tools,
  /** Instants at which messages reached agents, since the last call. */
  reached: (): number[] => speakers.reached.splice(0),
  speak: (linesPerSecond: number, ms: number): Promise<number> =>
    speakers.speak(linesPerSecond, ms),
};

export type RunnerHostCalls = typeof calls;

answerCalls(calls);
