import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { SvcError } from '../../../base/errors/errors.ts';
import {
  type AcpConfig,
  allowsBuiltInTool,
  KEY_VARIABLE,
  type Preset,
  readAcpSetting,
  describeAgentWork,
} from './preset.ts';

/** File of Codex in which a login is kept. */
export const CODEX_LOGIN_FILE = 'auth.json';
/** Endpoint of a login with ChatGPT. */
const LOGIN_URL = 'https://chatgpt.com/backend-api/codex';
const OPENAI_URL = 'https://api.openai.com/v1';

/** A TOML string. JSON differs in one character, which TOML requires to be escaped. */
const quoteTomlString = (value: string): string =>
  JSON.stringify(value).replaceAll('\u007f', '\\u007f');

/** Why sessions cannot use the login in this folder, as a clause; null = it exists. */
function explainCodexLoginLack(loginDir: string): string | null {
  if (!isAbsolute(loginDir))
    return 'plugins.installed.acp.config.codexLoginDir is not an absolute path';
  return existsSync(join(loginDir, CODEX_LOGIN_FILE))
    ? null
    : `no login of Codex is in ${loginDir}; run codex login`;
}

const resolveCodexProgram = (config: AcpConfig): string =>
  readAcpSetting(config, 'codexPath') ?? 'codex-acp';

export const codex: Preset = {
  id: 'codex',
  settings: { key: 'codexApiKey', model: 'codexModel', login: 'codexLoginDir' },
  pathSetting: 'codexPath',
  install:
    'Install it with `npm install -g @zed-industries/codex-acp`, or name the program in plugins.installed.acp.config.codexPath.',
  program: resolveCodexProgram,
  describeMissing: (config) => {
    if (readAcpSetting(config, 'codexApiKey') !== null) return null;
    const loginDir = readAcpSetting(config, 'codexLoginDir');
    return loginDir === null
      ? 'no key is set (codexApiKey in plugins.installed.acp.config)'
      : explainCodexLoginLack(loginDir);
  },
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
    const loginDir = key === null ? readAcpSetting(config, 'codexLoginDir') : null;
    const who = `${describeAgentWork({ request, chat })} runs on acp:codex`;
    const lack = loginDir === null ? null : explainCodexLoginLack(loginDir);
    if (lack !== null) throw new SvcError('bad-argument', `${who}, but ${lack}.`);
    if (key === null && loginDir === null)
      throw new SvcError(
        'bad-argument',
        `${who}, which has no key. Set codexApiKey in plugins.installed.acp.config, or name your login in codexLoginDir there.`,
      );
    if (loginDir !== null && request.sandbox)
      throw new SvcError(
        'bad-argument',
        `${who} with your login, which cannot be handed into a sandbox. Set codexApiKey in plugins.installed.acp.config, or runner.sandbox to off.`,
      );
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
      ...(loginDir === null ? [] : ['cli_auth_credentials_store = "file"']),
      `developer_instructions = ${quoteTomlString(systemPrompt)}`,
      '[analytics]',
      'enabled = false',
      '[features]',
      `shell_tool = ${allowsBuiltInTool(request, 'shell')}`,
      `unified_exec = ${allowsBuiltInTool(request, 'shell')}`,
      '[model_providers.svc]',
      'name = "svc"',
      `base_url = ${quoteTomlString(readAcpSetting(config, 'codexBaseUrl') ?? (loginDir === null ? OPENAI_URL : LOGIN_URL))}`,
      loginDir === null
        ? `env_key = ${quoteTomlString(KEY_VARIABLE)}`
        : 'requires_openai_auth = true',
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
      env: { ...(key === null ? {} : { [KEY_VARIABLE]: key }), CODEX_HOME: codexHome },
      // Codex writes a renewed login through the link.
      links:
        loginDir === null
          ? {}
          : { [`${codexHome}/${CODEX_LOGIN_FILE}`]: join(loginDir, CODEX_LOGIN_FILE) },
      files: { [`${codexHome}/config.toml`]: `${lines.join('\n')}\n` },
      secrets: key === null ? [] : [key],
      authMethod: null,
      meta: null,
      mode: writes ? mode : 'read-only',
      takesSystemPrompt: true,
      leavings: loginDir === null ? [] : [`${codexHome}/${CODEX_LOGIN_FILE}`],
      events: null,
      narrows: false,
      readsServers: false,
      notes: [],
    };
  },
};
