export interface AgentConfig {
  llm: { defaultProvider: string };
  plugins: { installed: Record<string, { config: Record<string, string> }> };
}

interface AgentPlace {
  model: string;
  /** Program, command line or SDK folder of the agent; null = where its executor looks. */
  program: string | null;
}

export const MODEL = 'claude-sonnet-4-5';
/** The endpoint takes any key; agents want to have one. */
const KEY = 'key-of-the-demo';

/** Leaves out members that are null, so that the executor uses its default. */
const dropNullMembers = (members: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );

/** Settings by agent, named as the plugin of its executor names them. */
const AGENTS: Record<string, (place: AgentPlace) => Record<string, string>> = {
  builtin: ({ model }) => ({ api: 'anthropic', baseUrl: model, apiKey: KEY, model: MODEL }),
  'builtin:openai': ({ model }) => ({ api: 'openai', baseUrl: model, apiKey: KEY, model: MODEL }),
  claude: ({ model, program }) =>
    dropNullMembers({
      baseUrl: model,
      apiKey: KEY,
      model: MODEL,
      // A folder holds the SDK.
      [program?.endsWith('/claude') ? 'claudePath' : 'sdkDir']: program,
    }),
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

/** The agent's settings for the demo's job. Throws for an agent that it does not know. */
export function buildAgentConfig(agent: string, place: AgentPlace): AgentConfig {
  const settings = AGENTS[agent];
  if (!settings) throw new Error(`The demo does not know the agent ${agent}.`);
  const id = agent.split(':', 1)[0] ?? agent;
  return {
    llm: { defaultProvider: id },
    plugins: { installed: { [id]: { config: settings(place) } } },
  };
}
