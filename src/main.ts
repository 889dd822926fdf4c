import { join } from 'node:path';
import { revealHiddenText } from '../machines/index.ts';
import { systemClock } from './base/time/clock.ts';
import { measureFreeSpace } from './base/system/files/measureFreeSpace.ts';
import { randomIds } from './base/system/ids/ids.ts';
import { Releasers } from './base/concurrency/releasers.ts';
import { createServerSource } from './workflows/toolServers/serverSource.ts';
import { listInstalledWebhooks } from './plugins/listInstalledWebhooks.ts';
import { listForgeSites } from './plugins/listForgeSites.ts';
import { adviseSetUp } from './plugins/setUp/adviseSetUp.ts';
import { openNetwork } from './base/system/network/network.ts';
import { createRunner } from './host/runner/runner.ts';
import type { Settings } from './contract/schema/runner/settings.ts';
import { openConfig } from './host/start/openConfig.ts';
import { checkHome, type Home, openHome } from './host/start/openHome.ts';
import { openRunnerMetrics } from './host/start/openRunnerMetrics.ts';
import { hasArrived } from './host/start/homes/arrival.ts';
import { openAuditTrail } from './host/start/openAuditTrail.ts';
import { openNotifications } from './host/start/openNotifications.ts';
import { openLoginTable } from './host/start/openLoginTable.ts';
import { openProviders, type Providers } from './host/start/openProviders.ts';
import { openSetUp } from './host/start/openSetUp.ts';
import { openTraces } from './host/start/openTraces.ts';
import { openTrust } from './host/start/openTrust.ts';
import { readScriptRules } from './policy/guardrails/readScriptRules.ts';
import { openSandboxes } from './executors/sandbox/openSandboxes.ts';
import { serveRunner } from './host/start/serveRunner.ts';
import { type HandOver, TeamConnection } from './host/start/teamConnection.ts';
import type { watchAdoptedJobs } from './host/adoption/watchAdoptedJobs.ts';
import type { Start, StartOptions } from './host/start/startOptions.ts';
import { BlobStore } from './jobs/workspace/blobs.ts';
import { createToolHost } from './executors/tools/host/createToolHost.ts';
import { createObservabilityTools } from './executors/tools/forge/createObservabilityTools.ts';
import { createTrackerTools } from './executors/tools/forge/createTrackerTools.ts';

export type { StartOptions };
export { inspectActor } from './host/runner/inspectActor.ts';
export { STORE_VERSION as storeVersion } from './jobs/store/migrations/migrations.ts';

/** From the first answer until the registry of metrics is opened, unless it is asked before, ms. */
const METRICS_AFTER_MS = 1_000;

