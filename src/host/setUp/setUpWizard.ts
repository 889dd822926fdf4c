import type { Configuration } from '../../contract/runner/configuration.ts';
import type { SetUpWizard } from '../../contract/runner/setUp.ts';
import type { LoadedSettings } from '../config/settings/loadSettings.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { findLocalEndpoints } from '../../plugins/setUp/findLocalEndpoints.ts';
import type { ConfigReply } from '../../contract/schema/runner/config.ts';
import type { PluginManifest } from '../../contract/schema/runner/plugin.ts';
import { SET_UP_STEPS, type SetUpStepName } from '../../base/settings/setUpSteps.ts';
import type {
  SetUpAnswer,
  SetUpReply,
  SetUpView,
  SetUpStep,
} from '../../contract/schema/runner/setUpSteps.ts';
import {
  toChosenValue,
  listNewValues,
  buildChosenPatch,
  type ChosenValue,
} from './chosenValues.ts';
import { resolveForgeAnswer } from './resolveForgeAnswer.ts';
import { findPrograms } from './programs.ts';
import { isCleanup, proposeStarterSettings, STARTER_CLEANUP_NOTE } from './starterSettings.ts';
import { describeCaps, proposeStarterBudgets } from './starterBudgets.ts';
import type { SetUpFacts, Step } from './step.ts';
import { decisionStep } from './decisionStep.ts';
import { forgeStep } from './forgeStep.ts';
import { modelStep } from './modelStep.ts';
import { trackerStep } from './trackerStep.ts';

const STEPS: Readonly<Record<SetUpStepName, Step>> = {
  llm: modelStep,
  scm: forgeStep,
  tracker: trackerStep,
  decision: decisionStep,
};

/** Steps whose being skipped is remembered; the decision layer is optional anyway. */
const REMEMBERED = ['llm', 'scm', 'tracker'] as const;
type RememberedStep = (typeof REMEMBERED)[number];

const findStep = (name: SetUpStepName): Step => STEPS[name];

const isRemembered = (name: SetUpStepName): name is RememberedStep =>
  REMEMBERED.some((one) => one === name);

function toStepView(
  facts: SetUpFacts,
  { name, title, describeSaved: saved, found, choices }: Step,
): SetUpStep {
  const savedKeys = saved(facts);
  const { completedAt, skipped } = facts.config.setup;
  const isSkipped = isRemembered(name) ? skipped.includes(name) : completedAt !== undefined;
  const state = savedKeys.length > 0 ? 'saved' : isSkipped ? 'skipped' : 'open';
  return {
    step: name,
    title,
    state,
    saved: savedKeys,
    found: found(facts),
    choices: choices(facts),
  };
}

/** Every step as it is now. `restart`: keys that the runner applies at its next start. */
const buildSetUpView = (facts: SetUpFacts, restart: readonly string[]): SetUpView => ({
  completedAt: facts.config.setup.completedAt ?? null,
  steps: SET_UP_STEPS.map((name) => toStepView(facts, STEPS[name])),
  repositories: Object.keys(facts.config.forges.local.repos),
  caps: describeCaps(facts.config.budgets),
  newCaps:
    facts.config.setup.completedAt === undefined &&
    proposeStarterBudgets(facts.config.budgets).length > 0,
  restart: [...restart],
});

/** How often the file may change under our hands before an answer is refused. */
const ATTEMPTS = 3;

export interface SetUpDeps {
  /** The runner's or the person's environment. */
  hostEnv: Readonly<Record<string, string | undefined>>;
  homeDir: string;
  /** What a relative folder counts from; null = a folder has to be absolute. */
  cwd: string | null;
  /** The file as it is now, with its secrets. */
  load(): Promise<Pick<LoadedSettings, 'config' | 'settings'>>;
  manifests(): Promise<readonly PluginManifest[]>;
  config: Pick<Configuration, 'read' | 'change'>;
  fetch: typeof globalThis.fetch;
  /** Epoch ms. */
  now(): number;
}

interface WorkedAnswer {
  values: ChosenValue[];
  notes: string[];
}

/** The setup wizard over one configuration file; each call writes what was answered at once. */
export class Wizard implements SetUpWizard {
  readonly #deps: SetUpDeps;

