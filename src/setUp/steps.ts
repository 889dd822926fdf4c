import { SET_UP_STEPS, type SetUpStepName } from '../domain/setUpSteps.ts';
import type { SetUpStep, SetUpView } from '../schema/setUpSteps.ts';
import { decisionStep } from './decisionStep.ts';
import { hostStep } from './hostStep.ts';
import { modelStep } from './modelStep.ts';
import { capsText, starterBudgets } from './starterBudgets.ts';
import type { SetUpFacts, Step } from './step.ts';
import { trackerStep } from './trackerStep.ts';

const STEPS: Readonly<Record<SetUpStepName, Step>> = {
  llm: modelStep,
  scm: hostStep,
  tracker: trackerStep,
  decision: decisionStep,
};

/** Steps whose being skipped is remembered; the decision layer is optional anyway. */
export const REMEMBERED = ['llm', 'scm', 'tracker'] as const;
export type Remembered = (typeof REMEMBERED)[number];

export const stepNamed = (name: SetUpStepName): Step => STEPS[name];

export const isRemembered = (name: SetUpStepName): name is Remembered =>
  REMEMBERED.some((one) => one === name);

function stepView(facts: SetUpFacts, { name, title, saved, found, choices }: Step): SetUpStep {
  const kept = saved(facts);
  const { completedAt, skipped } = facts.config.setup;
  const isSkipped = isRemembered(name) ? skipped.includes(name) : completedAt !== undefined;
  const state = kept.length > 0 ? 'saved' : isSkipped ? 'skipped' : 'open';
  return { step: name, title, state, saved: kept, found: found(facts), choices: choices(facts) };
}

/** Every step as it is now. `restart`: keys that the runner takes up at its next start. */
export const viewOf = (facts: SetUpFacts, restart: readonly string[]): SetUpView => ({
  completedAt: facts.config.setup.completedAt ?? null,
  steps: SET_UP_STEPS.map((name) => stepView(facts, STEPS[name])),
  repositories: Object.keys(facts.config.forges.local.repos),
  caps: capsText(facts.config.budgets),
  newCaps:
    facts.config.setup.completedAt === undefined && starterBudgets(facts.config.budgets).length > 0,
  restart: [...restart],
});