export interface StartedRunner {
  url: string;
  /** A link that logs a browser into the dashboard, once. */
  loginUrl(): string;
  /** What an inspector connects to; null = nothing is served to one. */
  inspectUrl: string | null;
  /** `handOver`: another runner of the team continues the jobs at once; default: they wait for the next start. */
  stop(handOver?: HandOver): Promise<void>;
  /** Reads the configuration file again. */
  reload(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Builds the runner from its settings and serves it: home, providers, trust, configuration, runner,
 * HTTP, in this order, and releases everything in reverse order. Throws SvcError `locked` when
 * another runner holds the home.
 */
export const startRunner = async (
  settings: Settings,
  options: StartOptions,
): Promise<StartedRunner> => {
  const { log } = options;
  const releasers = new Releasers((name, message) =>
    log.error({ name, message }, 'could not be released'),
  );
  const address = { url: '' };
  const start: Start = {
    ...options,
    settings,
    clock: options.clock ?? systemClock,
    ids: randomIds,
    releasers,
    address,
    settingsListeners: new Set(options.onSettings ? [options.onSettings] : []),
    noteEdit: () => undefined,
    checkSchedules: async () => [],
  };
  let prepareHandOver: (when: HandOver) => void = () => undefined;
  const stop = (handOver?: HandOver) => {
    if (handOver !== undefined) prepareHandOver(handOver);
    return releasers.releaseAll();
  };
  try {
    await checkHome(start);
    const network = await openNetwork(start.hostEnv, settings.home);
    start.secrets.add(network.secrets);
    releasers.add('network', network.close);
    const home = await openHome(start);
    const { token, store } = home;
    const team = new TeamConnection(start, store, home.paired);
    prepareHandOver = (when) => team.handOver(when);
    const providers = await openProviders(start, store, team);
    const { plugins, remote, forges } = providers;
    const { trust, tenant } = openTrust(start, forges);
    const { config, coachRuns, reload } = openConfig(start, store, providers);
    const tools = openTools(start, providers, team);
    const traces = openTraces(start, store);
    const runner = createRunner({
      ...buildOwnDeps(start),
      ...buildProvidedDeps(start, home, providers),
      tools,
      backlog: team.reach.backlog,
      trust,
      ...(tenant ? { tenantLayer: () => tenant.layer() } : {}),
      onJobCreated: () => coachRuns.jobCreated(),
      findTrace: traces.findTrace,
      isAdopted: start.adopted !== undefined,
      isFromElsewhere: () => hasArrived(settings.home),
      isTakeover: () => home.paired?.isTakeover ?? false,
      cloud: team.status,
      askClaim: team.webhooks.askClaim,
      blobs: team.withBlobs(new BlobStore(settings.paths.blobs)),
    });
    start.settingsListeners.add(() => runner.settingsChanged());
    releasers.add('log of steps', logSteps(runner, log));
    start.checkSchedules = runner.checkSchedules;
    const metrics = await openRunnerMetrics(start, store, runner);
    const loginTable = openLoginTable({
      all: () => store.rows.all('logins'),
      write: runner.writeRows,
      clock: start.clock,
      awaySince: team.reach.getAwaySince,
    });
    const notifications = openNotifications(start, store, runner, team.reach.mayAct);
    const trail = openAuditTrail(start, store, runner, team.reach.getAwaySince);
    const webhooks = () => Object.keys(remote.webhooks).length > 0;
    const servers = await serveRunner(start, {
      runner,
      config,
      setUp: openSetUp(start, config),
      trust,
      plugins,
      tools,
      token,
      loginTable,
      notifications,
      trail,
      webhooks,
      metrics,
      team,
      connect: (answer) =>
        team.open({
          runner,
          answer,
          config,
          overlay: tenant,
          token,
          executors: () => plugins.executors().map(({ id }) => id),
          forges: () => forges.ids(),
          webhooks: () => listInstalledWebhooks(plugins.list()),
          onPluginsChange: plugins.onChange,
          slots: () => ({
            used: store.actors.slots(),
            limit: settings.runner.maxConcurrentJobs,
          }),
          adoption: start.adopted === undefined ? {} : null,
        }),
    });
    await notifications.begin();
    await trail.takeOffline();
    await traces.begin(runner);
    await followAdopted(start, runner);
    // The first requests do not wait for its library.
    releasers.add('metrics', systemClock.at(systemClock.now() + METRICS_AFTER_MS, metrics.begin));
    releasers.add('count of jobs', () => coachRuns.settle());
    // A crash may have kept the last ones from being counted.
    coachRuns.jobCreated();
    return { ...servers, url: address.url, stop, reload, [Symbol.asyncDispose]: () => stop() };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Logs each committed step at the level debug; returns what ends that. */
const logSteps = (runner: Pick<ReturnType<typeof createRunner>, 'onCommit'>, log: Start['log']) =>
  runner.onCommit(({ steps }) => {
    for (const { id, journal } of steps)
      log.debug({ actor: id, seq: journal.seq, event: journal.event.type }, 'step');
  });

/** Tells the runner that continues this home which jobs it has. */
const followAdopted = async (
  { adopted, clock, log, releasers }: Start,
  runner: Parameters<typeof watchAdoptedJobs>[0]['runner'],
): Promise<void> => {
  if (adopted === undefined) return;
  const { watchAdoptedJobs: watch } = await import('./host/adoption/watchAdoptedJobs.ts');
  const onError = (err: unknown) => log.warn({ err }, 'the jobs of this home could not be listed');
  releasers.add('watch of adopted jobs', watch({ runner, clock, ...adopted, onError }));
};

/** The tools that agents change their job through, and those of the configured services. */
const openTools = (
  { clock, ids, log, secrets }: Start,
  { services, trackers }: Providers,
  { reach }: TeamConnection,
) =>
  createToolHost({
    ids,
    onError: (where, err) => log.error({ where, err }, 'the tool server reports an error'),
    screen: secrets.screen,
    clock,
    awaySince: reach.getAwaySince,
    visible: revealHiddenText,
    services: () => [
      ...createObservabilityTools(services()),
      ...createTrackerTools(trackers.ids()),
    ],
  });

/** What a runner is made of that comes from its settings and from this machine. */
const buildOwnDeps = ({
  settings,
  clock,
  ids,
  log,
  hostEnv,
  packageRoot,
  secrets,
  address,
}: Start) => ({
  settings,
  clock,
  freeSpace: measureFreeSpace,
  ids,
  log,
  hostEnv,
  baseUrl: () => address.url,
  binDir: join(packageRoot, 'cli', 'bin'),
  screen: secrets.screen,
  secretStream: () => secrets.stream(),
  fileSecrets: secrets,
  advise: (want: Parameters<typeof adviseSetUp>[1]) =>
    adviseSetUp({ home: settings.home, hostEnv, plugins: settings.plugins }, want),
  guardrailScripts: () => readScriptRules(join(settings.home, 'guardrails'), process.getuid?.()),
  sandboxes: openSandboxes({ home: settings.home, packageRoot, hostEnv, clock }),
  servers: createServerSource({
    settings: settings.mcp,
    env: hostEnv,
    onSecrets: (secretValues) => secrets.add(secretValues),
  }),
});

/** What a runner is made of that was opened before it. */
const buildProvidedDeps = (
  { settings }: Start,
  { store, faultPoints }: Home,
  providers: Providers,
) => ({
  store,
  sites: () => listForgeSites(providers.forges.ids(), settings.plugins),
  forges: providers.forges,
  trackers: providers.trackers,
  remote: providers.remote,
  executors: () => providers.plugins.executors(),
  decider: (id: string) => providers.plugins.decider(id),
  ...(faultPoints ? { aroundPorts: faultPoints.wrapPorts } : {}),
});
