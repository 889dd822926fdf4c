import { commandExecutor } from '../executors/command.ts';
import type { Executor } from '../executors/executor.ts';
import type { Clock } from '../lib/clock.ts';
import type { PluginManifest } from '../schema/plugin.ts';
import { createLocalForge } from '../scm/local/forge.ts';
import { definePlugin, type Plugin, type PluginOf } from './contract.ts';
import { createGuardedRequest } from './guardedRequest.ts';
import { openPlugin } from './openPlugin.ts';

/** A plugin that is part of svc: the same contract, with its manifest beside it instead of in a package.json. */
export interface BuiltIn<P extends Plugin = Plugin> {
  manifest: PluginManifest;
  plugin: P;
}

const node = (script: string): string[] => [process.execPath, '-e', script];

export const commandPlugin: BuiltIn<PluginOf<'executor'>> = {
  manifest: {
    contract: 1,
    id: 'command',
    kind: 'executor',
    title: 'A program, once a session',
    entry: 'built-in',
    capabilities: {
      steering: false,
      foldMidTurn: false,
      cancelsToolCalls: false,
      resume: false,
      skills: false,
      systemPrompt: true,
    },
  },
  plugin: definePlugin({
    kind: 'executor',
    create: ({ clock }) => commandExecutor({ clock }),
    samples: {
      // Prints what it was given, the token included: the kit looks whether that comes out.
      short: { command: node("console.log(require('fs').readFileSync(process.env.SVC_SESSION_DIR + '/mcp.json', 'utf8'))") },
      long: { command: node("console.log('here'); setInterval(() => {}, 1000)") },
    },
  }),
};

export const localPlugin: BuiltIn<PluginOf<'scm'>> = {
  manifest: { contract: 1, id: 'local', kind: 'scm', title: 'Pull requests of git repositories on this disk', entry: 'built-in' },
  plugin: definePlugin({ kind: 'scm', create: (context) => createLocalForge(context), samples: {} }),
};

export const BUILT_INS: readonly BuiltIn[] = [commandPlugin, localPlugin];

/** The `command` executor, made by way of its plugin. */
export async function openCommandExecutor(clock: Clock): Promise<Executor> {
  const { manifest, plugin } = commandPlugin;
  const made = await openPlugin(plugin, manifest, { config: {}, clock, request: createGuardedRequest([]) });
  const endOrphans = async (prefix: string) => (await made.endOrphans?.(prefix)) ?? 0;
  return { id: manifest.id, capabilities: made.capabilities, run: (request) => made.run(request), endOrphans };
}
