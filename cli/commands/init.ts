import { SvcError } from '../../src/base/errors/errors.ts';
import type { SetUpStepName } from '../../src/base/settings/setUpSteps.ts';
import type { SetUpView } from '../../src/contract/schema/runner/setUpSteps.ts';
import {
  describeInitChanges,
  toChosenValue,
  listNewValues,
  buildChosenPatch,
  type ChosenValue,
  type InitChange,
} from '../../src/host/setUp/chosenValues.ts';
import { Wizard, type SetUpDeps } from '../../src/host/setUp/setUpWizard.ts';
import { proposeStarterSettings } from '../../src/host/setUp/starterSettings.ts';
import { proposeStarterBudgets } from '../../src/host/setUp/starterBudgets.ts';
import { LocalCommand } from '../base/localCommand.ts';
import { confirmOrRefuse } from '../input/confirmOrRefuse.ts';
import { readTextArgument } from '../input/readTextArgument.ts';
import {
  formatInitChange,
  formatInitChanges,
  formatNextSteps,
  formatSetUpSteps,
} from '../render/runner/formatInitChanges.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';
import { askSteps } from '../setUp/askSteps.ts';
import { startFirstJob } from '../setUp/startFirstJob.ts';
import { initFlags, type InitFlags } from '../setUp/initFlags.ts';
import { buildFlagAnswers } from '../setUp/buildFlagAnswers.ts';
import { proposeAnswers } from '../setUp/proposeAnswers.ts';
import { listFolderChoices } from '../setUp/listFolderChoices.ts';
import { listNextSteps, type InitStep } from '../setUp/listNextSteps.ts';
import { openOwnConfig, type OwnConfig } from '../setUp/openOwnConfig.ts';
import { createPrompt, PromptStopped, type Prompt } from '../setUp/createPrompt.ts';
import { loadSettings } from '../../src/host/config/settings/loadSettings.ts';
import { BUILT_IN_MANIFESTS } from '../../src/plugins/builtInCatalogue.ts';
import { addGivenSettings } from '../../src/plugins/givenSettings.ts';
import { readInstalledManifests } from '../../src/plugins/readInstalledManifests.ts';
import type { Io } from '../io.ts';
import { findPackageRoot } from '../findPackageRoot.ts';

/** The setup wizard over the configuration of this home, which `config` reads and changes. */
const createHomeWizard = (io: Io, home: string, config: SetUpDeps['config']): Wizard =>
  new Wizard({
    hostEnv: io.env,
    homeDir: io.homeDir,
    cwd: io.cwd,
    load: () =>
      loadSettings({
        env: io.env,
        homeDir: io.homeDir,
        flags: {},
        packageRoot: findPackageRoot(import.meta.url),
      }),
    manifests: async () => [
      ...BUILT_IN_MANIFESTS,
      ...(await readInstalledManifests(home)).map(addGivenSettings),
    ],
    config,
    fetch: io.fetch,
    now: io.now,
  });

/** Exit code of a command that was ended with Ctrl-C. */
const INTERRUPTED = 130;

interface InitReply {
  file: string;
  /** false: there was nothing to change, or the person declined. */
  written: boolean;
  /** What flags wrote, or would have written; secrets are hidden. */
  changes: InitChange[];
  notes: string[];
  steps: { step: SetUpStepName; state: SetUpView['steps'][number]['state'] }[];
  restart: string[];
  next: InitStep[];
  /** ID of the first job; null = none was started. */
  job: string | null;
}

const SECRET_FLAGS = ['api-key', 'git-token'] as const;

export default class InitCommand extends LocalCommand {
  static override summary = 'Write a starter configuration. Needs no runner.';
  static override description =
    'At a terminal it asks for what no flag sets: model, forge, tracker, decision layer. Each answer is saved at once, so Ctrl-C loses none, and the next svc init continues from there; each step can be skipped. With --yes, without a terminal, and with --json, it asks nothing: it takes a model server that answers on this machine and the git repository you are in, unless something else is set. It takes a key or a token only where a flag asks for it. It sets caps on what jobs may spend, unless one is set: $10 a job, $50 a campaign, $50 a day, half for headless jobs. A new configuration also gets retention.every: the runner removes folders of ended jobs after 14 days. In a configuration that exists, flags change only their values. A value that is set is changed with --yes, with --force, or when you agree.';
  static override examples = [
    '<%= config.bin %> init',
    '<%= config.bin %> init --yes --base-url http://127.0.0.1:11434/v1 --model qwen3',
    '<%= config.bin %> init --yes --agent claude --api-key - --repo-dir ~/src/shop < key.txt',
    '<%= config.bin %> init --scm github --git-workspace acme',
    '<%= config.bin %> init --scm gitlab --git-token - < token.txt',
    '<%= config.bin %> init --agent claude --scm github --git-token-from-cli --skip tracker',
    '<%= config.bin %> init --first-job "Add a health check" --repo shop',
  ];
  static override flags = initFlags;

