import { commandExecutor } from '../executors/command.ts';
import { createLocalForge } from '../scm/local/forge.ts';
import { acpPlugin } from './builtIn/acp.ts';
import { githubPlugin } from './builtIn/github.ts';
import { builtinPlugin } from './builtIn/builtin.ts';
import { claudePlugin } from './builtIn/claude.ts';
import type { BuiltIn } from './builtIn/pair.ts';
import type { BuiltInForge } from './builtIn/remoteForge.ts';
import { definePlugin, type PluginOf } from './contract.ts';

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

/** Forges behind a network, in the order in which they are asked whose a repository is. */
export const REMOTE_FORGES: readonly BuiltInForge[] = [githubPlugin];

export const BUILT_INS: readonly BuiltIn[] = [
  ...[commandPlugin, builtinPlugin, acpPlugin, claudePlugin],
  ...[localPlugin, ...REMOTE_FORGES],
];
