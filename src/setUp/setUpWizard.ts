import type { Configuration } from '../contract/configuration.ts';
import type { SetUpWizard } from '../contract/setUp.ts';
import type { LoadedSettings } from '../config/loadSettings.ts';
import { SvcError } from '../lib/errors.ts';
import { localEndpoints } from '../plugins/setUp/localEndpoints.ts';
import type { ConfigReply } from '../schema/config.ts';
import type { PluginManifest } from '../schema/plugin.ts';
import type { SetUpStepName } from '../domain/setUpSteps.ts';
import type { SetUpAnswer, SetUpReply, SetUpView } from '../schema/setUpSteps.ts';
import { type Chosen, chosen, newValues, patchOf } from './chosen.ts';
import { hostAnswer } from './hostAnswer.ts';
import { foundPrograms } from './programs.ts';
import { capsText, starterBudgets } from './starterBudgets.ts';
import type { SetUpFacts } from './step.ts';
import { isRemembered, REMEMBERED, stepNamed, viewOf } from './steps.ts';

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
  /** Plugins that are part of svc or installed. */
  manifests(): Promise<readonly PluginManifest[]>;
  config: Pick<Configuration, 'read' | 'change'>;
  fetch: typeof globalThis.fetch;
  /** Epoch ms. */
  now(): number;
}

interface Worked {
  values: Chosen[];
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
    return viewOf(await this.facts(), reply.restart);
  }

  async answer(
    name: SetUpStepName,
    { choice, values = {}, takeToken = false }: SetUpAnswer,
  ): Promise<SetUpReply> {
    return this.#write(async (facts) => {
      const { homeDir, cwd, fetch } = this.#deps;
      const answer = { choice, values };
      const worked =
        name === 'scm'
          ? await hostAnswer(answer, takeToken, { facts, homeDir, cwd, fetch })
          : { values: stepNamed(name).values(facts, answer), notes: [] };
      return { ...worked, values: [...worked.values, ...unskipped(facts, name)] };
    });
  }

  skipStep(name: SetUpStepName): Promise<SetUpReply> {
    return this.#write(async (facts) => ({ values: skipping(facts, [name]), notes: [] }));
  }

  complete(): Promise<SetUpReply> {
    return this.#write(async (facts) => {
      if (facts.config.setup.completedAt !== undefined) return { values: [], notes: [] };
      const at = new Date(this.#deps.now()).toISOString();
      return {
        values: [...skipping(facts, REMEMBERED), chosen(['setup', 'completedAt'], at)],
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
      localEndpoints(hostEnv),
      foundPrograms(hostEnv, homeDir),
    ]);
    return { config, settings, hostEnv, manifests, endpoints, programs };
  }

  async #write(work: (facts: SetUpFacts) => Promise<Worked>): Promise<SetUpReply> {
    for (let attempt = 1; ; attempt += 1) {
      const { etag, reply } = await this.#deps.config.read();
      const facts = await this.facts();
      const { values, notes } = await work(facts);
      const { completedAt } = facts.config.setup;
      const caps = completedAt === undefined ? starterBudgets(facts.config.budgets) : [];
      const wanted = newValues([...values, ...caps], facts.config);
      try {
        const changed = wanted.length === 0 ? reply : await this.#change(wanted, etag);
        const { config } = await this.#deps.load();
        const setUp = viewOf({ ...facts, config }, changed.restart);
        return {
          notes: [...notes, ...(caps.length > 0 ? [capsText(config.budgets)] : [])],
          setUp,
        };
      } catch (error) {
        const isRace = error instanceof SvcError && error.code === 'precondition-failed';
        if (!isRace || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #change(wanted: readonly Chosen[], etag: string): Promise<ConfigReply> {
    return (await this.#deps.config.change(patchOf(wanted), etag)).reply;
  }
}

/** Remembers the steps that are open as skipped; one that has something saved is not. */
function skipping(facts: SetUpFacts, names: readonly SetUpStepName[]): Chosen[] {
  const { skipped } = facts.config.setup;
  const added = names.filter(
    (name) =>
      isRemembered(name) && !skipped.includes(name) && stepNamed(name).saved(facts).length === 0,
  );
  return added.length === 0 ? [] : [chosen(['setup', 'skipped'], [...skipped, ...added])];
}

/** A step that is answered after all is no longer skipped. */
function unskipped({ config }: SetUpFacts, name: SetUpStepName): Chosen[] {
  const { skipped } = config.setup;
  const left = skipped.filter((one) => one !== name);
  return left.length === skipped.length ? [] : [chosen(['setup', 'skipped'], left)];
}
