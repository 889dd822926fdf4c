import { TURN_SETTINGS, type TurnLimits } from '../process/turnWatch.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { PluginSetting } from '../../contract/schema/runner/plugin.ts';

export interface BuiltinSettings extends TurnLimits {
  api: 'anthropic' | 'openai';
  /**
   * Includes the version, without a slash at the end; null = none is set up, and no request is
   * sent.
   */
  baseUrl: string | null;
  /** Empty = none is sent. */
  apiKey: string;
  /** Model of phases without one; null = each must name one. */
  model: string | null;
  maxOutputTokens: number;
  /** Size of the model's context, tokens. */
  contextWindow: number;
  maxRetries: number;
  maxTools: number;
}

/**
 * Most tools of a request by API: OpenAI's documented limit, and as many as one server may have.
 */
const MAX_TOOLS = { openai: 128, anthropic: 1_000 } as const;

const ANTHROPIC_URL = 'https://api.anthropic.com';

export const BUILTIN_SETTINGS = {
  api: {
    type: 'string',
    description: 'Protocol of the endpoint: Anthropic Messages or OpenAI chat completions.',
    enum: ['anthropic', 'openai'],
    default: 'anthropic',
  },
  baseUrl: {
    type: 'string',
    description: `Address of the endpoint, such as http://127.0.0.1:11434; without a path, /v1 is added. Default with anthropic and a key: ${ANTHROPIC_URL}.`,
  },
  apiKey: {
    type: 'string',
    description: 'Key of the endpoint; local model servers often need none.',
    secret: true,
    env: 'ANTHROPIC_API_KEY',
  },
  model: { type: 'string', description: 'Id of the model for phases without one.' },
  ...TURN_SETTINGS,
  maxOutputTokens: {
    type: 'integer',
    description: 'Longest answer of the model, tokens.',
    default: 16_000,
  },
  contextWindow: {
    type: 'integer',
    description:
      'Context window of the model, tokens. When it is nearly full, old tool results are folded.',
    default: 200_000,
  },
  maxRetries: {
    type: 'integer',
    description: 'Retries of a request after a temporary failure (408, 429, 5xx, no connection).',
    default: 6,
  },
  maxTools: {
    type: 'integer',
    description: `Most tools that the endpoint takes; tools of external servers beyond it are left out with a line in the log. Default: ${MAX_TOOLS.openai} with openai, ${MAX_TOOLS.anthropic} with anthropic.`,
  },
} as const satisfies Record<string, PluginSetting>;

type Config = Readonly<Record<string, string | number | boolean>>;

const createBuiltinConfigError = (message: string): SvcError =>
  new SvcError('config-invalid', `plugins.installed.builtin.config: ${message}`);

function parseBaseUrl(baseUrl: string): string {
  if (!URL.canParse(baseUrl))
    throw createBuiltinConfigError('"baseUrl" is not a URL; use one like http://127.0.0.1:11434.');
  const url = new URL(baseUrl);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw createBuiltinConfigError('"baseUrl" must begin with http:// or https://.');
  // The address is logged and shown, so a password in it would be too.
  if (url.username !== '' || url.password !== '')
    throw createBuiltinConfigError(
      '"baseUrl" must contain no user name or password; use "apiKey".',
    );
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? '/v1' : path}`;
}

/**
 * The settings of a configuration that was checked against the manifest. Throws SvcError
 * `config-invalid`, which never quotes a secret.
 */
export function readBuiltinSettings(config: Config): BuiltinSettings {
  const text = (name: string): string => (typeof config[name] === 'string' ? config[name] : '');
  const count = (
    name: keyof TurnLimits | 'maxOutputTokens' | 'contextWindow' | 'maxRetries',
    least: number,
  ): number => {
    const value = config[name] ?? BUILTIN_SETTINGS[name].default;
    if (typeof value !== 'number' || value < least)
      throw createBuiltinConfigError(`"${name}" must be at least ${least}.`);
    return value;
  };
  const api = text('api') === 'openai' ? 'openai' : 'anthropic';
  const maxTools = config.maxTools ?? MAX_TOOLS[api];
  if (typeof maxTools !== 'number' || maxTools < 1)
    throw createBuiltinConfigError('"maxTools" must be at least 1.');
  const baseUrl =
    text('baseUrl') || (api === 'anthropic' && text('apiKey') !== '' ? ANTHROPIC_URL : '');
  return {
    api,
    baseUrl: baseUrl === '' ? null : parseBaseUrl(baseUrl),
    apiKey: text('apiKey'),
    model: text('model') || null,
    maxTurns: count('maxTurns', 1),
    maxRepeatedFailures: count('maxRepeatedFailures', 1),
    maxOutputTokens: count('maxOutputTokens', 1),
    contextWindow: count('contextWindow', 1_000),
    maxRetries: count('maxRetries', 0),
    maxTools,
  };
}
