import { dirname, join } from 'node:path';
import type { AgentUse } from '../executors/process/agentState.ts';
import type { DecidesQuestions } from '../contract/policy/decider.ts';
import type { Executor } from '../contract/session/executor.ts';
import type { Plugins } from '../contract/runner/plugins.ts';
import type { MayAct } from '../base/concurrency/mayAct.ts';
import type { Clock } from '../base/time/clock.ts';
import { SvcError } from '../base/errors/errors.ts';
import type { Ids } from '../base/system/ids/ids.ts';
import type { CheckSettings, PluginView } from '../contract/schema/runner/plugin.ts';
import type { PluginSettings } from '../contract/schema/runner/settings.ts';
import type { ConfiguredForge } from './builtInForges.ts';
import { addGivenSettings } from './givenSettings.ts';
import { BUILT_IN_MANIFESTS, BUILT_INS } from './builtInCatalogue.ts';
import { BuiltInService } from './builtInService.ts';
import type { BuiltInExecutor } from './builtInExecutors.ts';
import type { Configurable } from './builtInServices.ts';
import { listInstalledIds, installPlugin, repairPluginsDir, uninstallPlugin } from './install.ts';
import { ANSWER_MS, InstalledPlugin } from './installedPlugin.ts';
import type { OpenInstalledTracker } from './installedTracker/openInstalledTracker.ts';
import { RunningLogins } from './login/runningLogins.ts';
import { createNpmRunner } from './npm.ts';
import { findSettingMistakes } from './pluginConfig.ts';
import type { PluginProgram } from './process/pluginProcess.ts';
import { testPlugin } from './testPlugin.ts';

/** Plugins checked at once when the runner starts; each takes a process. */
const CHECKS_AT_ONCE = 2;

export interface PluginHostOptions {
  version: string;
  pluginsDir: string;
  /** Absolute folder of the mirrors of forges; default: next to `pluginsDir`. */
  mirrorsDir?: string;
  program: PluginProgram;
  settings: Readonly<Record<string, PluginSettings>>;
  builtIn: readonly BuiltInExecutor[];
  /** Built-in plugins that exist only where they are configured; default none. */
  services?(): readonly Configurable[];
  hostEnv: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  ids: Ids;
  /** What the model aliases ask of an executor; default nothing. */
  uses?(executorId: string): readonly AgentUse[];
  /** Longest answer of a plugin to a question, ms; default 10 s. */
  answerMs?: number;
  /** Asked right before each call of a plugin that writes. */
  mayAct: MayAct;
  /**
   * Removes the secrets that the runner knows from what plugins and their servers say; default:
   * unchanged.
   */
  screen(text: string): string;
  onUnhealthy(id: string, detail: string): void;
  onLeftOut?(id: string, member: string, why: string): void;
  onSecret?(secret: string): void;
}

export interface PluginHost extends Plugins {
  /**
   * Current built-in and installed executors. One that cannot work is included and says why when it
   * is run.
   */
  executors(): Executor[];
  trackers(): OpenInstalledTracker[];
  /** Current forges of installed plugins, by their ids, including unusable ones. */
  forges(): ConfiguredForge[];
  /** The decider of an installed plugin; undefined = no usable one has this id. */
  decider(id: string): DecidesQuestions | undefined;
  checkSettings: CheckSettings;
  isBuiltIn(id: string): boolean;
  /** Whether an installed plugin will soon work otherwise: it is being installed, or its settings have changed. */
  isChanging(id: string): boolean;
  /** Applies the current settings of installed plugins. */
  takeUp(): Promise<void>;
  /**
   * Calls the listener whenever a plugin was installed, removed or given other settings, until the
   * returned function is called.
   */
  onChange(listener: () => void): () => void;
  /** Ends the processes that are kept between calls. */
  stop(): Promise<void>;
  /**
   * Reads the plugins folder, then checks each plugin in the background; resolves when the folder
   * is read.
   */
  start(): Promise<void>;
  /** Resolves when all checks of the start are done. */
  awaitChecks(): Promise<void>;
}

const REMOVE_SETTINGS = (id: string): string =>
  `Only its settings are left; remove them: svc config set plugins.installed.${id} --unset`;

const toLeftoverView = (id: string): PluginView => ({
  id,
  kind: null,
  title: id,
  version: '',
  origin: 'leftover',
  health: { state: 'unchecked', detail: REMOVE_SETTINGS(id), checkedAt: null },
  capabilities: null,
  offers: [],
  settings: {},
  webhook: null,
});

/**
 * Manages the plugins of a home. No code of an installed plugin runs in this process, so a plugin
 * cannot stop it.
 */
