import { dirname, isAbsolute } from 'node:path';
import { SvcError } from '../../base/errors/errors.ts';
import { parseKeyPath } from '../config/file/mergePatch.ts';
import { type SetUp, listSetUpsHere } from '../../plugins/setUp/agentSetUp.ts';
import type { SetUpChoice, SetUpValue } from '../../contract/schema/runner/setUpSteps.ts';
import { type ChosenValue, toChosenValue } from './chosenValues.ts';
import { findSetUpChoice, collectGivenValues } from './givenValues.ts';
import { LOGIN_PROGRAMS, MODEL_SETTINGS, toModelSettingKey } from './modelSettings.ts';
import { formatProgramLine } from './programs.ts';
import type { Answer, SetUpFacts, Step } from './step.ts';

/** Executor of a configuration that has chosen none: a program of its own for each agent. */
export const UNCHOSEN = 'command';

/** What people may change of the built-in agent once it is set. */
const BUILTIN_SETTINGS = ['baseUrl', 'model'].map(
  (name) => `plugins.installed.builtin.config.${name}`,
);
const ADDRESS = 'plugins.installed.builtin.config.baseUrl';
const PROTOCOL = 'plugins.installed.builtin.config.api';

const AGENTS = ['claude', 'opencode', 'codex', 'gemini'];
/** Keys of models that agents take from the environment. */
const KEY_VARIABLES = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY'];

const takeLastKey = (key: string): string => key.split('.').at(-1) ?? key;
const isOpenPlaceholder = (value: string): boolean => /^<[a-z]+>$/.test(value);
const isHere = (address: string | undefined): boolean =>
  address?.startsWith('http://127.0.0.1:') ?? false;

function collectSetUpKeys({ provider, set, secret }: SetUp): Map<string, string | null> {
  const places = new Map<string, string | null>();
  for (const [key, value] of set) places.set(key, isOpenPlaceholder(value) ? null : value);
  const own = [
    ...(provider === 'builtin' ? BUILTIN_SETTINGS : []),
    toModelSettingKey(provider, 'apiKey'),
  ];
  for (const key of [...own, secret?.key])
    if (key !== undefined && !places.has(key)) places.set(key, null);
  return places;
}

/** Folder of the login of the executor's own program; null = none was seen in a file. */
function findLoginFolder({ programs }: SetUpFacts, provider: string): string | null {
  const own = programs.find(({ name }) => name === LOGIN_PROGRAMS[provider]);
  return own?.login && isAbsolute(own.login) ? dirname(own.login) : null;
}

function createModelChoice(facts: SetUpFacts, setUp: SetUp): SetUpChoice {
  const { provider, found, install, set, secret } = setUp;
  const [plugin = provider] = provider.split(':', 1);
  const manifest = facts.manifests.find(({ id }) => id === plugin);
  const { address } = Object.fromEntries(
    set.filter(([key]) => key === ADDRESS).map(([, value]) => ['address', value]),
  );
  const values = [...collectSetUpKeys(setUp)].map(([key, proposed]): SetUpValue => {
    const name = takeLastKey(key);
    const setting = manifest?.settings?.[name];
    const storedValue = facts.config.plugins.installed[plugin]?.config?.[name];
    const isSecret = setting?.secret === true || key === toModelSettingKey(provider, 'apiKey');
    const open = set.some(([one, value]) => one === key && isOpenPlaceholder(value));
    const env = isSecret && secret?.key === key ? secret.env : null;
    const saved = storedValue !== undefined && storedValue !== '';
    return {
      name,
      says:
        key === ADDRESS && open
          ? 'Address of the model; empty = that of Anthropic'
          : `${isSecret ? 'API key' : name} of ${provider}`,
      secret: isSecret,
      required: open && key !== ADDRESS,
      proposed,
      env,
      saved,
      asked: !saved && (open || (isSecret && env === null && !isHere(address))),
    };
  });
  const login = toModelSettingKey(provider, 'login');
  const saves = [
    'llm.defaultProvider',
    ...collectSetUpKeys(setUp).keys(),
    ...(login === undefined ? [] : [login]),
  ];
  const loginIn = findLoginFolder(facts, provider);
  const variant = provider.split(':')[1];
  const title =
    variant === undefined
      ? (manifest?.title ?? provider)
      : `${variant}, by the Agent Client Protocol`;
  const current = facts.config.llm.defaultProvider === provider;
  return { id: provider, title, current, found, install, values, saves, tokenFrom: null, loginIn };
}

