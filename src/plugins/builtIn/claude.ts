import { CLAUDE_CAPABILITIES, claudeExecutor } from '../../executors/claude/executor.ts';
import { CLAUDE_SETTINGS } from '../../executors/claude/settings.ts';
import { definePlugin, type PluginOf } from '../../contract/plugin.ts';
import type { BuiltIn } from '../../providers/rest/pair.ts';

export const claudePlugin: BuiltIn<PluginOf<'executor'>> = {
  manifest: {
    contract: 1,
    id: 'claude',
    kind: 'executor',
    title: 'Claude Code by way of the Claude Agent SDK, which must be installed beside it',
    entry: 'built-in',
    capabilities: CLAUDE_CAPABILITIES,
    offers: ['healthcheck', 'login'],
    settings: CLAUDE_SETTINGS,
  },
  plugin: definePlugin({
    kind: 'executor',
    create: ({ clock, config }) => claudeExecutor({ clock, config }),
  }),
};
