import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { jobChart, visibleText } from '../machines/index.ts';
import { CoachRuns } from './config/coachRuns.ts';
import { ConfigDesk, type ConfigDeskOptions } from './config/desk.ts';
import { takeUpSettings } from './config/liveSettings.ts';
import { settingsOf } from './config/loadSettings.ts';
import { readOrMintToken } from './config/runnerToken.ts';
import { ensureHome } from './config/home.ts';
import { openRemoteOverlay, OVERLAY_TRUST_NAME } from './effects/remoteOverlay.ts';
import { createApp } from './http/app.ts';
import { listen } from './http/listen.ts';
import { systemClock } from './lib/clock.ts';
import { randomIds } from './lib/ids.ts';
import { SvcError } from './lib/errors.ts';
import type { KnownSecrets } from './lib/knownSecrets.ts';
import type { Log } from './lib/log.ts';
import { Releasers } from './lib/releasers.ts';
import { createServerSource } from './mcp/serverSource.ts';
import { createFaultPoints, type FaultPlan } from './runner/faultPoints.ts';
import { forgeServices, openForges } from './plugins/builtInForges.ts';
import { openBuiltInExecutors } from './plugins/builtInExecutors.ts';
import { openServices } from './plugins/builtInServices.ts';
import { openTrackers } from './plugins/builtInTrackers.ts';
import { forgeSites } from './plugins/forgeSites.ts';
import { hooksOf } from './plugins/webhookHooks.ts';
import { adviseSetUp } from './plugins/setUp/advice.ts';
import { createPluginHost } from './plugins/host.ts';
import { pluginsDirOf } from './plugins/install.ts';
import { pluginProgramOf } from './plugins/process/pluginProcess.ts';
import { createRunner } from './runner/runner.ts';
import type { Settings } from './schema/settings.ts';
import { TrustDesk } from './trust/trustDesk.ts';
import { TrustFile } from './trust/trustFile.ts';
import { createDoors } from './scm/broker/doors.ts';
import { createForges } from './scm/forges.ts';
import { lostState } from './store/lostState.ts';
import { openStore } from './store/openStore.ts';
import { createToolHost } from './tools/host.ts';
import { observabilityTools } from './tools/observability.ts';
import { trackerTools } from './tools/trackers.ts';
import { createTrackers } from './trackers/trackers.ts';

export interface StartOptions {
  log: Log;
  /** The runner's own environment; agents get a few named members of it. */
  hostEnv: Readonly<Record<string, string | undefined>>;
  /** Folder of the package: `intelligence/`, `dist/ui/` and `cli/bin/` are in it. */
  packageRoot: string;
  /** Process id to name in the lock. */
  pid: number;
  /** What is taken out of journal, logs and replies; the runner adds its own token, and what the config gets later. */
  secrets: KnownSecrets;
  /** Where the settings came from, and the config that they were made of. */
  config: Pick<ConfigDeskOptions, 'sources' | 'started'>;
  /** Where the runner kills itself, for tests of crashes; null, the default = nowhere. */
  faults?: FaultPlan | null;
  /** Whether what actors do is served to inspectors; default: not. */
  inspect?: boolean;
}

