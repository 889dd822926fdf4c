import type { Config } from '../../src/config/configSchema.ts';
import { SvcError } from '../../src/lib/errors.ts';
import { type Advised, type SetUp, setUpsHere } from '../../src/plugins/setUp/agentCommand.ts';
import { localEndpoints } from '../../src/plugins/setUp/localEndpoints.ts';
import { keyPath } from '../input/configChange.ts';
import type { Prompt } from './prompt.ts';
import { type Chosen, chosen } from './starter.ts';

export interface AgentContext extends Advised {
  config: Config;
  prompt: Prompt | null;
}

/** What is written of the agent program, and what has to be installed for it. */
export interface ChosenAgent {
  values: Chosen[];
  /** A command line; null = nothing is missing. */
  install: string | null;
}

const NONE: ChosenAgent = { values: [], install: null };

/** Executor of a configuration that has chosen none: a program of its own for each agent. */
const UNCHOSEN = 'command';
/** Executor of a key that comes without one. */
const BY_KEY = 'builtin';

/** Where the key of a model is, by executor. */
const KEYS: Readonly<Record<string, string>> = {
  builtin: 'plugins.installed.builtin.config.apiKey',
  claude: 'plugins.installed.claude.config.apiKey',
  'acp:opencode': 'plugins.installed.acp.config.opencodeApiKey',
  'acp:codex': 'plugins.installed.acp.config.codexApiKey',
  'acp:gemini': 'plugins.installed.acp.config.geminiApiKey',
  'acp:claude-agent-acp': 'plugins.installed.acp.config.claudeAgentApiKey',
};
const ADDRESS = 'plugins.installed.builtin.config.baseUrl';
const PROTOCOL = 'plugins.installed.builtin.config.api';

const provider = (name: string): Chosen => chosen(['llm', 'defaultProvider'], name);
const keyAt = (key: string, value: string, from: string | null): Chosen => ({
  path: keyPath(key),
  value,
  secret: true,
  from,
});

/** A key alone. Throws SvcError `bad-argument` where it is not known whose. */
function withKey(apiKey: string, present: string): ChosenAgent {
  const name = present === UNCHOSEN ? BY_KEY : present;
  const key = KEYS[name];
  if (key !== undefined)
    return { values: [provider(name), keyAt(key, apiKey, null)], install: null };
  throw new SvcError(
    'bad-argument',
    `--api-key: llm.defaultProvider is ${name}, and svc does not know which of its settings holds a key. Write it with: svc config set plugins.installed.${name.split(':')[0]}.config.<setting> - < file`,
  );
}

async function askWhich(prompt: Prompt, setUps: readonly SetUp[]): Promise<SetUp | null> {
  const here = setUps.filter(({ found }) => found !== null);
  prompt.say(
    here.length === 0 ? 'No agent program was found on this machine.' : 'Found on this machine:',
  );
  for (const { provider: name, found } of here) prompt.say(`  ${name}: ${found}`);
  const first = here[0]?.provider ?? 'none';
  const names = setUps.map((one) => one.provider);
  for (;;) {
    const typed = await prompt.text(`Agent program: none, ${names.join(', ')} [${first}]:`);
    const name = typed === '' ? first : typed;
    const setUp = setUps.find((one) => one.provider === name);
    if (setUp || name === 'none') return setUp ?? null;
    prompt.say('That is none of them.');
  }
}

/** The values of one set-up, with those that only the person knows. */
async function completed(
  prompt: Prompt,
  { provider: name, set, secret, install }: SetUp,
  apiKey: string | null,
  env: AgentContext['hostEnv'],
): Promise<ChosenAgent> {
  const values = new Map<string, string>();
  for (const [key, value] of set) {
    const isOpen = /^<[a-z]+>$/.test(value);
    const hint = key === ADDRESS ? ' (Enter for that of Anthropic)' : '';
    const question = `${key.split('.').at(-1)} of ${name}${hint}:`;
    const known = isOpen ? await prompt.text(question) : value;
    if (known !== '') values.set(key, known);
  }
  const isAnthropic = set.some(([key]) => key === ADDRESS) && !values.has(ADDRESS);
  if (isAnthropic) values.delete(PROTOCOL);
  const place = secret?.key ?? (set.some(([key]) => key === ADDRESS) ? KEYS[name] : undefined);
  const held = secret?.env ? env[secret.env] : undefined;
  const keys: Chosen[] = [];
  if (apiKey !== null && KEYS[name] !== undefined) keys.push(keyAt(KEYS[name], apiKey, null));
  else if (place !== undefined && held) keys.push(keyAt(place, held, secret?.env ?? null));
  else if (place !== undefined && !isLocal(values.get(ADDRESS))) {
    const typed = await prompt.secret(`Key for ${name} (not shown; Enter for none):`);
    if (typed !== '') keys.push(keyAt(place, typed, null));
  }
  const others = [...values].map(([key, value]) => chosen(keyPath(key), value));
  return { values: [provider(name), ...others, ...keys], install };
}

/** A model server that was found on this machine asks for no key. */
const isLocal = (address: string | undefined): boolean =>
  address?.startsWith('http://127.0.0.1:') ?? false;

/**
 * The agent program of all phases that name none: by the key that was given, or as the person
 * chooses; nothing where one is chosen already. Looks at loopback ports only where a person is asked.
 */
export async function agentOf(apiKey: string | null, context: AgentContext): Promise<ChosenAgent> {
  const { config, prompt, hostEnv } = context;
  const present = config.llm.defaultProvider;
  if (apiKey !== null && (prompt === null || present !== UNCHOSEN)) return withKey(apiKey, present);
  if (prompt === null || present !== UNCHOSEN) return NONE;
  const setUp = await askWhich(prompt, setUpsHere(context, await localEndpoints(hostEnv)));
  if (setUp) return completed(prompt, setUp, apiKey, hostEnv);
  return apiKey === null ? NONE : withKey(apiKey, present);
}
