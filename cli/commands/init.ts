import { Flags } from '@oclif/core';
import { SvcError } from '../../src/lib/errors.ts';
import { BUILT_IN_MANIFESTS } from '../../src/plugins/builtInCatalogue.ts';
import { allSettings } from '../../src/plugins/givenSettings.ts';
import { LocalCommand } from '../base/localCommand.ts';
import { installedManifests } from '../connect/installedManifests.ts';
import { confirmed } from '../input/confirm.ts';
import { textArgument } from '../input/textArgument.ts';
import { changeLine, changesText, nextText } from '../render/initText.ts';
import { printableLine } from '../render/printable.ts';
import { agentOf } from '../setUp/agent.ts';
import { codeHost } from '../setUp/codeHost.ts';
import { foldersOf } from '../setUp/folders.ts';
import { nextSteps, type InitStep } from '../setUp/nextSteps.ts';
import { type OwnConfig, ownConfig } from '../setUp/ownConfig.ts';
import { promptOf, Stopped } from '../setUp/prompt.ts';
import {
  type Chosen,
  changesTo,
  chosen,
  type InitChange,
  newValues,
  patchOf,
  starterBudgets,
} from '../setUp/starter.ts';

/** Exit code of a command that was ended with Ctrl-C. */
const INTERRUPTED = 130;

interface InitReply {
  file: string;
  /** false: there was nothing to change, or the person declined. */
  written: boolean;
  /** What was written, or would have been; secrets are hidden. */
  changes: InitChange[];
  /** Keys that the runner takes up at its next start. */
  restart: string[];
  next: InitStep[];
}

interface InitFlags {
  local: boolean;
  force: boolean;
  'api-key'?: string | undefined;
  'intelligence-dir'?: string | undefined;
  'working-dir'?: string | undefined;
  scm?: string | undefined;
  'git-provider'?: string | undefined;
  'git-username'?: string | undefined;
  'git-token'?: string | undefined;
  'git-workspace'?: string | undefined;
  'intelligence-remote'?: string | undefined;
}

const SECRET_FLAGS = ['api-key', 'git-token'] as const;

export default class InitCommand extends LocalCommand {
  static override summary = 'Write a starter configuration. Needs no runner.';
  static override description =
    'At a terminal it asks for what no flag gives: agent program, code host, folder of the jobs, team workflows. Enter takes what is in brackets. Without a terminal, and with --json, it asks nothing. It sets caps on what jobs may spend, unless one is set: $10 a job, $50 a campaign, $50 a day, half for headless jobs. In a configuration that exists, it changes only these values, and only with --force or when you agree.';
  static override examples = [
    '<%= config.bin %> init',
    '<%= config.bin %> init --scm github --git-workspace acme',
    '<%= config.bin %> init --scm gitlab --git-token - < token.txt',
  ];
  static override flags = {
    local: Flags.boolean({
      description: 'Run without a control plane: takes cloud.url and cloud.token out.',
    }),
    'api-key': Flags.string({
      description:
        'Key of the model, or - for standard input. It is for llm.defaultProvider; where none is chosen, builtin is, with the API of Anthropic.',
      helpValue: '<key>',
    }),
    'intelligence-dir': Flags.string({
      description: 'Checkout for authoring workflows and agents.',
      helpValue: '<folder>',
    }),
    'working-dir': Flags.string({ description: 'Folder of the jobs.', helpValue: '<folder>' }),
    scm: Flags.string({
      description: 'Code host: local, github, gitlab, bitbucket, or the id of a plugin.',
      helpValue: '<pluginId>',
    }),
    'git-provider': Flags.string({
      description: 'Older name of --scm.',
      helpValue: '<pluginId>',
      exclusive: ['scm'],
    }),
    'git-username': Flags.string({
      description: 'User that the token belongs to, for Bitbucket.',
      helpValue: '<name>',
    }),
    'git-token': Flags.string({
      description:
        'Token of the code host, or - for standard input. Default: GITHUB_TOKEN, GITLAB_TOKEN or BITBUCKET_TOKEN.',
      helpValue: '<token>',
    }),
    'git-workspace': Flags.string({
      description: 'Owner, group or workspace of repositories that are named without one.',
      helpValue: '<name>',
    }),
    'intelligence-remote': Flags.string({
      description: "Address of the git repository with your team's workflows.",
      helpValue: '<url>',
    }),
    force: Flags.boolean({
      description: 'Change values of a configuration that exists, without asking.',
    }),
  };

  async run(): Promise<InitReply> {
    const { flags } = await this.parse(InitCommand);
    try {
      return await this.#init(flags);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      this.io.err('Stopped. Nothing was written.\n');
      return this.exit(INTERRUPTED);
    }
  }

