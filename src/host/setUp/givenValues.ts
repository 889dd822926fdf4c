import { SvcError } from '../../base/errors/errors.ts';
import type { PluginSetting } from '../../contract/schema/runner/plugin.ts';
import type { SetUpChoice, SetUpValue } from '../../contract/schema/runner/setUpSteps.ts';
import { type ChosenValue, toChosenValue } from './chosenValues.ts';
import type { Answer, SetUpFacts } from './step.ts';

const isGivenValue = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '';

export function toSetUpValue(
  facts: SetUpFacts,
  plugin: string,
  [name, setting]: readonly [string, PluginSetting],
  isAsked: boolean,
): SetUpValue {
  const { env } = setting;
  const saved = isGivenValue(facts.config.plugins.installed[plugin]?.config?.[name]);
  return {
    name,
    says: setting.description.replace(/\.$/, ''),
    secret: setting.secret === true,
    required: setting.required === true,
    proposed: null,
    env: env !== undefined && isGivenValue(facts.hostEnv[env]?.trim()) ? env : null,
    saved,
    asked: isAsked,
  };
}

/** Throws SvcError `bad-argument` for a choice, or a value of it, that the step does not have. */
export function findSetUpChoice(
  choices: readonly SetUpChoice[],
  { choice, values }: Answer,
): SetUpChoice {
  const givenChoice = choices.find(({ id }) => id === choice);
  if (!givenChoice) {
    const choiceList = choices.map(({ id }) => id).join(', ');
    throw new SvcError(
      'bad-argument',
      `Unknown choice ${JSON.stringify(choice)}. Choose one of: ${choiceList}.`,
    );
  }
  const unknown = Object.keys(values).find(
    (name) => !givenChoice.values.some((one) => one.name === name),
  );
  if (unknown === undefined) return givenChoice;
  const names = givenChoice.values.map(({ name }) => name).join(', ');
  throw new SvcError(
    'bad-argument',
    `${choice} has no value ${unknown}.${names === '' ? '' : ` It has ${names}.`}`,
  );
}

/**
 * The values of an answer at their places: what was given, else what the environment holds or was
 * proposed where nothing is saved. Throws SvcError `bad-argument` for a required one that is missing.
 */
export function collectGivenValues(
  { id, values }: SetUpChoice,
  givenTexts: Answer['values'],
  { hostEnv }: SetUpFacts,
  findPlace: (name: string) => readonly string[],
): ChosenValue[] {
  return values.flatMap((value): ChosenValue[] => {
    const { name, secret, required, proposed, env, saved } = value;
    const typedText = givenTexts[name]?.trim() ?? '';
    const one = { ...toChosenValue(findPlace(name), typedText), secret };
    if (typedText !== '') return [one];
    if (saved) return [];
    const heldValue = env === null ? undefined : hostEnv[env]?.trim();
    if (env !== null && heldValue) return [{ ...one, value: heldValue, from: env }];
    if (proposed !== null) return [{ ...one, value: proposed }];
    if (required) throw new SvcError('bad-argument', `${id} needs ${name}: ${value.says}.`);
    return [];
  });
}