export interface StartedRunner {
  url: string;
  /** A link that logs a browser into the dashboard, once. */
  loginUrl(): string;
  /** What an inspector connects to; null = nothing is served to one. */
  inspectUrl: string | null;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Builds the runner from its settings and serves it: store, kernel, effects, HTTP, in this order, and gives everything
 * back in the reverse one. Throws SvcError `locked` when another runner holds the home.
 */
export const startRunner = async (settings: Settings, options: StartOptions): Promise<StartedRunner> => {
  const { log, hostEnv, packageRoot, pid, secrets } = options;
  const clock = systemClock;
  const ids = randomIds;
  const releasers = new Releasers((name, message) => log.error({ name, message }, 'could not be released'));
  try {
    await ensureHome(settings);
    const token = await readOrMintToken(settings.paths.tokenFile, ids);
    secrets.add([token]);
    const lost = lostState(settings.paths.stateDb, settings.paths.workingDir);
    if (lost?.all) throw new SvcError('store-failed', `${lost.detail}. ${lost.fix}`);
    if (lost !== null) log.error({}, `${lost.detail}. ${lost.fix}`);
    const store = openStore({ file: settings.paths.stateDb, pid, now: clock.now() });
    releasers.add('store', () => store.close());
    const faultPoints = options.faults
      ? createFaultPoints(options.faults, () => process.kill(process.pid, 'SIGKILL'))
      : undefined;
    faultPoints?.aroundCommits(store.durable);

    let url = '';
    const services = openServices(settings.plugins, clock);
    for (const { id, fault } of services.all) if (fault !== null) log.error({ plugin: id, fault }, 'a service cannot be used');
    const tools = createToolHost({
      ids,
      onError: (where, err) => log.error({ where, err }, 'the tool server reports an error'),
      screen: secrets.screen,
      visible: visibleText,
      services: () => [...observabilityTools(services), ...trackerTools(trackers.ids())],
    });
    const openDoor = createDoors({ clock, random: Math.random, fetch: globalThis.fetch, screen: secrets.screen });
    const builtInTrackers = await openTrackers({ settings: settings.plugins, clock, openDoor });
    for (const { id, fault } of builtInTrackers)
      if (fault !== null) log.error({ tracker: id, fault }, 'a tracker cannot be used');
    const trackers = createTrackers(() => [...builtInTrackers.flatMap(({ tracker }) => tracker ?? []), ...plugins.trackers()]);
    const configured = await openForges({
      settings,
      clock,
      rows: store.rows,
      openDoor,
      webUrl: (repo, number) => `${url}/forges/local/repos/${encodeURIComponent(repo)}/prs/${number}`,
    });
    for (const { id, problem } of configured) if (problem !== null) log.error({ forge: id, problem }, 'a forge cannot be used');
    const forges = createForges(configured.flatMap(({ forge }) => forge ?? []));
    const trust = new TrustDesk({
      file: new TrustFile(join(settings.home, 'trust.json'), ids.next),
      repos: async () => [
        ...(await Promise.all(forges.all().map((forge) => forge.repos()))).flat(),
        ...(tenant ? [{ slug: OVERLAY_TRUST_NAME, path: tenant.url, defaultBranch: '', read: () => tenant.wanted() }] : []),
      ],
      now: clock.now,
    });
    const tenant = openRemoteOverlay({ settings, trust, clock, log, sshAuthSock: hostEnv.SSH_AUTH_SOCK ?? null });
    const executors = await openBuiltInExecutors({ clock, settings: settings.plugins });
    const plugins = createPluginHost({
      pluginsDir: pluginsDirOf(settings.home),
      program: pluginProgramOf(packageRoot, import.meta.url.endsWith('.ts')),
      version: settings.version,
      settings: settings.plugins,
      builtIn: executors,
      services: [...services.all, ...builtInTrackers, ...forgeServices(configured)],
      hostEnv,
      clock,
      ids,
      screen: secrets.screen,
      onUnhealthy: (plugin, detail) => log.warn({ plugin, detail }, 'a plugin is unhealthy'),
    });
    await plugins.start();
    const webhooks = hooksOf(configured, builtInTrackers, clock);
    const runner = createRunner({
      settings,
      store,
      clock,
      ids,
      log,
      forges,
      remote: {
        watch: Object.fromEntries(configured.map(({ id, watch }) => [id, watch])),
        problems: Object.fromEntries(configured.flatMap(({ id, problem }) => (problem === null ? [] : [[id, problem]]))),
        webhooks,
        triggers: settings.triggers ?? [],
        random: Math.random,
      },
      tools,
      trackers,
      sites: forgeSites(forges.ids(), settings.plugins),
      executors: () => plugins.executors(),
      baseUrl: () => url,
      hostEnv,
      binDir: join(packageRoot, 'cli', 'bin'),
      screen: secrets.screen,
      secretStream: () => secrets.stream(),
      trust,
      ...(tenant ? { tenantLayer: () => tenant.layer() } : {}),
      advise: (want) => adviseSetUp({ home: settings.home, hostEnv, plugins: settings.plugins }, want),
      servers: createServerSource({ settings: settings.mcp, onSecrets: (found) => secrets.add(found) }),
      ...(faultPoints ? { aroundPorts: faultPoints.aroundPorts } : {}),
    });
    const config = new ConfigDesk({
      ...options.config,
      nextDraft: ids.next,
      now: clock.now,
      livePlugins: executors.map(({ id }) => id),
      async onConfig(found) {
        takeUpSettings(
          settings,
          settingsOf(found, options.config.sources).settings,
          executors.map(({ id }) => id),
        );
        await Promise.all(executors.map((executor) => executor.takeUp(settings.plugins[executor.id])));
      },
      pluginSettings: (id) => plugins.list().find((plugin) => plugin.id === id)?.settings ?? null,
      onSecrets: (found) => secrets.add(found),
    });
    const coachRuns = new CoachRuns({
      desk: config,
      clock,
      // Of the index alone: a count wakes no job.
      jobs: (offset, limit) =>
        store.actors
          .list({ chart: jobChart.id, offset, limit })
          .rows.map(({ createdAt, index }) => ({ createdAt, parent: index.parent })),
      onError: (err) => log.warn({ err }, 'jobs could not be counted in the configuration file'),
    });
    const dashboardDir = join(packageRoot, 'dist', 'ui');
    let jobsAreBack = () => {};
    const ready = new Promise<void>((resolve) => {
      jobsAreBack = resolve;
    });
    const app = createApp({
      screen: secrets.screen,
      runner: {
        ...runner,
        async createJob(body, request) {
          const created = await runner.createJob(body, request);
          coachRuns.dispatched();
          return created;
        },
      },
      config,
      trust,
      plugins,
      settings,
      token,
      tools,
      loginTable: { all: () => store.rows.all('logins'), write: runner.writeRows },
      webhooks: Object.keys(webhooks).length > 0,
      log,
      clock,
      dashboardDir: existsSync(dashboardDir) ? dashboardDir : null,
      ready,
    });
    // The port comes first: a runner that cannot be reached must not start agents. Requests wait until the jobs are back.
    const server = await listen(app, {
      host: settings.server.host,
      port: settings.server.port,
      token,
      auth: settings.server.auth,
    });
    url = server.url;
    releasers.add('http', () => server.close());
    releasers.add('runner', () => runner.stop());
    // A runner without inspectors does not load it.
    const served = options.inspect ? await import('./inspection/serveInspection.ts') : null;
    const inspection = served === null ? null : await served.serveInspection(runner.inspect);
    if (inspection) releasers.add('inspection', () => inspection.close());
    await runner.start();
    for (const block of ['git', 'tracker'] as const)
      if (options.config.started?.[block] !== undefined) runner.deprecatedUse(`config ${block}`);
    jobsAreBack();
    releasers.add('count of jobs', () => coachRuns.settle());
    // A crash may have kept the last ones from being counted.
    coachRuns.dispatched();
    const stop = () => releasers.releaseAll();
    return {
      url,
      loginUrl: () => `${url}/login/${app.issueLoginCode()}`,
      inspectUrl: inspection?.url ?? null,
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await releasers.releaseAll();
    throw error;
  }
};
