import { DECISION_VARIABLES } from '../config/env.ts';
import type { SetUpChoice } from '../schema/setUpSteps.ts';
import { type Chosen, chosen } from './chosen.ts';
import { choiceOf, givenValues } from './given.ts';
import type { SetUpFacts, Step } from './step.ts';

/** The variable of svc that holds the value of a key now; null = none does. */
const variableOf = ({ hostEnv }: SetUpFacts, key: string): string | null =>
  DECISION_VARIABLES.findLast(([of, name]) => of === key && hostEnv[name]?.trim())?.[1] ?? null;

const hasKey = ({ config }: SetUpFacts): boolean => (config.decision.apiKey ?? '') !== '';

const choices = (facts: SetUpFacts): SetUpChoice[] => {
  const { provider } = facts.config.decision;
  return [
    {
      id: provider,
      title: `Rates finished phases with ${provider}; at first it only observes`,
      current: hasKey(facts),
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
          saved: hasKey(facts),
          asked: true,
        },
      ],
      saves: ['decision.apiKey', 'decision.mode'],
      tokenFrom: null,
    },
  ];
};

export const decisionStep: Step = {
  name: 'decision',
  title: 'Decision layer',
  saved(facts) {
    const variable = variableOf(facts, 'decision.apiKey');
    if (hasKey(facts)) return ['A key of the decision provider is saved.'];
    return variable === null ? [] : [`The key of the decision provider is in ${variable}.`];
  },
  found: () => [],
  choices,
  values(facts, answer) {
    const choice = choiceOf(choices(facts), answer);
    const given = givenValues(choice, answer.values, facts, (name) => ['decision', name]);
    const isSet =
      facts.config.decision.mode !== undefined || variableOf(facts, 'decision.mode') !== null;
    const mode: Chosen[] =
      given.length === 0 || isSet ? [] : [chosen(['decision', 'mode'], 'shadow')];
    return [...given, ...mode];
  },
};