  constructor(deps: SetUpDeps) {
    this.#deps = deps;
  }

  async view(): Promise<SetUpView> {
    const { reply } = await this.#deps.config.read();
    return buildSetUpView(await this.facts(), reply.restart);
  }

  async answer(
    name: SetUpStepName,
    { choice, values = {}, takeToken = false, useLogin = false }: SetUpAnswer,
  ): Promise<SetUpReply> {
    return this.#write(async (facts) => {
      const { homeDir, cwd, fetch } = this.#deps;
      const answer = { choice, values, useLogin };
      const forgeAnswer =
        name === 'scm'
          ? await resolveForgeAnswer(answer, takeToken, { facts, homeDir, cwd, fetch })
          : { values: findStep(name).values(facts, answer), notes: [] };
      return { ...forgeAnswer, values: [...forgeAnswer.values, ...unskipStep(facts, name)] };
    });
  }

  skipStep(name: SetUpStepName): Promise<SetUpReply> {
    return this.#write(async (facts) => ({ values: skipOpenSteps(facts, [name]), notes: [] }));
  }

  complete(): Promise<SetUpReply> {
    return this.#write(async (facts) => {
      if (facts.config.setup.completedAt !== undefined) return { values: [], notes: [] };
      const at = new Date(this.#deps.now()).toISOString();
      return {
        values: [...skipOpenSteps(facts, REMEMBERED), toChosenValue(['setup', 'completedAt'], at)],
        notes: [],
      };
    });
  }

  /** Looks at the file and at this machine; model servers get 300 ms. */
  async facts(): Promise<SetUpFacts> {
    const { hostEnv, homeDir } = this.#deps;
    const [{ config, settings }, manifests, endpoints, programs] = await Promise.all([
      this.#deps.load(),
      this.#deps.manifests(),
      findLocalEndpoints(hostEnv),
      findPrograms(hostEnv, homeDir),
    ]);
    return { config, settings, hostEnv, manifests, endpoints, programs };
  }

  async #write(work: (facts: SetUpFacts) => Promise<WorkedAnswer>): Promise<SetUpReply> {
    for (let attempt = 1; ; attempt += 1) {
      const { etag, reply } = await this.#deps.config.read();
      const facts = await this.facts();
      const { values, notes } = await work(facts);
      const { completedAt } = facts.config.setup;
      const starters = completedAt === undefined ? proposeStarterSettings(facts.config) : [];
      const newValues = listNewValues([...values, ...starters], facts.config);
      try {
        const configReply = newValues.length === 0 ? reply : await this.#change(newValues, etag);
        const { config } = await this.#deps.load();
        const setUp = buildSetUpView({ ...facts, config }, configReply.restart);
        return {
          notes: [
            ...notes,
            ...(starters.length > 0 ? [describeCaps(config.budgets)] : []),
            ...(starters.some(isCleanup) ? [STARTER_CLEANUP_NOTE] : []),
          ],
          setUp,
        };
      } catch (error) {
        const isRace = error instanceof SvcError && error.code === 'precondition-failed';
        if (!isRace || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #change(newValues: readonly ChosenValue[], etag: string): Promise<ConfigReply> {
    return (await this.#deps.config.change(buildChosenPatch(newValues), etag)).reply;
  }
}

/** Remembers the steps that are open as skipped; one that has something saved is not. */
function skipOpenSteps(facts: SetUpFacts, names: readonly SetUpStepName[]): ChosenValue[] {
  const { skipped } = facts.config.setup;
  const addedSteps = names.filter(
    (name) =>
      isRemembered(name) &&
      !skipped.includes(name) &&
      findStep(name).describeSaved(facts).length === 0,
  );
  return addedSteps.length === 0
    ? []
    : [toChosenValue(['setup', 'skipped'], [...skipped, ...addedSteps])];
}

function unskipStep({ config }: SetUpFacts, name: SetUpStepName): ChosenValue[] {
  const { skipped } = config.setup;
  const remainingSteps = skipped.filter((one) => one !== name);
  return remainingSteps.length === skipped.length
    ? []
    : [toChosenValue(['setup', 'skipped'], remainingSteps)];
}
