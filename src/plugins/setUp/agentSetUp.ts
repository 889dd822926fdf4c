import { quoteCommandWord } from '../../base/text/quotePosixWord.ts';
import { findProgramOnPath } from '../../executors/process/findProgramOnPath.ts';
import { isSdkInstalled } from '../../executors/claude/sdk.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { LocalEndpoint } from './findLocalEndpoints.ts';

export interface AdvisedSettings {
  home: string;
  hostEnv: Readonly<Record<string, string | undefined>>;
  plugins: Settings['plugins'];
}

export interface SetUp {
  /** The name in a phase or in `llm.defaultProvider`. */
  provider: string;
  /** What was found on this machine, for people; null = nothing. */
  found: string | null;
  /** Command that installs what is missing; null = nothing is missing. */
  install: string | null;
  /** Values of the configuration, keys joined by dots. */
  set: readonly (readonly [key: string, value: string])[];
  /**
   * The key that is still needed: its setting, and the runner's environment variable that holds it
   * (null = none).
   */
  secret: { key: string; env: string | null } | null;
  /** Some values, such as `<model>`, must be filled in by the person. */
  open: boolean;
}

type FindSetUp = (advisedSettings: AdvisedSettings, endpoint: LocalEndpoint | undefined) => SetUp;

const readPluginConfig = (
  { plugins }: AdvisedSettings,
  plugin: string,
): Readonly<Record<string, unknown>> => plugins[plugin]?.config ?? {};

const isFilledText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/**
 * The missing secret: a setting that has no value, perhaps available in the runner's environment.
 */
function findNeededSecret(
  advisedSettings: AdvisedSettings,
  plugin: string,
  setting: string,
  env: string,
): SetUp['secret'] {
  if (isFilledText(readPluginConfig(advisedSettings, plugin)[setting])) return null;
  return {
    key: `plugins.installed.${plugin}.config.${setting}`,
    env: isFilledText(advisedSettings.hostEnv[env]) ? env : null,
  };
}

const findAgentProgram = ({ hostEnv }: AdvisedSettings, name: string): string | null =>
  findProgramOnPath(name, hostEnv.PATH);

const findBuiltinSetUp: FindSetUp = (advisedSettings, endpoint) => {
  const config = readPluginConfig(advisedSettings, 'builtin');
  const at = (name: string) => `plugins.installed.builtin.config.${name}`;
  const foundEndpoint = endpoint ? `${endpoint.name} at ${endpoint.url} (${endpoint.model})` : null;
  const base = { provider: 'builtin', found: foundEndpoint, install: null };
  const has =
    isFilledText(config.baseUrl) || (config.api !== 'openai' && isFilledText(config.apiKey));
  if (has) {
    const set = isFilledText(config.model) ? [] : [[at('model'), '<model>'] as const];
    return { ...base, set, secret: null, open: set.length > 0 };
  }
  if (endpoint) {
    const set = [
      [at('api'), 'openai'] as const,
      [at('baseUrl'), endpoint.url] as const,
      [at('model'), endpoint.model] as const,
    ];
    return { ...base, set, secret: null, open: false };
  }
  if (isFilledText(advisedSettings.hostEnv.ANTHROPIC_API_KEY)) {
    const secret = { key: at('apiKey'), env: 'ANTHROPIC_API_KEY' };
    return {
      ...base,
      found: 'a key in ANTHROPIC_API_KEY',
      set: [[at('model'), '<model>']],
      secret,
      open: true,
    };
  }
  const set = [
    [at('api'), 'openai'] as const,
    [at('baseUrl'), '<address>'] as const,
    [at('model'), '<model>'] as const,
  ];
  return { ...base, set, secret: null, open: true };
};

const findClaudeSetUp: FindSetUp = (advisedSettings) => {
  const { sdkDir, claudePath, loginDir } = readPluginConfig(advisedSettings, 'claude');
  const program = isFilledText(claudePath) ? String(claudePath) : 'claude';
  const installed =
    isSdkInstalled(isFilledText(sdkDir) ? String(sdkDir) : null) ||
    findAgentProgram(advisedSettings, program) !== null;
  return {
    provider: 'claude',
    found: installed ? 'claude' : null,
    install: installed ? null : 'npm install -g @anthropic-ai/claude-code',
    set: [],
    secret: isFilledText(loginDir)
      ? null
      : findNeededSecret(advisedSettings, 'claude', 'apiKey', 'ANTHROPIC_API_KEY'),
    open: false,
  };
};

