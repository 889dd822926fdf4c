import { parseKeyPath } from '../../src/host/config/file/mergePatch.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { type ChosenValue, toChosenValue } from '../../src/host/setUp/chosenValues.ts';
import { MODEL_SETTINGS, toModelSettingKey } from '../../src/host/setUp/modelSettings.ts';
import { modelStep, UNCHOSEN } from '../../src/host/setUp/modelStep.ts';
import type { SetUpFacts } from '../../src/host/setUp/step.ts';
import type { SetUpChoice } from '../../src/contract/schema/runner/setUpSteps.ts';
import type { Io } from '../io.ts';
import { buildBuiltinAnswer } from './buildBuiltinAnswer.ts';
import type { AgentAnswer, GivenModel } from './modelFlags.ts';

/** Executor of a key, a model or an address that comes without one. */
const BY_ITSELF = 'builtin';

/** A key alone, where an executor is chosen already. Throws SvcError `bad-argument`. */
function answerWithKeyAlone(apiKey: string, executor: string): ChosenValue[] {
  const key = toModelSettingKey(executor, 'apiKey');
  if (key !== undefined)
    return [
      toChosenValue(['llm', 'defaultProvider'], executor),
      { ...toChosenValue(parseKeyPath(key), apiKey), secret: true },
    ];
  throw new SvcError(
    'bad-argument',
    `--api-key: llm.defaultProvider is ${executor}, and svc does not know which of its settings holds a key. Write it with: svc config set plugins.installed.${executor.split(':')[0]}.config.<setting> - < file`,
  );
}

function listFlags(id: string): Record<string, string> {
  const settings = MODEL_SETTINGS[id];
  return settings === undefined
    ? {}
    : {
        [settings.model]: '--model <model>',
        [settings.baseUrl]: '--base-url <url>',
        [settings.apiKey]: '--api-key - < key.txt',
      };
}

/** Throws SvcError `bad-argument` for what the agent needs and no flag gives. */
function checkChoiceComplete({ id, values, saves }: SetUpChoice): void {
  const missing = values.filter(
    ({ required, saved, env, proposed }) => required && !saved && env === null && proposed === null,
  );
  if (missing.length === 0) return;
  const flags = listFlags(id);
  const ways = missing.map(({ name }) => {
    const key = saves.find((one) => one.endsWith(`.${name}`)) ?? name;
    const flag = flags[name];
    return flag === undefined
      ? `svc config set ${key} <${name}>`
      : `${flag} (it is saved as ${key})`;
  });
  const missingFlags = missing.map(({ name }) => flags[name]?.split(' ', 1)[0] ?? name);
  throw new SvcError(
    'bad-argument',
    `--agent ${id} needs ${missingFlags.join(', ')}. Give: ${ways.join('; ')}`,
  );
}

/** The facts as they are once these settings are written; no key goes to an address of its own. */
function mergeGivenSettings(
  facts: SetUpFacts,
  plugin: string,
  givenSettings: Readonly<Record<string, string>>,
  isElsewhere: boolean,
): SetUpFacts {
  const { settings, hostEnv } = facts;
  const present = settings.plugins[plugin] ?? {};
  const plugins = {
    ...settings.plugins,
    [plugin]: { ...present, config: { ...present.config, ...givenSettings } },
  };
  const env = isElsewhere ? { PATH: hostEnv.PATH } : hostEnv;
  return { ...facts, settings: { ...settings, plugins }, hostEnv: env };
}

/** An executor other than svc's own, as the flags set it up. Throws SvcError `bad-argument`. */
function answerWithOtherExecutor(
  facts: SetUpFacts,
  executor: string,
  { agent, apiKey, model, baseUrl, useLogin = false }: GivenModel,
): AgentAnswer {
  const isNamed = agent !== null;
  const settings = MODEL_SETTINGS[executor];
  const [plugin = executor] = executor.split(':', 1);
  if (settings === undefined && (model !== null || baseUrl !== null))
    throw new SvcError(
      'bad-argument',
      `${model === null ? '--base-url' : '--model'}: svc does not know which setting of ${executor} holds it. Write it with: svc config set plugins.installed.${plugin}.config.<setting> <value>`,
    );
  const givenSettings = Object.fromEntries(
    [
      [settings?.model, model],
      [settings?.baseUrl, baseUrl],
    ].flatMap(([name, value]) => (name && value ? [[name, value]] : [])),
  );
  const own = mergeGivenSettings(facts, plugin, givenSettings, baseUrl !== null);
  const choices = modelStep.choices(own);
  const choice = choices.find(({ id }) => id === executor);
  if (choice) checkChoiceComplete(choice);
  else if (isNamed)
    throw new SvcError(
      'bad-argument',
      `--agent ${executor} is not known. Known: ${choices.map(({ id }) => id).join(', ')}. Others are plugins: svc plugin install <package>.`,
    );
  const key = apiKey === null || settings === undefined ? {} : { [settings.apiKey]: apiKey };
  return {
    values: [
      ...modelStep.values(own, { choice: executor, values: key, useLogin }),
      ...Object.entries(givenSettings).map(([name, value]) =>
        toChosenValue(['plugins', 'installed', plugin, 'config', name], value),
      ),
    ],
    notes: [],
    install: choice?.install ?? null,
  };
}

/**
 * The agent that Enter takes at a terminal, if it needs no installation, no question and no key;
 * null = none.
 */
export function proposeAgent(facts: SetUpFacts): SetUpChoice | null {
  const [first] = modelStep.choices(facts);
  const isOpen = ({
    secret,
    required,
    asked,
    proposed,
    saved,
    env,
  }: SetUpChoice['values'][number]) =>
    !saved && proposed === null && (required || asked || (secret && env !== null));
  const isReady = first?.found && first.install === null && !first.values.some(isOpen);
  return first && isReady ? first : null;
}

/** What the flags of the model write. Throws SvcError `bad-argument`, `config-invalid`. */
export async function buildAgentAnswer(
  facts: SetUpFacts,
  givenModel: GivenModel,
  io: Pick<Io, 'fetch'>,
): Promise<AgentAnswer> {
  const { agent, apiKey, model, baseUrl } = givenModel;
  const present = facts.config.llm.defaultProvider;
  const executor = agent ?? (present === UNCHOSEN ? BY_ITSELF : present);
  const isKeyAlone = agent === null && model === null && baseUrl === null;
  if (isKeyAlone)
    return {
      values: apiKey === null ? [] : answerWithKeyAlone(apiKey, executor),
      notes: [],
      install: null,
    };
  if (executor === 'builtin' && givenModel.useLogin)
    throw new SvcError('bad-argument', '--login-from-cli needs --agent claude or acp:codex.');
  return executor === 'builtin'
    ? buildBuiltinAnswer(facts, givenModel, io)
    : answerWithOtherExecutor(facts, executor, givenModel);
}
