import {
  CLAUDE_CAPABILITIES,
  createClaudeExecutor,
} from '../../executors/claude/createClaudeExecutor.ts';
import { CLAUDE_SETTINGS } from '../../executors/claude/settings.ts';
import { definePlugin, type PluginOf } from '../../contract/runner/plugin.ts';
import type { BuiltInPlugin } from '../../providers/rest/builtInPlugin.ts';

export const claudePlugin: BuiltInPlugin<PluginOf<'executor'>> = {
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
    create: ({ clock, config }) => createClaudeExecutor({ clock, config }),
  }),
};
