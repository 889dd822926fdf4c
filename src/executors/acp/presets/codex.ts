import { SvcError } from '../../../base/errors/errors.ts';
import {
  type AcpConfig,
  allowsBuiltInTool,
  KEY_VARIABLE,
  type Preset,
  readAcpSetting,
  describeAgentWork,
} from './preset.ts';

const OPENAI_URL = 'https://api.openai.com/v1';

/** A TOML string. JSON differs in one character, which TOML requires to be escaped. */
const quoteTomlString = (value: string): string =>
  JSON.stringify(value).replaceAll('\u007f', '\\u007f');

const resolveCodexProgram = (config: AcpConfig): string =>
  readAcpSetting(config, 'codexPath') ?? 'codex-acp';

export const codex: Preset = {
  id: 'codex',
  settings: { key: 'codexApiKey', model: 'codexModel' },
  pathSetting: 'codexPath',
  install:
    'Install it with `npm install -g @zed-industries/codex-acp`, or name the program in plugins.installed.acp.config.codexPath.',
  program: resolveCodexProgram,
  missing: (config) =>
    readAcpSetting(config, 'codexApiKey') === null
      ? 'no key is set (codexApiKey in plugins.installed.acp.config)'
      : null,
  toolPrefix: null,
  loadsMemory: false,
  loadsSkills: false,
  loadsCheckoutMemory: true,
  servesHttp: false,
  cannotChat:
    'it keeps tools of its own that no list takes away, such as view_image and spawn_agent',
  reportsUsage: 'never',

  launch({ request, config, home, systemPrompt, chat }) {
    const key = readAcpSetting(config, 'codexApiKey');
    if (key === null) {
      throw new SvcError(
        'bad-argument',
        `${describeAgentWork({ request, chat })} runs on acp:codex, which has no key. Set codexApiKey in plugins.installed.acp.config.`,
      );
    }
    const model = request.llm.model ?? readAcpSetting(config, 'codexModel');
    const { reasoningEffort } = request.llm;
    const codexHome = `${home}/.codex`;
    const lines = [
      ...(model === null ? [] : [`model = ${quoteTomlString(model)}`]),
      ...(reasoningEffort === null
        ? []
        : [`model_reasoning_effort = ${quoteTomlString(reasoningEffort)}`]),
      'model_provider = "svc"',
      'check_for_update_on_startup = false',
      `developer_instructions = ${quoteTomlString(systemPrompt)}`,
      '[analytics]',
      'enabled = false',
      '[features]',
      `shell_tool = ${allowsBuiltInTool(request, 'shell')}`,
      `unified_exec = ${allowsBuiltInTool(request, 'shell')}`,
      '[model_providers.svc]',
      'name = "svc"',
      `base_url = ${quoteTomlString(readAcpSetting(config, 'codexBaseUrl') ?? OPENAI_URL)}`,
      `env_key = ${quoteTomlString(KEY_VARIABLE)}`,
      'wire_api = "responses"',
    ];
    const own = readAcpSetting(config, 'codexMode') ?? 'auto';
    // The agent's own sandbox hangs inside another one.
    const isConfined = request.sandbox !== undefined && request.sandbox.profile !== 'command';
    const mode = isConfined && own === 'auto' ? 'full-access' : own;
    const writes =
      allowsBuiltInTool(request, 'write') ||
      allowsBuiltInTool(request, 'edit') ||
      allowsBuiltInTool(request, 'shell');
    return {
      program: resolveCodexProgram(config),
      args: [],
      env: { [KEY_VARIABLE]: key, CODEX_HOME: codexHome },
      files: { [`${codexHome}/config.toml`]: `${lines.join('\n')}\n` },
      secrets: [key],
      authMethod: null,
      meta: null,
      mode: writes ? mode : 'read-only',
      takesSystemPrompt: true,
      leavings: [],
      events: null,
      narrows: false,
      readsServers: false,
      notes: [],
    };
  },
};
