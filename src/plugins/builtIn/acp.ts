import { ACP_CAPABILITIES, createAcpExecutor } from '../../executors/acp/createAcpExecutor.ts';
import { PRESETS } from '../../executors/acp/presets/index.ts';
import { ACP_SETTINGS } from '../../executors/acp/settings.ts';
import { definePlugin, type PluginOf } from '../../contract/runner/plugin.ts';
import type { BuiltInPlugin } from '../../providers/rest/builtInPlugin.ts';

/**
 * A minimal agent: it prints what it was given, the token included, and then ends or waits to be
 * cancelled.
 */
const SAMPLE = `
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
let given = '';
let waiting = null;
const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { mcpCapabilities: { http: true } } }),
  'session/new': ({ mcpServers }) => ({ sessionId: (given = JSON.stringify(mcpServers), 'sample') }),
};
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'session/cancel') say({ id: waiting, result: { stopReason: 'cancelled' } });
  else if (method === 'session/prompt') {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: given } };
    say({ method: 'session/update', params: { sessionId: 'sample', update } });
    waiting = id;
    if (process.argv[1] !== 'wait') say({ id, result: { stopReason: 'end_turn' } });
  } else say({ id, result: answers[method](params) });
});`;

export const acpPlugin: BuiltInPlugin<PluginOf<'executor'>> = {
  manifest: {
    contract: 1,
    id: 'acp',
    kind: 'executor',
    title:
      'Agents that speak the Agent Client Protocol: opencode, gemini, codex, claude-agent-acp, or your own',
    entry: 'built-in',
    capabilities: ACP_CAPABILITIES,
    offers: ['healthcheck'],
    variants: PRESETS.map(({ id }) => id),
    settings: ACP_SETTINGS,
  },
  plugin: definePlugin({
    kind: 'executor',
    create: ({ clock, config }) => createAcpExecutor({ clock, config }),
    samples: {
      config: { preset: 'custom' },
      short: { command: [process.execPath, '-e', SAMPLE] },
      long: { command: [process.execPath, '-e', SAMPLE, 'wait'] },
    },
  }),
};
