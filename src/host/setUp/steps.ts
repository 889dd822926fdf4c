import { SET_UP_STEPS, type SetUpStepName } from '../../shared/settings/setUpSteps.ts';
import type { SetUpStep, SetUpView } from '../../contract/schema/runner/setUpSteps.ts';
import { decisionStep } from './decisionStep.ts';
import { forgeStep } from './forgeStep.ts';
import { modelStep } from './modelStep.ts';
import { describeCaps, proposeStarterBudgets } from './starterBudgets.ts';
import type { SetUpFacts, Step } from './step.ts';
import { trackerStep } from './trackerStep.ts';

const STEPS: Readonly<Record<SetUpStepName, Step>> = {
  llm: modelStep,
  scm: forgeStep,
  tracker: trackerStep,
  decision: decisionStep,
};

/** Steps whose being skipped is remembered; the decision layer is optional anyway. */
export const REMEMBERED = ['llm', 'scm', 'tracker'] as const;
export type Remembered = (typeof REMEMBERED)[number];

export const findStep = (name: SetUpStepName): Step => STEPS[name];

export const isRemembered = (name: SetUpStepName): name is Remembered =>
  REMEMBERED.some((one) => one === name);

function toStepView(facts: SetUpFacts, { name, title, saved, found, choices }: Step): SetUpStep {
  const kept = saved(facts);
  const { completedAt, skipped } = facts.config.setup;
  const isSkipped = isRemembered(name) ? skipped.includes(name) : completedAt !== undefined;
  const state = kept.length > 0 ? 'saved' : isSkipped ? 'skipped' : 'open';
  return { step: name, title, state, saved: kept, found: found(facts), choices: choices(facts) };
}

/** Every step as it is now. `restart`: keys that the runner applies at its next start. */
export const buildSetUpView = (facts: SetUpFacts, restart: readonly string[]): SetUpView => ({
  completedAt: facts.config.setup.completedAt ?? null,
  steps: SET_UP_STEPS.map((name) => toStepView(facts, STEPS[name])),
  repositories: Object.keys(facts.config.forges.local.repos),
  caps: describeCaps(facts.config.budgets),
  newCaps:
    facts.config.setup.completedAt === undefined &&
    proposeStarterBudgets(facts.config.budgets).length > 0,
  restart: [...restart],
});
