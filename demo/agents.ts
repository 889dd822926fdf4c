/** The configuration for an agent of the demo, as far as it depends on the agent. */
export interface AgentConfig {
  llm: { defaultProvider: string };
  plugins: { installed: Record<string, { config: Record<string, string> }> };
}

interface AgentPlace {
  /** Address of the scripted model. */
  model: string;
  /**
   * Program of the agent, its command line for `acp:custom`, or folder of its SDK; null = where its
   * executor looks by itself.
   */
  program: string | null;
}

export const MODEL = 'claude-sonnet-4-5';
/** The endpoint takes any; agents want to have one. */
const KEY = 'key-of-the-demo';

/** Members that are set; what is null is left to the executor. */
const dropNullMembers = (members: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );

/** Settings by agent, in the words of its executor's plugin. */
const AGENTS: Record<string, (place: AgentPlace) => Record<string, string>> = {
  builtin: ({ model }) => ({ api: 'anthropic', baseUrl: model, apiKey: KEY, model: MODEL }),
  'builtin:openai': ({ model }) => ({ api: 'openai', baseUrl: model, apiKey: KEY, model: MODEL }),
  claude: ({ model, program }) =>
    dropNullMembers({ baseUrl: model, apiKey: KEY, model: MODEL, sdkDir: program }),
  'acp:opencode': ({ model, program }) =>
    dropNullMembers({
      preset: 'opencode',
      opencodeBaseUrl: `${model}/v1`,
      opencodeApiKey: KEY,
      opencodeModel: 'scripted',
      opencodePath: program,
    }),
  'acp:gemini': ({ model, program }) =>
    dropNullMembers({
      preset: 'gemini',
      geminiBaseUrl: model,
      geminiApiKey: KEY,
      geminiModel: 'gemini-2.5-pro',
      geminiPath: program,
    }),
  'acp:codex': ({ model, program }) =>
    dropNullMembers({
      preset: 'codex',
      codexBaseUrl: `${model}/v1`,
      codexApiKey: KEY,
      codexModel: 'scripted',
      codexPath: program,
    }),
  'acp:claude-agent-acp': ({ model, program }) =>
    dropNullMembers({
      preset: 'claude-agent-acp',
      claudeAgentBaseUrl: model,
      claudeAgentApiKey: KEY,
      claudeAgentModel: MODEL,
      claudeAgentPath: program,
    }),
  // Any program of the protocol that asks its model like Anthropic's.
  'acp:custom': ({ model, program }) =>
    dropNullMembers({
      preset: 'custom',
      command: program,
      key: model,
      keyVariable: 'ANTHROPIC_BASE_URL',
    }),
};

export const AGENT_NAMES: readonly string[] = Object.keys(AGENTS);

/** How the demo's job is to be run by an agent. Throws for one that it does not know. */
export function buildAgentConfig(agent: string, place: AgentPlace): AgentConfig {
  const settings = AGENTS[agent];
  if (!settings) throw new Error(`The demo does not know the agent ${agent}.`);
  const id = agent.split(':', 1)[0] ?? agent;
  return {
    llm: { defaultProvider: id },
    plugins: { installed: { [id]: { config: settings(place) } } },
  };
}
