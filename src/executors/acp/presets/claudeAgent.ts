import { SvcError } from '../../../base/errors/errors.ts';
import { buildClaudeEnvironment, buildClaudeRules } from '../../process/buildClaudeRules.ts';
import { buildKeyCommand, resolveKeyFile } from '../../process/keyFile.ts';
import { resolveServersFile } from '../../process/writeSessionFiles.ts';
import { type AcpConfig, type Preset, readAcpSetting, describeAgentWork } from './preset.ts';

const resolveClaudeAgentProgram = (config: AcpConfig): string =>
  readAcpSetting(config, 'claudeAgentPath') ?? 'claude-agent-acp';

export const claudeAgent: Preset = {
  id: 'claude-agent-acp',
  settings: { key: 'claudeAgentApiKey', model: 'claudeAgentModel' },
  pathSetting: 'claudeAgentPath',
  install:
    'Install it with `npm install -g @agentclientprotocol/claude-agent-acp` (Node 22), or name the program in plugins.installed.acp.config.claudeAgentPath.',
  program: resolveClaudeAgentProgram,
  describeMissing: (config) =>
    readAcpSetting(config, 'claudeAgentApiKey') === null
      ? 'no key is set (claudeAgentApiKey in plugins.installed.acp.config)'
      : null,
  toolPrefix: 'mcp__svc__',
  loadsMemory: false,
  loadsSkills: false,
  loadsCheckoutMemory: false,
  servesHttp: false,
  cannotChat:
    'it asks its model for titles and suggestions of its own, with its own tools; use claude',
  reportsUsage: 'each-turn',

  launch({ request, config, home, systemPrompt, chat }) {
    const key = readAcpSetting(config, 'claudeAgentApiKey');
    if (key === null) {
      throw new SvcError(
        'bad-argument',
        `${describeAgentWork({ request, chat })} runs on acp:claude-agent-acp, which has no key. Set claudeAgentApiKey in plugins.installed.acp.config.`,
      );
    }
    const model = request.llm.model ?? readAcpSetting(config, 'claudeAgentModel');
    const options = {
      ...buildClaudeRules(request),
      // Settings of the checkout could run hooks.
      settingSources: [],
      settings: { disableAllHooks: true, apiKeyHelper: buildKeyCommand(request.sessionDir) },
      strictMcpConfig: true,
      // The program writes servers passed over the protocol into its arguments, with every token.
      extraArgs: { 'mcp-config': resolveServersFile(request.sessionDir) },
    };
    return {
      program: resolveClaudeAgentProgram(config),
      args: [],
      env: {
        ...buildClaudeEnvironment({ baseUrl: readAcpSetting(config, 'claudeAgentBaseUrl'), home }),
        ...(model === null ? {} : { ANTHROPIC_MODEL: model }),
      },
      files: { [resolveKeyFile(request.sessionDir)]: key },
      secrets: [key],
      authMethod: null,
      meta: { systemPrompt: { append: systemPrompt }, claudeCode: { options } },
      mode: null,
      takesSystemPrompt: true,
      leavings: [resolveKeyFile(request.sessionDir)],
      events: null,
      narrows: true,
      readsServers: true,
      notes: [],
    };
  },
};
