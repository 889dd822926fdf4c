/** Where an executor keeps what it needs of a model, within `plugins.installed.<plugin>.config`. */
interface ModelSettings {
  plugin: string;
  apiKey: string;
  model: string;
  baseUrl: string;
  /** Folder of the login of a person; left out: the agent's program cannot share one. */
  login?: string;
}

/** The program whose login an executor can use. */
export const LOGIN_PROGRAMS: Readonly<Record<string, string>> = {
  claude: 'claude',
  'acp:codex': 'codex',
};

const nameOwnSettings = (plugin: string): ModelSettings => ({
  plugin,
  apiKey: 'apiKey',
  model: 'model',
  baseUrl: 'baseUrl',
});

const nameAgentSettings = (agent: string): ModelSettings => ({
  plugin: 'acp',
  apiKey: `${agent}ApiKey`,
  model: `${agent}Model`,
  baseUrl: `${agent}BaseUrl`,
});

/** By executor. Those of plugins are not among them. */
export const MODEL_SETTINGS: Readonly<Record<string, ModelSettings>> = {
  builtin: nameOwnSettings('builtin'),
  claude: { ...nameOwnSettings('claude'), login: 'loginDir' },
  'acp:opencode': nameAgentSettings('opencode'),
  'acp:codex': { ...nameAgentSettings('codex'), login: 'codexLoginDir' },
  'acp:gemini': nameAgentSettings('gemini'),
  'acp:claude-agent-acp': nameAgentSettings('claudeAgent'),
};

/** Key of the configuration that holds one of them; undefined for an executor that is not known. */
export function toModelSettingKey(
  executor: string,
  setting: 'apiKey' | 'model' | 'baseUrl' | 'login',
): string | undefined {
  const settings = MODEL_SETTINGS[executor];
  const name = settings?.[setting];
  return settings && name && `plugins.installed.${settings.plugin}.config.${name}`;
}