const listModelSetUps = ({ settings, hostEnv, endpoints }: SetUpFacts): SetUp[] =>
  listSetUpsHere({ home: settings.home, plugins: settings.plugins, hostEnv }, endpoints);

const listModelChoices = (facts: SetUpFacts): SetUpChoice[] =>
  listModelSetUps(facts).map((setUp) => createModelChoice(facts, setUp));

/** Whether the answer names an address of its own, for which a key of the environment is not. */
const isElsewhere = ({ id }: SetUpChoice, { values: givenTexts }: Answer): boolean =>
  (givenTexts[MODEL_SETTINGS[id]?.baseUrl ?? '']?.trim() ?? '') !== '';

/** The choice without what the environment holds: the key of one vendor is not sent to another. */
const dropEnvironmentKeys = (choice: SetUpChoice): SetUpChoice => ({
  ...choice,
  values: choice.values.map((value) => (value.secret ? { ...value, env: null } : value)),
});

/** Throws SvcError `bad-argument` where no login was found, or the agent cannot use one. */
function chooseLogin({ id, loginIn }: SetUpChoice): ChosenValue[] {
  const key = toModelSettingKey(id, 'login');
  if (key !== undefined && loginIn !== null) return [toChosenValue(parseKeyPath(key), loginIn)];
  throw new SvcError(
    'bad-argument',
    key === undefined
      ? `${id} cannot use a login of its program. Give an API key.`
      : `No login for ${id} was found on this machine. Log in with ${LOGIN_PROGRAMS[id]}, or give an API key.`,
  );
}

function collectModelValues(facts: SetUpFacts, answer: Answer): ChosenValue[] {
  const all = listModelSetUps(facts);
  const choice = findSetUpChoice(
    all.map((setUp) => createModelChoice(facts, setUp)),
    answer,
  );
  const setUp = all.find(({ provider }) => provider === choice.id);
  const keys = setUp ? [...collectSetUpKeys(setUp).keys()] : [];
  const findKeyPath = (name: string): string[] =>
    parseKeyPath(keys.find((key) => takeLastKey(key) === name) ?? name);
  const givenValues = collectGivenValues(
    isElsewhere(choice, answer) || answer.useLogin ? dropEnvironmentKeys(choice) : choice,
    answer.values,
    facts,
    findKeyPath,
  );
  const has = (key: string): boolean => givenValues.some(({ path }) => path.join('.') === key);
  // Without an address it is Anthropic's own, which has its own protocol.
  const isAnthropic = setUp?.set.some(([key]) => key === ADDRESS) && !has(ADDRESS);
  const keptValues = givenValues.filter(
    ({ path }) => !(isAnthropic && path.join('.') === PROTOCOL),
  );
  const [plugin = choice.id] = choice.id.split(':', 1);
  const enablingValues =
    facts.config.plugins.installed[plugin]?.enabled === false
      ? [toChosenValue(['plugins', 'installed', plugin, 'enabled'], true)]
      : [];
  const login = answer.useLogin ? chooseLogin(choice) : [];
  return [
    toChosenValue(['llm', 'defaultProvider'], choice.id),
    ...enablingValues,
    ...keptValues,
    ...login,
  ];
}

/** Model and address of an executor, as far as they are set: ` (qwen3 at http://127.0.0.1:11434)`. */
function formatModelText({ llm, plugins }: SetUpFacts['config']): string {
  const settings = MODEL_SETTINGS[llm.defaultProvider];
  if (settings === undefined) return '';
  const config = plugins.installed[settings.plugin]?.config ?? {};
  const [name, address] = [config[settings.model], config[settings.baseUrl]];
  const at =
    typeof address === 'string' && URL.canParse(address) ? `at ${new URL(address).origin}` : '';
  const text = [typeof name === 'string' ? name : '', at].filter((part) => part !== '').join(' ');
  return text === '' ? '' : ` (${text})`;
}

export const modelStep: Step = {
  name: 'llm',
  title: 'Model',
  describeSaved: ({ config }) =>
    config.llm.defaultProvider === UNCHOSEN
      ? []
      : [
          `Phases run on ${config.llm.defaultProvider}${formatModelText(config)} unless they name another executor.`,
        ],
  found: ({ programs, endpoints, hostEnv }) => [
    ...programs.filter(({ name }) => AGENTS.includes(name)).map(formatProgramLine),
    ...endpoints.map(({ name, url, model }) => `${name} at ${url} with ${model}`),
    ...KEY_VARIABLES.filter((name) => hostEnv[name]).map((name) => `a key in ${name}`),
  ],
  choices: listModelChoices,
  values: collectModelValues,
};