export function createPluginHost(options: PluginHostOptions): PluginHost {
  const { pluginsDir, ids, hostEnv, builtIn, answerMs = ANSWER_MS } = options;
  const builtIns = new BuiltInService({ ...options, executors: builtIn, answerMs });
  const installedPlugins = new Map<string, InstalledPlugin>();
  const deps = {
    pluginsDir,
    npm: createNpmRunner(hostEnv),
    ids,
    taken: BUILT_IN_MANIFESTS.map(({ id }) => id),
  };
  const byId = () => [...installedPlugins.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const listeners = new Set<() => void>();
  const notifyListeners = (): void => {
    for (const listener of listeners) listener();
  };
  const logins = new RunningLogins({
    clock: options.clock,
    ids,
    login: (id) => (builtIns.has(id) ? builtIns.login(id) : requirePlugin(id).login()),
    secretSettings: (id) =>
      builtIns.has(id) ? builtIns.secretSettings(id) : requirePlugin(id).secretSettings(),
    screen: (id, text) =>
      builtIns.has(id) ? builtIns.screen(id, text) : requirePlugin(id).screen(text),
  });
  let checks: Promise<unknown> = Promise.resolve();
  /** Changes of the folder run one at a time. */
  let tail: Promise<unknown> = Promise.resolve();
  const alone = <T>(run: () => Promise<T>): Promise<T> => {
    const result = tail.then(run);
    tail = result.catch(() => {});
    return result;
  };

  const requirePlugin = (id: string): InstalledPlugin => {
    const plugin = installedPlugins.get(id);
    if (plugin) return plugin;
    if (builtIns.has(id))
      throw new SvcError('not-possible-now', `${id} is built into svc and does not support that.`);
    const leftoverNote = leftovers().includes(id) ? ` ${REMOVE_SETTINGS(id)}` : '';
    throw new SvcError(
      'not-found',
      `No plugin ${id} is installed. svc plugin list lists the installed ones.${leftoverNote}`,
    );
  };
  const open = (id: string): InstalledPlugin => {
    const { mirrorsDir = join(dirname(pluginsDir), 'mirrors') } = options;
    void installedPlugins.get(id)?.stop();
    const plugin = new InstalledPlugin(id, { ...options, mirrorsDir });
    installedPlugins.set(id, plugin);
    return plugin;
  };
  const leftovers = (): string[] =>
    Object.keys(options.settings).filter((id) => !builtIns.has(id) && !installedPlugins.has(id));
  const checkAll = async (plugins: InstalledPlugin[]): Promise<void> => {
    const waiting = [...plugins];
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await next.check();
    };
    await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, worker));
  };

  return {
    logins,
    list: () => [
      ...builtIns.views(),
      ...[...installedPlugins.values()].map((plugin) => plugin.view()),
      ...leftovers().map(toLeftoverView),
    ],
    executors: () => [
      ...builtIn,
      ...[...installedPlugins.values()].map((plugin) => plugin.executor()),
    ],
    trackers: () => byId().flatMap((plugin) => plugin.tracker() ?? []),
    forges: () => byId().flatMap((plugin) => plugin.forge() ?? []),
    decider: (id) => installedPlugins.get(id)?.decider() ?? undefined,
    checkSettings(id, values) {
      const builtInManifest = BUILT_IN_MANIFESTS.find((manifest) => manifest.id === id);
      if (builtInManifest) return findSettingMistakes(builtInManifest, values);
      const plugin = installedPlugins.get(id);
      if (!plugin) return 'not-installed';
      const { manifest } = plugin;
      return manifest ? findSettingMistakes(addGivenSettings(manifest), values) : 'unreadable';
    },
    isBuiltIn: (id) => builtIns.has(id),
    isChanging: (id) => installedPlugins.get(id)?.isChanging === true,
    async takeUp() {
      const all = [...installedPlugins.values()];
      const isOther = await Promise.all(all.map((plugin) => plugin.takeUp()));
      checks = checkAll(all.filter((_, n) => isOther[n]));
      if (isOther.includes(true)) notifyListeners();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: async () =>
      void (await Promise.all([...installedPlugins.values()].map((plugin) => plugin.stop()))),
    async start() {
      await repairPluginsDir(pluginsDir);
      const plugins = (await listInstalledIds(pluginsDir)).map(open);
      await Promise.all(plugins.map((plugin) => plugin.read()));
      checks = checkAll(plugins);
    },
    awaitChecks: async () => void (await checks),
    install: (body) =>
      alone(async () => {
        const plugin = open(await installPlugin(deps, body));
        await plugin.read();
        const { state } = await plugin.check();
        if (state === 'unchecked') await plugin.healthcheck();
        notifyListeners();
        return plugin.view();
      }),
    uninstall: (id) =>
      alone(async () => {
        if (builtIns.has(id))
          throw new SvcError('not-possible-now', `${id} is built into svc and cannot be removed.`);
        await requirePlugin(id).stop();
        await uninstallPlugin(deps, id);
        installedPlugins.delete(id);
        notifyListeners();
      }),
    models: async (id) => (builtIns.has(id) ? builtIns.models(id) : requirePlugin(id).models()),
    healthcheck: async (id) =>
      builtIns.has(id) ? builtIns.healthcheck(id) : requirePlugin(id).healthcheck(),
    async test(id) {
      const one = BUILT_INS.find(({ manifest }) => manifest.id === id);
      if (one) {
        const order = { entry: null, manifest: one.manifest, config: {}, allowHosts: [] };
        return testPlugin({
          ...options,
          order,
          problem: null,
          screen: options.screen,
        });
      }
      const plugin = requirePlugin(id);
      return testPlugin({
        ...options,
        ...plugin.testOrder(),
        screen: (text) => plugin.screen(text),
      });
    },
    detectAuth: (id) =>
      builtIns.has(id) ? builtIns.detectAuth(id) : requirePlugin(id).detectAuth(),
    foundSecrets: (id, settings) =>
      builtIns.has(id)
        ? builtIns.foundSecrets(id, settings)
        : requirePlugin(id).foundSecrets(settings),
  };
}
