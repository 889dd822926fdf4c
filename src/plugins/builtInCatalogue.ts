import { createCommandExecutor } from '../executors/command/createCommandExecutor.ts';
import type { PluginManifest } from '../contract/schema/runner/plugin.ts';
import { createLocalForge } from '../providers/local/forge.ts';
import { acpPlugin } from './builtIn/acp.ts';
import { bitbucketPlugin } from '../providers/bitbucket/plugin.ts';
import { githubPlugin } from '../providers/github/plugin.ts';
import { githubIssuesPlugin } from '../providers/github/issues/plugin.ts';
import { jiraPlugin } from '../providers/jira/plugin.ts';
import { linearPlugin } from '../providers/linear/plugin.ts';
import { gitlabPlugin } from '../providers/gitlab/plugin.ts';
import { builtinPlugin } from './builtIn/builtinExecutor.ts';
import { claudePlugin } from './builtIn/claude.ts';
import { SERVICE_MANIFESTS } from './builtIn/observability.ts';
import type { BuiltInPlugin } from '../providers/rest/builtInPlugin.ts';
import { type BuiltInForge, POLL_SETTINGS, WAKE_SETTINGS } from '../providers/rest/forgePlugin.ts';
import type { BuiltInTracker } from '../providers/rest/trackerPlugin.ts';
import { type BuiltInForgePlugin, defineForge } from '../contract/forge/builtInForge.ts';
import { definePlugin, type PluginOf } from '../contract/runner/plugin.ts';

const buildNodeCommand = (script: string): string[] => [process.execPath, '-e', script];

export const commandPlugin: BuiltInPlugin<PluginOf<'executor'>> = {
  manifest: {
    contract: 1,
    id: 'command',
    kind: 'executor',
    title: 'A program, run once per session',
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
    create: ({ clock }) => createCommandExecutor({ clock }),
    samples: {
      // Prints its environment, the token included: the kit checks whether the token gets out.
      short: {
        command: buildNodeCommand(
          "console.log(require('fs').readFileSync(process.env.SVC_SESSION_DIR + '/mcp.json', 'utf8'))",
        ),
      },
      long: { command: buildNodeCommand("console.log('here'); setInterval(() => {}, 1000)") },
    },
  }),
};

export const localPlugin: BuiltInPlugin<BuiltInForgePlugin> = {
  manifest: {
    contract: 1,
    id: 'local',
    kind: 'scm',
    title: 'Pull requests of git repositories on this disk',
    entry: 'built-in',
    settings: { ...WAKE_SETTINGS, ...POLL_SETTINGS },
  },
  plugin: defineForge({ kind: 'scm', create: (context) => createLocalForge(context) }),
};

/** Remote forges, in the order in which they are asked whether a repository is theirs. */
export const REMOTE_FORGES: readonly BuiltInForge[] = [githubPlugin, gitlabPlugin, bitbucketPlugin];

export const TRACKERS: readonly BuiltInTracker[] = [jiraPlugin, linearPlugin, githubIssuesPlugin];

export const BUILT_INS: readonly BuiltInPlugin[] = [
  commandPlugin,
  builtinPlugin,
  acpPlugin,
  claudePlugin,
  localPlugin,
  ...REMOTE_FORGES,
  ...TRACKERS,
];

/** Every built-in plugin that `plugins.installed` can configure. */
export const BUILT_IN_MANIFESTS: readonly PluginManifest[] = [
  ...BUILT_INS.map(({ manifest }) => manifest),
  ...SERVICE_MANIFESTS,
];