const findOpencodeSetUp: FindSetUp = (advisedSettings, endpoint) => {
  const config = readPluginConfig(advisedSettings, 'acp');
  const at = (name: string) => `plugins.installed.acp.config.${name}`;
  const installed =
    findAgentProgram(
      advisedSettings,
      typeof config.opencodePath === 'string' ? config.opencodePath : 'opencode',
    ) !== null;
  const hasModel = isFilledText(config.opencodeModel);
  const hasPlace = isFilledText(config.opencodeBaseUrl) || isFilledText(config.opencodeProvider);
  const set: (readonly [string, string])[] = [];
  if (!hasPlace)
    set.push(
      endpoint
        ? [at('opencodeBaseUrl'), `${endpoint.url}/v1`]
        : [at('opencodeProvider'), '<provider>'],
    );
  if (!hasModel)
    set.push([at('opencodeModel'), endpoint && !hasPlace ? endpoint.model : '<model>']);
  return {
    provider: 'acp:opencode',
    found: installed ? 'opencode' : null,
    install: installed ? null : 'npm install -g opencode-ai',
    set,
    secret:
      !hasPlace && !endpoint && !isFilledText(config.opencodeApiKey)
        ? { key: at('opencodeApiKey'), env: null }
        : null,
    open: set.some(([, value]) => value.startsWith('<')),
  };
};

/** An agent of the protocol that only needs its program and a key. */
const createKeyedAgentFinder =
  (
    id: string,
    own: {
      path: string;
      program: string;
      also?: string;
      pack: string;
      key: string;
      env: string;
      login?: string;
    },
  ): FindSetUp =>
  (advisedSettings) => {
    const config = readPluginConfig(advisedSettings, 'acp');
    const path = config[own.path];
    const installed =
      findAgentProgram(
        advisedSettings,
        typeof path === 'string' && path !== '' ? path : own.program,
      ) !== null;
    const isThere =
      installed || (own.also !== undefined && findAgentProgram(advisedSettings, own.also) !== null);
    return {
      provider: `acp:${id}`,
      found: isThere ? id : null,
      install: installed ? null : `npm install -g ${own.pack}`,
      set: [],
      secret:
        own.login !== undefined && isFilledText(config[own.login])
          ? null
          : findNeededSecret(advisedSettings, 'acp', own.key, own.env),
      open: false,
    };
  };

/** The order is that of recommendation when several are found. */
const AGENTS: readonly FindSetUp[] = [
  findBuiltinSetUp,
  findClaudeSetUp,
  findOpencodeSetUp,
  createKeyedAgentFinder('codex', {
    path: 'codexPath',
    program: 'codex-acp',
    also: 'codex',
    pack: '@zed-industries/codex-acp',
    key: 'codexApiKey',
    env: 'OPENAI_API_KEY',
    login: 'codexLoginDir',
  }),
  createKeyedAgentFinder('gemini', {
    path: 'geminiPath',
    program: 'gemini',
    pack: '@google/gemini-cli',
    key: 'geminiApiKey',
    env: 'GEMINI_API_KEY',
  }),
  createKeyedAgentFinder('claude-agent-acp', {
    path: 'claudeAgentPath',
    program: 'claude-agent-acp',
    pack: '@agentclientprotocol/claude-agent-acp',
    key: 'claudeAgentApiKey',
    env: 'ANTHROPIC_API_KEY',
  }),
];

/**
 * How much is left to do: what is missing, what the person has to fill in, install or type. Where
 * nothing was found, the built-in agent with a model server is least.
 */
const computeSetUpEffort = ({ found, install, open, secret }: SetUp): number =>
  (found === null ? 8 : 0) +
  (open ? 4 : 0) +
  (install === null ? 0 : 4) +
  (secret && secret.env === null ? 1 : 0);

/** Every agent that can be set up here, least effort first. */
export const listSetUpsHere = (
  advisedSettings: AdvisedSettings,
  endpoints: readonly LocalEndpoint[],
): SetUp[] =>
  AGENTS.map((find) => find(advisedSettings, endpoints[0])).sort(
    (a, b) => computeSetUpEffort(a) - computeSetUpEffort(b),
  );

/**
 * One command that installs what is missing, sets these values, and reads a secret from standard
 * input.
 */
export function formatSetUpCommand(
  { install, set, secret }: Pick<SetUp, 'install' | 'set' | 'secret'>,
  before: readonly (readonly [key: string, word: string])[] = [],
): string {
  const pairs = [
    ...before.map(([key, word]) => `${quoteCommandWord(key)} ${word}`),
    ...set.map(([key, value]) => `${quoteCommandWord(key)} ${quoteUnlessOpen(value)}`),
  ];
  if (secret) pairs.push(`${quoteCommandWord(secret.key)} -`);
  const key = secret?.env ? `printf %s "$${secret.env}" | ` : '';
  return `${install === null ? '' : `${install} && `}${key}svc config set ${pairs.join(' ')}`;
}

/**
 * A placeholder such as `<model>` stays unquoted, so that a shell refuses to run the command as it
 * is.
 */
const quoteUnlessOpen = (value: string): string =>
  /^<[a-z]+>$/.test(value) ? value : quoteCommandWord(value);
