/** The program of a plugin's process: loads one plugin, does one task, ends. */
import { pathToFileURL } from 'node:url';
import { systemClock } from '../../base/time/clock.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import { BUILT_INS } from '../builtInCatalogue.ts';
import { runConformance } from '../conformance/runConformance.ts';
import type { BuiltInForgePlugin } from '../../contract/forge/builtInForge.ts';
import type { Plugin, PluginContext, Tracker } from '../../contract/runner/plugin.ts';
import { createGuardedRequest } from '../guardedRequest.ts';
import { checkPluginConfig } from '../pluginConfig.ts';
import { openNetwork } from '../../base/system/network/network.ts';
import { refuseFields } from '../../providers/rest/createJobTracker.ts';
import { toPlugin, openPlugin } from '../openPlugin.ts';
import { callLoginPart, serveCalls, checkAnswerSize } from './serveCalls.ts';
import type { Nudge, Order, Report, TrackerCall } from './protocol.ts';
import { runPluginSession } from './runPluginSession.ts';

/** Taken from the plugin's own code, whose messages could be mistaken for ours. */
const sendToRunner = process.send?.bind(process);
Reflect.deleteProperty(process, 'send');
const sendReport = (report: Report): Promise<void> =>
  new Promise((resolve) => {
    if (sendToRunner === undefined) resolve();
    else sendToRunner(report, undefined, {}, () => resolve());
  });

const nudgeListeners = new Set<(nudge: Nudge) => void>();
/** Messages that came while the plugin was being loaded. */
const early: Nudge[] = [];
const subscribeToNudges = (take: (nudge: Nudge) => void): void => {
  nudgeListeners.add(take);
  for (const nudge of early.splice(0)) take(nudge);
};

async function loadOrderedPlugin({ entry, manifest }: Order): Promise<Plugin | BuiltInForgePlugin> {
  const builtIn = BUILT_INS.find((one) => one.manifest.id === manifest.id);
  if (entry === null && builtIn) return builtIn.plugin;
  const module: { default?: unknown } = await import(pathToFileURL(entry ?? '').href);
  return toPlugin(module.default, manifest);
}

/**
 * The manifest was compared with the code when the plugin was opened, so a difference is a bug in
 * svc.
 */
function requireOffered<T>(answer: Promise<T> | undefined, method: string): Promise<T> {
  if (answer) return answer;
  throw new SvcError('internal', `${method}() is not offered.`);
}

function callTracker(id: string, tracker: Tracker, call: TrackerCall): Promise<unknown> {
  switch (call.method) {
    case 'issue':
      return tracker.issue(...call.args);
    case 'comments':
      return tracker.comments(...call.args);
    case 'search':
      return tracker.search(...call.args);
    case 'comment':
      return tracker.comment(...call.args);
    case 'transition':
      if (tracker.transitionFields !== true) refuseFields(id, call.args[3]);
      return tracker.transition(...call.args);
    case 'issueAt':
      return requireOffered(tracker.issueAt?.(...call.args), call.method);
    case 'commentIn':
      return requireOffered(tracker.commentIn?.(...call.args), call.method);
  }
}

/** Settings for the conformance kit: the plugin's samples, else the configuration. */
function resolveTestConfig(
  plugin: Plugin | BuiltInForgePlugin,
  { manifest, config }: Order,
  problem: string | null,
): PluginContext['config'] {
  const samples = 'samples' in plugin ? plugin.samples?.config : undefined;
  if (samples !== undefined) return checkPluginConfig(manifest, samples, 'samples.config');
  if (problem === null) return config;
  throw new SvcError(
    'config-invalid',
    `${problem} Set it, or give the kit settings of its own: samples.config of the plugin.`,
  );
}

async function runTask(order: Order): Promise<unknown> {
  const { task, manifest, config, allowHosts } = order;
  const plugin = await loadOrderedPlugin(order);
  await openNetwork(process.env, task.op === 'test' ? task.dir : null);
  const context: PluginContext = {
    config,
    clock: systemClock,
    request: createGuardedRequest(manifest.id, allowHosts),
  };
  if (task.op === 'test') {
    return runConformance({
      plugin,
      manifest,
      context: { ...context, config: resolveTestConfig(plugin, order, task.problem) },
      allowHosts,
      dir: task.dir,
      begin: (name, promise) => sendReport({ report: 'begin', name, promise }),
      onCase: (one) => sendReport({ report: 'case', case: one }),
    });
  }
  if (plugin.kind === 'executor') {
    const executor = await openPlugin(plugin, manifest, context);
    if (task.op === 'run')
      return runPluginSession(executor, task.request, {
        send: sendReport,
        onNudge: subscribeToNudges,
      });
    if (task.op === 'models') return executor.models?.();
    if (task.op === 'login') return callLoginPart(executor.login, task.call);
    return task.op === 'healthcheck' ? executor.healthcheck?.() : null;
  }
  if (plugin.kind === 'tracker') {
    const tracker = await openPlugin(plugin, manifest, context);
    if (task.op === 'tracker') return callTracker(manifest.id, tracker, task.call);
    return task.op === 'healthcheck' ? tracker.healthcheck?.() : null;
  }
  if (plugin.kind === 'scm') {
    // Built-in plugins run in the runner; only the kit opens them here.
    if ('builtIn' in plugin) return null;
    const forge = await openPlugin(plugin, manifest, context);
    if (task.op === 'serve')
      return serveCalls(forge, { send: sendReport, onNudge: subscribeToNudges });
    return task.op === 'healthcheck' ? forge.healthcheck?.() : null;
  }
  const decider = await openPlugin(plugin, manifest, context);
  if (task.op === 'serve')
    return serveCalls(decider, { send: sendReport, onNudge: subscribeToNudges });
  return task.op === 'healthcheck' ? decider.healthcheck?.() : null;
}

async function runOrder(order: Order): Promise<void> {
  try {
    await sendReport({ report: 'done', value: checkAnswerSize((await runTask(order)) ?? null) });
  } catch (error) {
    // The plugin's errors have no class known here; the contract names the codes.
    const { code = 'internal' } = Object(error);
    await sendReport({ report: 'failed', code: String(code), message: toErrorMessage(error) });
  }
  process.exit(0);
}

// Without the runner there is nothing to do.
process.on('disconnect', () => process.exit(1));
process.once('message', (order: Order) => {
  process.on('message', (nudge: Nudge) => {
    if (nudgeListeners.size === 0) early.push(nudge);
    for (const take of nudgeListeners) take(nudge);
  });
  void runOrder(order);
});
