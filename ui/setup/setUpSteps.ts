import type { SetUpChoice, SetUpStep, SetUpView } from '../../src/schema/setUpSteps.ts';
import { BUILT_IN_EXECUTORS } from '../../src/domain/builtInPlugins.ts';
import { hashOf } from '../shell/router.ts';

/** The last step, which the configuration knows nothing of. */
export const FIRST_JOB = 'first-job';

/** Where a step is; the steps are part of the address, so that a reload stays at one. */
export const stepHash = (step: string): string => hashOf(['setup'], { step });

/** The step that is shown: the one of the address, else the first that is open. */
export function shownStep({ steps }: Pick<SetUpView, 'steps'>, named: string | undefined): string {
  const known = steps.find(({ step }) => step === named)?.step;
  if (named === FIRST_JOB) return FIRST_JOB;
  return known ?? steps.find(({ state }) => state === 'open')?.step ?? FIRST_JOB;
}

/** The step after one. */
export function nextStep({ steps }: Pick<SetUpView, 'steps'>, step: string): string {
  const at = steps.findIndex((one) => one.step === step);
  return at === -1 ? FIRST_JOB : (steps[at + 1]?.step ?? FIRST_JOB);
}

/** The choice that is offered first: the present one, else one of which something was found. */
export const offered = ({ choices }: Pick<SetUpStep, 'choices'>): SetUpChoice | undefined =>
  choices.find(({ current }) => current) ??
  choices.find(({ found }) => found !== null) ??
  choices[0];

const mapOf = (value: unknown): Record<string, unknown> => Object(value);

/**
 * Whether a person has just come to a home where nothing is set up: the wizard was not finished, and
 * there is no repository and no code host, or a step was skipped. `config`: as GET /config shows it.
 */
export function isFirstStart(config: Readonly<Record<string, unknown>>): boolean {
  const { completedAt, skipped } = mapOf(config['setup']);
  if (completedAt !== undefined) return false;
  if (Array.isArray(skipped) && skipped.length > 0) return true;
  const plugins = Object.keys(mapOf(mapOf(config['plugins'])['installed']));
  const repos = Object.keys(mapOf(mapOf(mapOf(config['forges'])['local'])['repos']));
  return repos.length === 0 && plugins.every((id) => BUILT_IN_EXECUTORS.includes(id));
}