  async run(): Promise<InitReply> {
    const { flags } = await this.parse(InitCommand);
    try {
      return await this.#init(flags);
    } catch (error) {
      if (!(error instanceof PromptStopped)) throw error;
      this.io.err('\nStopped. Your answers are saved; run svc init to continue.\n');
      return this.exit(INTERRUPTED);
    }
  }

  async #init(flags: InitFlags): Promise<InitReply> {
    const secrets = await this.#secrets(flags);
    const own = await openOwnConfig(this.io, this.config.version);
    const { file, exists } = own;
    const wizard = createHomeWizard(this.io, own.settings.home, own.configuration);
    const prompt = this.#prompt(flags);
    const { values, notes, install } = await this.#chooseAnswers(flags, secrets, own, {
      wizard,
      proposes: prompt === null,
    });
    const starters = exists
      ? proposeStarterBudgets(own.config.budgets)
      : proposeStarterSettings(own.config);
    const newValues = listNewValues(
      [...values, ...(prompt && values.length === 0 ? [] : starters)],
      own.config,
    );
    const changes = describeInitChanges(newValues, own.config);
    const isFree = flags.force || flags.yes || !exists || changes.length === 0;
    if (!isFree && !(await this.#confirmChanges(changes, own))) {
      const steps = toStepStates(await wizard.view());
      return { file, written: false, changes, notes, steps, restart: [], next: [], job: null };
    }
    const warnings =
      changes.length === 0
        ? []
        : (await own.write(buildChosenPatch(newValues), pickHomeFolders(newValues))).warnings;
    for (const warning of [...warnings.filter((one) => !own.warnings.includes(one)), ...notes])
      this.io.err(`${toPrintableLine(warning)}\n`);
    if (changes.length > 0)
      this.print(`Written to ${file}:\n${formatInitChanges(changes, !exists, this.io)}`);
    const before = await wizard.view();
    const stepValues = await this.#steps(flags.skip ?? [], wizard, prompt);
    const view = await wizard.view();
    const isSame = JSON.stringify(view) === JSON.stringify(before);
    if (changes.length === 0 && isSame) this.print(`${file} is already up to date.\n`);
    this.print(formatSetUpSteps(view));
    const job = await this.#createFirstJob(flags, view);
    const next = await listNextSteps(this.io, { install: install ?? stepValues, view, job });
    this.print(formatNextSteps(next));
    const { restart } = view;
    const written = changes.length > 0 || !isSame;
    return { file, written, changes, notes, steps: toStepStates(view), restart, next, job };
  }

  /** Skips and asks; finishes the wizard if no step is open any more. */
  async #steps(
    skips: readonly SetUpStepName[],
    wizard: Wizard,
    prompt: Prompt | null,
  ): Promise<string | null> {
    for (const step of skips) await wizard.skipStep(step);
    if (prompt) return (await askSteps(skips, { prompt, wizard, cwd: this.io.cwd })).install;
    const { steps, completedAt } = await wizard.view();
    const isDone = steps.every(({ step, state }) => state !== 'open' || step === 'decision');
    if (isDone && completedAt === null) await wizard.complete();
    return null;
  }

  async #createFirstJob(flags: InitFlags, view: SetUpView): Promise<string | null> {
    const description = flags['first-job'];
    if (description === undefined) return null;
    const repo = flags.repo ?? null;
    const job = await startFirstJob(this.io, this.config.version, { description, repo, view });
    this.print(`Started ${job}. Follow it with: svc logs --job ${job}\n`);
    return job;
  }

  /** null where no one is asked. */
  #prompt(flags: InitFlags): Prompt | null {
    const readsInput = SECRET_FLAGS.some((name) => flags[name] === '-');
    return flags.yes || this.jsonEnabled() || readsInput ? null : createPrompt(this.io);
  }

  /** The secrets of the flags; one of them may come from standard input. */
  async #secrets(flags: InitFlags): Promise<{ apiKey: string | null; token: string | null }> {
    if (SECRET_FLAGS.every((name) => flags[name] === '-'))
      throw new SvcError('bad-argument', 'Only one value can be read from standard input (-).');
    const read = async (name: (typeof SECRET_FLAGS)[number]): Promise<string | null> => {
      const value = flags[name];
      if (value === undefined) return null;
      if (value !== '-')
        this.io.err(
          `Warning: other programs can read --${name} on the command line. Give - and the value on standard input, or leave it out and type it.\n`,
        );
      return (await readTextArgument(value, `--${name}`, this.io)).trim();
    };
    return { apiKey: await read('api-key'), token: await read('git-token') };
  }

  async #chooseAnswers(
    flags: InitFlags,
    { apiKey, token }: { apiKey: string | null; token: string | null },
    { config }: OwnConfig,
    { wizard, proposes }: { wizard: Wizard; proposes: boolean },
  ): Promise<{ values: ChosenValue[]; notes: string[]; install: string | null }> {
    if (flags['git-provider'] !== undefined)
      this.io.err('Warning: --git-provider is the older name of --scm.\n');
    const givenModel = {
      agent: flags.agent ?? null,
      apiKey,
      model: flags.model ?? null,
      baseUrl: flags['base-url'] ?? null,
      useLogin: flags['login-from-cli'],
      repoDir: flags['repo-dir'] ?? null,
      scm: flags.scm ?? flags['git-provider'] ?? null,
      workspace: flags['git-workspace'] ?? null,
      username: flags['git-username'] ?? null,
      token,
      takeToken: flags['git-token-from-cli'],
    };
    const facts = await wizard.facts();
    const { values, notes, install } = await buildFlagAnswers(facts, givenModel, this.io);
    const forgeAnswer = await proposeAnswers(facts, { ...givenModel, proposes, flags }, this.io);
    const folders = await listFolderChoices(
      {
        workingDir: flags['working-dir'] ?? null,
        intelligenceDir: flags['intelligence-dir'] ?? null,
        intelligenceRemote: flags['intelligence-remote'] ?? null,
      },
      this.io,
    );
    const cloud = flags.local
      ? [
          toChosenValue(['cloud', 'url'], null),
          { ...toChosenValue(['cloud', 'token'], null), secret: true },
        ]
      : [];
    return {
      values: listNewValues([...values, ...forgeAnswer.values, ...folders, ...cloud], config),
      notes: [...notes, ...forgeAnswer.notes],
      install,
    };
  }

  /**
   * Whether a person agrees to change a configuration that exists. Where none can be asked, values
   * that were not set are added. Throws SvcError `conflict` there for those that are.
   */
  async #confirmChanges(
    changes: readonly InitChange[],
    { file, defaults }: OwnConfig,
  ): Promise<boolean> {
    if (this.io.ask === null || this.jsonEnabled()) {
      const replacements = changes.filter(
        ({ key, before }) => before !== null && !defaults.has(key),
      );
      if (replacements.length === 0) return true;
      throw new SvcError(
        'conflict',
        `${file} exists. Give --yes to change these values; the rest of the file is preserved.`,
        {
          errors: replacements.map((one) => ({ pointer: one.key, message: formatInitChange(one) })),
        },
      );
    }
    this.io.err(
      `${file} exists. This would change:\n${formatInitChanges(changes, false, this.io)}`,
    );
    if (await confirmOrRefuse(this.io, false, 'Change it?')) return true;
    this.io.err('Nothing was written.\n');
    this.io.exitWith(1);
    return false;
  }
}

const toStepStates = ({ steps }: SetUpView): InitReply['steps'] =>
  steps.map(({ step, state }) => ({ step, state }));

function pickHomeFolders(values: readonly ChosenValue[]): {
  workingDir?: string;
  intelligenceDir?: string;
} {
  const at = (key: string): string | undefined => {
    const value = values.find(({ path }) => path.join('.') === key)?.value;
    return typeof value === 'string' ? value : undefined;
  };
  const [workingDir, intelligenceDir] = [at('paths.workingDir'), at('intelligence.dir')];
  return {
    ...(workingDir === undefined ? {} : { workingDir }),
    ...(intelligenceDir === undefined ? {} : { intelligenceDir }),
  };
}
