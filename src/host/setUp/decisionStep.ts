import { DECISION_VARIABLES } from '../config/home/env.ts';
import type { SetUpChoice } from '../../contract/schema/runner/setUpSteps.ts';
import { type ChosenValue, toChosenValue } from './chosenValues.ts';
import { findSetUpChoice, collectGivenValues } from './givenValues.ts';
import type { SetUpFacts, Step } from './step.ts';

/** The variable of svc that holds the value of a key now; null = none does. */
const findDecisionVariable = ({ hostEnv }: SetUpFacts, key: string): string | null =>
  DECISION_VARIABLES.findLast(([of, name]) => of === key && hostEnv[name]?.trim())?.[1] ?? null;

const hasSavedDecisionKey = ({ config }: SetUpFacts): boolean =>
  (config.decision.apiKey ?? '') !== '';

const listDecisionChoices = (facts: SetUpFacts): SetUpChoice[] => {
  const { provider } = facts.config.decision;
  return [
    {
      id: provider,
      title: `Rates finished phases with ${provider}; at first it only observes`,
      current: hasSavedDecisionKey(facts),
      found: null,
      install: null,
      values: [
        {
          name: 'apiKey',
          says: `API key of ${provider}`,
          secret: true,
          required: true,
          proposed: null,
          // What the environment holds is used from there, and is not copied.
          env: null,
          saved: hasSavedDecisionKey(facts),
          asked: true,
        },
      ],
      saves: ['decision.apiKey', 'decision.mode'],
      tokenFrom: null,
      loginIn: null,
    },
  ];
};

export const decisionStep: Step = {
  name: 'decision',
  title: 'Decision layer',
  describeSaved(facts) {
    const variable = findDecisionVariable(facts, 'decision.apiKey');
    if (hasSavedDecisionKey(facts)) return ['A key of the decision provider is saved.'];
    return variable === null ? [] : [`The key of the decision provider is in ${variable}.`];
  },
  found: () => [],
  choices: listDecisionChoices,
  values(facts, answer) {
    const choice = findSetUpChoice(listDecisionChoices(facts), answer);
    const givenValues = collectGivenValues(choice, answer.values, facts, (name) => [
      'decision',
      name,
    ]);
    const isSet =
      facts.config.decision.mode !== undefined ||
      findDecisionVariable(facts, 'decision.mode') !== null;
    const mode: ChosenValue[] =
      givenValues.length === 0 || isSet ? [] : [toChosenValue(['decision', 'mode'], 'shadow')];
    return [...givenValues, ...mode];
  },
};
