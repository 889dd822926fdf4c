import type {
  SetUpChoice,
  SetUpStep,
  SetUpView,
} from '../../src/contract/schema/runner/setUpSteps.ts';
import { BUILT_IN_EXECUTORS } from '../../src/base/settings/builtInPlugins.ts';
import { toRouteHash } from '../shell/navigation/router.ts';

/** The last step, which is not part of the configuration. */
export const FIRST_JOB = 'first-job';

/** Where a step is; the steps are part of the address, so that a reload stays at one. */
export const toSetUpHash = (step: string): string => toRouteHash(['setup'], { step });

/** The step that is shown: the one of the address, else the first that is open. */
export function pickShownStep(
  { steps }: Pick<SetUpView, 'steps'>,
  stepName: string | undefined,
): string {
  const knownStep = steps.find(({ step }) => step === stepName)?.step;
  if (stepName === FIRST_JOB) return FIRST_JOB;
  return knownStep ?? steps.find(({ state }) => state === 'open')?.step ?? FIRST_JOB;
}

export function findNextSetUpStep({ steps }: Pick<SetUpView, 'steps'>, step: string): string {
  const at = steps.findIndex((one) => one.step === step);
  return at === -1 ? FIRST_JOB : (steps[at + 1]?.step ?? FIRST_JOB);
}

/** The choice that is offered first: the present one, else one of which something was found. */
export const pickOfferedChoice = ({
  choices,
}: Pick<SetUpStep, 'choices'>): SetUpChoice | undefined =>
  choices.find(({ current }) => current) ??
  choices.find(({ found }) => found !== null) ??
  choices[0];

const toConfigObject = (value: unknown): Record<string, unknown> => Object(value);

/**
 * True while the wizard is not finished and a step was skipped, or there is neither a repository
 * nor a forge. `config`: as in GET /config.
 */
export function isFirstStart(config: Readonly<Record<string, unknown>>): boolean {
  const { completedAt, skipped } = toConfigObject(config['setup']);
  if (completedAt !== undefined) return false;
  if (Array.isArray(skipped) && skipped.length > 0) return true;
  const plugins = Object.keys(toConfigObject(toConfigObject(config['plugins'])['installed']));
  const repos = Object.keys(
    toConfigObject(toConfigObject(toConfigObject(config['forges'])['local'])['repos']),
  );
  return repos.length === 0 && plugins.every((id) => BUILT_IN_EXECUTORS.includes(id));
}
