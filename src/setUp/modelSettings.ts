/** Where an executor keeps what it needs of a model, within `plugins.installed.<plugin>.config`. */
interface ModelSettings {
  plugin: string;
  apiKey: string;
  model: string;
  baseUrl: string;
}

const own = (plugin: string): ModelSettings => ({
  plugin,
  apiKey: 'apiKey',
  model: 'model',
  baseUrl: 'baseUrl',
});

const ofAgent = (agent: string): ModelSettings => ({
  plugin: 'acp',
  apiKey: `${agent}ApiKey`,
  model: `${agent}Model`,
  baseUrl: `${agent}BaseUrl`,
});

/** By executor. Those of plugins are not among them. */
export const MODEL_SETTINGS: Readonly<Record<string, ModelSettings>> = {
  builtin: own('builtin'),
  claude: own('claude'),
  'acp:opencode': ofAgent('opencode'),
  'acp:codex': ofAgent('codex'),
  'acp:gemini': ofAgent('gemini'),
  'acp:claude-agent-acp': ofAgent('claudeAgent'),
};

/** Key of the configuration that holds one of them; undefined for an executor that is not known. */
export function modelSettingKey(
  executor: string,
  setting: 'apiKey' | 'model' | 'baseUrl',
): string | undefined {
  const settings = MODEL_SETTINGS[executor];
  return settings && `plugins.installed.${settings.plugin}.config.${settings[setting]}`;
}
