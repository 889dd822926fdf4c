import { SvcError } from '../../../lib/errors.ts';
import { claudeEnvironment, claudeRules } from '../../process/claudeRules.ts';
import { keyCommand, keyFile } from '../../process/keyFile.ts';
import { serversFile } from '../../process/sessionFiles.ts';
import { type AcpConfig, type Preset, setting, whoRuns } from './preset.ts';

const program = (config: AcpConfig): string =>
  setting(config, 'claudeAgentPath') ?? 'claude-agent-acp';

export const claudeAgent: Preset = {
  id: 'claude-agent-acp',
  settings: { key: 'claudeAgentApiKey', model: 'claudeAgentModel' },
  pathSetting: 'claudeAgentPath',
  install:
    'Install it with `npm install -g @agentclientprotocol/claude-agent-acp` (Node 22), or name the program in plugins.installed.acp.config.claudeAgentPath.',
  program,
  missing: (config) =>
    setting(config, 'claudeAgentApiKey') === null
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
    const key = setting(config, 'claudeAgentApiKey');
    if (key === null) {
      throw new SvcError(
        'bad-argument',
        `${whoRuns({ request, chat })} runs on acp:claude-agent-acp, which has no key. Set claudeAgentApiKey in plugins.installed.acp.config.`,
      );
    }
    const model = request.llm.model ?? setting(config, 'claudeAgentModel');
    const options = {
      ...claudeRules(request),
      // Settings of the checkout could run hooks.
      settingSources: [],
      settings: { disableAllHooks: true, apiKeyHelper: keyCommand(request.sessionDir) },
      strictMcpConfig: true,
      // What comes by the protocol it writes into the arguments of its program, with every token.
      extraArgs: { 'mcp-config': serversFile(request.sessionDir) },
    };
    return {
      program: program(config),
      args: [],
      env: {
        ...claudeEnvironment({ baseUrl: setting(config, 'claudeAgentBaseUrl'), home }),
        ...(model === null ? {} : { ANTHROPIC_MODEL: model }),
      },
      files: { [keyFile(request.sessionDir)]: key },
      secrets: [key],
      authMethod: null,
      meta: { systemPrompt: { append: systemPrompt }, claudeCode: { options } },
      mode: null,
      takesSystemPrompt: true,
      leavings: [keyFile(request.sessionDir)],
      events: null,
      narrows: true,
      readsServers: true,
      notes: [],
    };
  },
};
