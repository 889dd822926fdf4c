import { SvcError } from '../../src/base/errors/errors.ts';
import { askEndpoint } from '../../src/plugins/setUp/askEndpoint.ts';
import { type ChosenValue, toChosenValue } from '../../src/host/setUp/chosenValues.ts';
import type { SetUpFacts } from '../../src/host/setUp/step.ts';
import type { Io } from '../io.ts';
import type { AgentAnswer, GivenModel } from './modelFlags.ts';

const MAX_NAMED = 10;

/** Variables of vendors' keys, by the host that a key is for: it goes to no other. */
const KEY_VARIABLES: Readonly<Record<string, string>> = {
  'api.anthropic.com': 'ANTHROPIC_API_KEY',
  'api.openai.com': 'OPENAI_API_KEY',
};

const ANTHROPIC = 'https://api.anthropic.com';

interface ModelEndpoint {
  api: 'anthropic' | 'openai';
  /** null = that of the API itself. */
  baseUrl: string | null;
  /** Model of the place where no flag names one; null = none is known. */
  model: string | null;
  /** A key that is saved for this place; empty = none. */
  savedKey: string;
}

/** What is known of this machine and of svc's own agent, as far as its answer needs it. */
export interface BuiltinFacts extends Pick<SetUpFacts, 'endpoints' | 'hostEnv'> {
  config: {
    plugins: {
      installed: Readonly<
        Record<string, { enabled?: boolean; config?: Readonly<Record<string, unknown>> }>
      >;
    };
  };
}

const trimToText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** The endpoint rather than one of its operations, which people copy from a vendor's page. */
const toBaseEndpoint = (address: string): string =>
  address.trim().replace(/\/(chat\/completions|completions|messages|models)\/?$/, '');

const toOriginOrText = (address: string): string =>
  URL.canParse(address) ? new URL(address).origin : address;

/** Throws SvcError `bad-argument`, in the name of the flag, for what is not an address of an endpoint. */
function checkAddress(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isWeb = url !== null && (url.protocol === 'http:' || url.protocol === 'https:');
  if (isWeb && url.username === '' && url.password === '') return;
  throw new SvcError(
    'bad-argument',
    isWeb
      ? '--base-url must not hold a user name or password. Give the key with --api-key -.'
      : `--base-url is ${JSON.stringify(address)}, but must be an address such as http://127.0.0.1:11434/v1. It is saved as plugins.installed.builtin.config.baseUrl.`,
  );
}

function resolveFlagEndpoint(
  address: string,
  savedEndpoint: ModelEndpoint & { baseUrl: string | null },
): ModelEndpoint {
  checkAddress(address);
  const baseUrl = toBaseEndpoint(address);
  const isSame = savedEndpoint.baseUrl !== null && savedEndpoint.baseUrl === baseUrl;
  if (isSame) return savedEndpoint;
  const isAnthropic =
    URL.canParse(baseUrl) && /(^|\.)anthropic\.com$/.test(new URL(baseUrl).hostname);
  const isSameHost =
    savedEndpoint.baseUrl !== null &&
    toOriginOrText(savedEndpoint.baseUrl) === toOriginOrText(baseUrl);
  return {
    api: isAnthropic ? 'anthropic' : 'openai',
    baseUrl,
    model: null,
    savedKey: isSameHost ? savedEndpoint.savedKey : '',
  };
}

/** Throws SvcError `bad-argument` where nothing says where a model is. */
function resolveModelEndpoint(facts: BuiltinFacts, { apiKey, baseUrl }: GivenModel): ModelEndpoint {
  const config = facts.config.plugins.installed.builtin?.config ?? {};
  const savedEndpoint: ModelEndpoint = {
    api: config.api === 'openai' ? 'openai' : 'anthropic',
    baseUrl: trimToText(config.baseUrl) || null,
    model: trimToText(config.model) || null,
    savedKey: trimToText(config.apiKey),
  };
  if (baseUrl !== null) return resolveFlagEndpoint(baseUrl, savedEndpoint);
  const isSaved =
    savedEndpoint.baseUrl !== null ||
    (savedEndpoint.api === 'anthropic' && savedEndpoint.savedKey !== '');
  if (isSaved) return savedEndpoint;
  const anthropic: ModelEndpoint = {
    api: 'anthropic',
    baseUrl: null,
    model: savedEndpoint.model,
    savedKey: '',
  };
  if (apiKey !== null) return anthropic;
  const [endpoint] = facts.endpoints;
  if (endpoint)
    return { api: 'openai', baseUrl: endpoint.url, model: endpoint.model, savedKey: '' };
  if (facts.hostEnv.ANTHROPIC_API_KEY?.trim()) return anthropic;
  throw new SvcError(
    'bad-argument',
    '--agent builtin needs an endpoint: no model server answers on this machine. Give its address, as in: svc init --agent builtin --base-url http://127.0.0.1:11434/v1 --model <model>. For the API of Anthropic, give --api-key - and the key on standard input.',
  );
}