  async #init(flags: InitFlags): Promise<InitReply> {
    const secrets = await this.#secrets(flags);
    const own = await ownConfig(this.io, this.config.version);
    const { values, install } = await this.#chosen(flags, secrets, own);
    const wanted = newValues(values, own.config);
    const { file, exists } = own;
    const changes = changesTo(wanted, own.config);
    if (changes.length === 0) this.print(`${file} has all of this already.\n`);
    else if (exists && !flags.force && !(await this.#agreed(changes, file)))
      return { file, written: false, changes, restart: [], next: [] };
    const { restart, warnings } =
      changes.length === 0
        ? { restart: [], warnings: [] }
        : await own.write(patchOf(wanted), foldersIn(wanted));
    for (const warning of warnings.filter((one) => !own.warnings.includes(one)))
      this.io.err(`Warning: ${printableLine(warning)}\n`);
    const next = await nextSteps(this.io, install);
    if (changes.length > 0)
      this.print(`Written to ${file}:\n${changesText(changes, !exists, this.io)}`);
    if (restart.length > 0)
      this.print(`Takes effect when the runner restarts: ${restart.join(', ')}.\n`);
    this.print(nextText(next));
    return { file, written: changes.length > 0, changes, restart, next };
  }

  /** The secrets of the flags; one of them may come from standard input. */
  async #secrets(flags: InitFlags): Promise<{ apiKey: string | null; token: string | null }> {
    if (SECRET_FLAGS.every((name) => flags[name] === '-'))
      throw new SvcError('bad-argument', 'Only one value can be read from standard input (-).');
    const read = async (name: (typeof SECRET_FLAGS)[number]): Promise<string | null> => {
      const given = flags[name];
      if (given === undefined) return null;
      if (given !== '-')
        this.io.err(
          `Warning: other programs can read --${name} on the command line. Give - and the value on standard input, or leave it out and type it.\n`,
        );
      return (await textArgument(given, `--${name}`, this.io)).trim();
    };
    return { apiKey: await read('api-key'), token: await read('git-token') };
  }

  /** Everything that the configuration is to have, asked for where no flag gives it. */
  async #chosen(
    flags: InitFlags,
    { apiKey, token }: { apiKey: string | null; token: string | null },
    { config, settings }: OwnConfig,
  ): Promise<{ values: Chosen[]; install: string | null }> {
    const { env, homeDir } = this.io;
    const readsInput = SECRET_FLAGS.some((name) => flags[name] === '-');
    const prompt = this.jsonEnabled() || readsInput ? null : promptOf(this.io);
    if (flags['git-provider'] !== undefined)
      this.io.err('Warning: --git-provider is the older name of --scm.\n');
    const { home, plugins } = settings;
    const agent = await agentOf(apiKey, { config, prompt, home, hostEnv: env, plugins });
    const given = {
      id: flags.scm ?? flags['git-provider'] ?? null,
      workspace: flags['git-workspace'] ?? null,
      username: flags['git-username'] ?? null,
      token,
    };
    const forges = [...BUILT_IN_MANIFESTS, ...(await installedManifests(home)).map(allSettings)];
    const scms = forges.filter(({ kind }) => kind === 'scm');
    const host = await codeHost(given, { config, forges: scms, env, prompt });
    const folders = await foldersOf(
      {
        workingDir: flags['working-dir'] ?? null,
        intelligenceDir: flags['intelligence-dir'] ?? null,
        intelligenceRemote: flags['intelligence-remote'] ?? null,
      },
      { config, settings, cwd: process.cwd(), homeDir, prompt },
    );
    const cloud = flags.local
      ? [chosen(['cloud', 'url'], null), { ...chosen(['cloud', 'token'], null), secret: true }]
      : [];
    const values = [...agent.values, ...host, ...folders, ...cloud];
    return { values: [...values, ...starterBudgets(config.budgets)], install: agent.install };
  }

  /**
   * Whether a person agrees to change a configuration that exists. Throws SvcError `conflict` where
   * none can be asked.
   */
  async #agreed(changes: readonly InitChange[], file: string): Promise<boolean> {
    if (this.io.ask === null || this.jsonEnabled())
      throw new SvcError(
        'conflict',
        `${file} exists. Give --force to change these values in it; the rest of it stays as it is.`,
        { errors: changes.map((one) => ({ pointer: one.key, message: changeLine(one) })) },
      );
    this.io.err(`${file} exists. This would change:\n${changesText(changes, false, this.io)}`);
    if (await confirmed(this.io, false, 'Change it?')) return true;
    this.io.err('Nothing was written.\n');
    this.io.exitWith(1);
    return false;
  }
}

/** Folders among the values, which are made with the home. */
function foldersIn(values: readonly Chosen[]): { workingDir?: string; intelligenceDir?: string } {
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
