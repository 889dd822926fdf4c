/** The program of a plugin's process: loads one plugin, does one task, ends. */
import { pathToFileURL } from 'node:url';
import { systemClock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/errors.ts';
import { BUILT_INS } from '../builtInCatalogue.ts';
import { runConformance } from '../conformance/run.ts';
import type { Plugin, PluginContext, ScmContext, Tracker } from '../../contract/plugin.ts';
import { openNetwork } from '../../network/network.ts';
import { createGuardedRequest } from '../guardedRequest.ts';
import { refuseFields } from '../../providers/rest/trackerOf.ts';
import { asPlugin, openPlugin } from '../openPlugin.ts';
import type { Nudge, Order, Report, TrackerCall } from './protocol.ts';
import { runSession } from './runSession.ts';

/** Taken away from the plugin's own code, whose messages could be mistaken for ours. */
const sendToRunner = process.send?.bind(process);
Reflect.deleteProperty(process, 'send');
const send = (report: Report): Promise<void> =>
  new Promise((sent) => {
    if (sendToRunner === undefined) sent();
    else sendToRunner(report, undefined, {}, () => sent());
  });

const nudged = new Set<(nudge: Nudge) => void>();

async function load({ entry, manifest }: Order): Promise<Plugin> {
  const builtIn = BUILT_INS.find((one) => one.manifest.id === manifest.id);
  if (entry === null && builtIn) return builtIn.plugin;
  const module: { default?: unknown } = await import(pathToFileURL(entry ?? '').href);
  return asPlugin(module.default, manifest);
}

/** A forge that is only looked at needs none. */
const NO_REPOSITORIES: Pick<ScmContext, 'rows' | 'repos' | 'webUrl'> = {
  rows: { all: () => [], one: () => undefined, count: () => 0 },
  repos: {},
  webUrl: () => '',
};

function asked(id: string, tracker: Tracker, call: TrackerCall): Promise<unknown> {
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
  }
}

async function work(order: Order): Promise<unknown> {
  const { task, manifest, config, allowHosts } = order;
  const plugin = await load(order);
  await openNetwork(process.env, null);
  const context: PluginContext = {
    config,
    clock: systemClock,
    request: createGuardedRequest(allowHosts),
  };
  if (task.op === 'test') {
    return runConformance({
      plugin,
      manifest,
      context,
      dir: task.dir,
      begin: (name, promise) => send({ report: 'begin', name, promise }),
      ended: (one) => send({ report: 'case', case: one }),
    });
  }
  if (plugin.kind === 'executor') {
    const executor = await openPlugin(plugin, manifest, context);
    if (task.op === 'run')
      return runSession(executor, task.request, { send, onNudge: (take) => nudged.add(take) });
    if (task.op === 'models') return executor.models?.();
    return task.op === 'healthcheck' ? executor.healthcheck?.() : null;
  }
  if (plugin.kind === 'tracker') {
    const tracker = await openPlugin(plugin, manifest, context);
    if (task.op === 'tracker') return asked(manifest.id, tracker, task.call);
    return task.op === 'healthcheck' ? tracker.healthcheck?.() : null;
  }
  const instance =
    plugin.kind === 'scm'
      ? await openPlugin(plugin, manifest, { ...context, ...NO_REPOSITORIES })
      : await openPlugin(plugin, manifest, context);
  return task.op === 'healthcheck' ? instance.healthcheck?.() : null;
}

async function main(order: Order): Promise<void> {
  try {
    await send({ report: 'done', value: (await work(order)) ?? null });
  } catch (error) {
    // The plugin's own errors are of no class that we know; the contract names the codes.
    const { code = 'internal' } = Object(error);
    await send({ report: 'failed', code: String(code), message: messageOf(error) });
  }
  process.exit(0);
}

// Without the runner there is no work.
process.on('disconnect', () => process.exit(1));
process.once('message', (order: Order) => {
  process.on('message', (nudge: Nudge) => {
    for (const take of nudged) take(nudge);
  });
  void main(order);
});
