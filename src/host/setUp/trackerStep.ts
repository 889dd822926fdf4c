import { REMOTE_TRACKER_SETTINGS } from '../../providers/rest/trackerPlugin.ts';
import type { PluginManifest } from '../../contract/schema/runner/plugin.ts';
import type { SetUpChoice } from '../../contract/schema/runner/setUpSteps.ts';
import { toChosenValue } from './chosenValues.ts';
import { findSetUpChoice, collectGivenValues, toSetUpValue } from './givenValues.ts';
import type { SetUpFacts, Step } from './step.ts';

/** Asked although a tracker works without: Jira Cloud needs it. */
const ALSO_ASKED = ['username'];

const listTrackerManifests = ({ manifests }: SetUpFacts): PluginManifest[] =>
  manifests.filter(({ kind }) => kind === 'tracker');

function createTrackerChoice(
  facts: SetUpFacts,
  { id, title, settings = {} }: PluginManifest,
): SetUpChoice {
  const own = Object.entries(settings).filter(
    ([name, { type }]) => type === 'string' && !Object.hasOwn(REMOTE_TRACKER_SETTINGS, name),
  );
  const values = own.map(([name, setting]) => {
    const isAsked = setting.required === true || ALSO_ASKED.includes(name);
    const value = toSetUpValue(facts, id, [name, setting], isAsked);
    return { ...value, asked: isAsked && !value.saved && value.env === null };
  });
  const variable = values.find(({ secret, env }) => secret && env !== null)?.env;
  return {
    id,
    title,
    current: facts.config.plugins.installed[id] !== undefined,
    found: variable ? `a key in ${variable}` : null,
    install: null,
    values,
    saves:
      values.length === 0
        ? [`plugins.installed.${id}.enabled`]
        : values.map(({ name }) => `plugins.installed.${id}.config.${name}`),
    tokenFrom: null,
    loginIn: null,
  };
}

const listTrackerChoices = (facts: SetUpFacts): SetUpChoice[] =>
  listTrackerManifests(facts)
    .map((manifest) => createTrackerChoice(facts, manifest))
    .sort((a, b) => Number(a.found === null) - Number(b.found === null));

export const trackerStep: Step = {
  name: 'tracker',
  title: 'Issue tracker',
  describeSaved: (facts) =>
    listTrackerManifests(facts)
      .filter(({ id }) => facts.config.plugins.installed[id])
      .map(({ id }) => `${id} is configured.`),
  found: (facts) =>
    listTrackerChoices(facts).flatMap(({ id, found }) =>
      found === null ? [] : `${found} for ${id}`,
    ),
  choices: listTrackerChoices,
  values(facts, answer) {
    const choice = findSetUpChoice(listTrackerChoices(facts), answer);
    const place = ['plugins', 'installed', choice.id];
    const givenValues = collectGivenValues(choice, answer.values, facts, (name) => [
      ...place,
      'config',
      name,
    ]);
    const entry = facts.config.plugins.installed[choice.id];
    const enables = entry?.enabled === false || (entry === undefined && givenValues.length === 0);
    return enables ? [toChosenValue([...place, 'enabled'], true), ...givenValues] : givenValues;
  },
};