const formatModelNames = (models: readonly string[]): string =>
  `${models.slice(0, MAX_NAMED).join(', ')}${models.length > MAX_NAMED ? `, and ${models.length - MAX_NAMED} more` : ''}`;

/** Ollama calls `qwen3` what it lists as `qwen3:latest`. */
const isListedModel = (models: readonly string[], model: string): boolean =>
  models.includes(model) || models.includes(`${model}:latest`);

/** Where the key comes from; `value` null = no key is known. */
interface FoundKey {
  value: string | null;
  /** Environment variable; null = it was given or is saved. */
  from: string | null;
}

function findModelKey(
  { hostEnv }: BuiltinFacts,
  { baseUrl, savedKey }: ModelEndpoint,
  givenKey: string | null,
): FoundKey {
  if (givenKey !== null) return { value: givenKey, from: null };
  if (savedKey !== '') return { value: savedKey, from: null };
  const host = URL.canParse(baseUrl ?? ANTHROPIC) ? new URL(baseUrl ?? ANTHROPIC).hostname : '';
  const variable = KEY_VARIABLES[host];
  const heldKey = variable === undefined ? '' : trimToText(hostEnv[variable]);
  return variable === undefined || heldKey === ''
    ? { value: null, from: null }
    : { value: heldKey, from: variable };
}

/** The model to use, and what to say of it. Throws SvcError `bad-argument`, `config-invalid`. */
async function chooseModel(
  place: ModelEndpoint,
  givenModel: string | null,
  apiKey: string,
  fetch: Io['fetch'],
): Promise<{ model: string; notes: string[] }> {
  const address = place.baseUrl ?? ANTHROPIC;
  const { models, problem } = await askEndpoint({
    api: place.api,
    baseUrl: address,
    apiKey,
    fetch,
  });
  const model = givenModel ?? place.model;
  if (model !== null) {
    if (problem !== null)
      return {
        model,
        notes: [`${problem.replace(/\.?$/, '.')} The settings are written as given.`],
      };
    const isUnknown = models.length > 0 && !isListedModel(models, model);
    const note = `${address} does not list a model ${model}. It lists: ${formatModelNames(models)}.`;
    return { model, notes: isUnknown ? [note] : [] };
  }
  const [only, ...others] = models;
  if (only !== undefined && others.length === 0)
    return { model: only, notes: [`${only} is the one model at ${address}.`] };
  const why =
    problem ??
    (models.length === 0
      ? `${address} lists no model.`
      : `${address} lists: ${formatModelNames(models)}.`);
  throw new SvcError('bad-argument', `--agent builtin needs --model <model>. ${why}`);
}

/**
 * svc's own agent, as the flags and this machine set it up; asks the endpoint which models it has.
 * A key of one place is never kept for another. Throws SvcError `bad-argument`, `config-invalid`.
 */
export async function buildBuiltinAnswer(
  facts: BuiltinFacts,
  givenModel: GivenModel,
  io: Pick<Io, 'fetch'>,
): Promise<AgentAnswer> {
  const place = resolveModelEndpoint(facts, givenModel);
  const key = findModelKey(facts, place, givenModel.apiKey);
  const { model, notes } = await chooseModel(place, givenModel.model, key.value ?? '', io.fetch);
  const { enabled, config = {} } = facts.config.plugins.installed.builtin ?? {};
  const at = (name: string): string[] => ['plugins', 'installed', 'builtin', 'config', name];
  const isOtherKey = trimToText(config.apiKey) !== '' && key.value === null;
  const values: ChosenValue[] = [
    toChosenValue(['llm', 'defaultProvider'], 'builtin'),
    ...(enabled === false
      ? [toChosenValue(['plugins', 'installed', 'builtin', 'enabled'], true)]
      : []),
    ...(place.api === 'openai' || config.api !== undefined
      ? [toChosenValue(at('api'), place.api)]
      : []),
    ...(place.baseUrl === null ? [] : [toChosenValue(at('baseUrl'), place.baseUrl)]),
    toChosenValue(at('model'), model),
    ...(key.value === null && !isOtherKey
      ? []
      : [{ ...toChosenValue(at('apiKey'), key.value), secret: true, from: key.from }]),
  ];
  const removalNotes = isOtherKey
    ? ['The saved key was for another address and was removed. Give one with --api-key -.']
    : [];
  return { values, notes: [...notes, ...removalNotes], install: null };
}
