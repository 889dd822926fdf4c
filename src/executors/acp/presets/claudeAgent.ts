import { SvcError } from '../../../lib/errors.ts';
import { claudeEnvironment, claudeRules } from '../../claudeRules.ts';
import { type Preset, setting } from './preset.ts';

export const claudeAgent: Preset = {
  id: 'claude-agent-acp',
  install:
    'Install it with `npm install -g @agentclientprotocol/claude-agent-acp` (Node 22), or name the program in plugins.installed.acp.config.claudeAgentPath.',
  toolForm: 'mcp__svc__goto_phase',
  loadsMemory: false,
  loadsSkills: false,

  launch({ request, config, home, systemPrompt }) {
    const key = setting(config, 'claudeAgentApiKey');
    if (key === null) {
      throw new SvcError(
        'bad-argument',
        `Phase ${request.phase} runs on acp:claude-agent-acp, which has no key. Set claudeAgentApiKey in plugins.installed.acp.config.`,
      );
    }
    const model = request.llm.model ?? setting(config, 'claudeAgentModel');
    const options = { ...claudeRules(request), settingSources: ['project'], strictMcpConfig: true };
    return {
      program: setting(config, 'claudeAgentPath') ?? 'claude-agent-acp',
      args: [],
      env: {
        ...claudeEnvironment({ key, baseUrl: setting(config, 'claudeAgentBaseUrl'), home }),
        ...(model === null ? {} : { ANTHROPIC_MODEL: model }),
      },
      files: {},
      secrets: [key],
      authMethod: null,
      meta: { systemPrompt: { append: systemPrompt }, claudeCode: { options } },
      mode: null,
      takesSystemPrompt: true,
      narrows: true,
      notes: [
        'claude-agent-acp hands tool servers to its program in arguments, which every user of this machine can read, the token of this session among them. The executor claude does not.',
      ],
    };
  },
};
