import { Flags } from '@oclif/core';
import { SvcError } from '../../src/base/errors/errors.ts';
import { LocalCommand } from '../base/localCommand.ts';
import { TIMEOUT } from '../input/flags.ts';
import { DEFAULT_WORKFLOW, buildGivenParams } from '../input/buildJobParams.ts';
import { readTextArgument } from '../input/readTextArgument.ts';
import { parseDurationMs } from '../render/text/parseDurationMs.ts';
import { withModelFlags } from '../local/run/modelFlags.ts';
import { startRun } from '../local/run/startRun.ts';
import { resumeRun } from '../local/run/resumeRun.ts';
import { readGivenConfig } from '../local/run/buildRunConfig.ts';
import type { RunReply, RunContext } from '../local/run/runOnce.ts';
import { readStopCode, createStopSignal } from '../local/run/createStopSignal.ts';
import { resolveWorkflowChoice } from '../local/run/resolveWorkflowChoice.ts';
import type { GivenModel } from '../setUp/modelFlags.ts';

export default class RunCommand extends LocalCommand {
  static override summary =
    'Run one job in this process (no runner needed); the exit code is its outcome.';
  static override description =
    'Runs the job in a temporary home, which is removed at the end; ~/.svc is not used. The configuration is read from --config, keys also from the environment (ANTHROPIC_API_KEY, GITHUB_TOKEN, GITLAB_TOKEN, BITBUCKET_TOKEN). Exit codes: 0 complete, 2 refused before the start, 6 failed, escalated or cancelled, 7 waits for a pull request or a person, 8 timed out, 9 complete with failed sub-runs. In a GitHub workflow it adds a summary and outputs to the step.';
  static override examples = [
    '<%= config.bin %> run --workflow job --repo . --description "Fix the failing test" --approve all',
    '<%= config.bin %> run --repo . --description "Fix the failing test" --base-url http://127.0.0.1:11434/v1 --model qwen3 --approve all',
    '<%= config.bin %> run --workflow ./ci/workflows/fix.md --repo . --description - --keep kept < task.md',
    '<%= config.bin %> run --resume kept',
  ];
  static override flags = {
    workflow: Flags.string({
      description:
        'Name of the workflow, its path in the overlay, or a file that begins with ./ or /: the folder around its folder workflows/ is then the team layer. Default: workflows/job.md.',
      helpValue: '<path|name>',
    }),
    repo: Flags.string({
      char: 'r',
      description:
        'Folder of the repository (it begins with ., / or ~), or its slug. A folder whose origin is at a forge with a token is worked on there; any other one as a local repository. Default: the present folder.',
      helpValue: '<path|slug>',
    }),
    description: Flags.string({
      char: 'd',
      description: 'What to do, or - for standard input.',
      helpValue: '<text>',
    }),
    reviewers: Flags.string({
      description: 'Names of the reviewers, separated by commas.',
      helpValue: '<names>',
    }),
    'git-provider': Flags.string({ description: 'Forge of the repository.', helpValue: '<id>' }),
    approve: Flags.string({
      description:
        'Approve the checkpoint of this phase in advance, or those of all phases with "all". Can be given more than once.',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: '<phase>',
    }),
    param: Flags.string({
      char: 'p',
      description:
        'Another param, as name=value; the value may be JSON. Can be given more than once.',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: '<k=v>',
    }),
    agent: Flags.string({
      description:
        'Agent program for phases that name none, such as builtin or claude. Default: the one in --config, else one that is available here.',
      helpValue: '<id>',
    }),
    model: Flags.string({
      description: 'Model of the phases, as the agent program names it.',
      helpValue: '<id>',
    }),
    'base-url': Flags.string({
      description:
        'Address of the model endpoint, such as http://127.0.0.1:11434/v1; without --agent it is for builtin.',
      helpValue: '<url>',
    }),
    'api-key': Flags.string({
      description:
        'API key of the model: - reads it from standard input. Default: that of --config, else of the environment.',
      options: ['-'],
      helpValue: '-',
    }),
    config: Flags.string({
      description: 'Configuration file to read; it is not changed.',
      helpValue: '<path>',
    }),
    unattended: Flags.string({
      description:
        'How long the job may work: a time with its zone (RFC 3339), or a duration such as 12h or 2d.',
      helpValue: '<until>',
    }),
    keep: Flags.string({
      description:
        'Folder to save the job in, as a bundle, if it has not ended: when it waits, at --timeout and at Ctrl-C.',
      helpValue: '<dir>',
    }),
    resume: Flags.string({
      description:
        'Continue the job saved in this folder, and save it there again if it waits again. --approve then approves what it waits for.',
      helpValue: '<dir>',
      exclusive: ['description', 'reviewers', 'git-provider', 'param', 'unattended'],
    }),
    message: Flags.string({
      description:
        'Text for the agent; continues a job that waits for a person. Or - for standard input.',
      helpValue: '<text>',
      dependsOn: ['resume'],
    }),
    timeout: Flags.string({ ...TIMEOUT, description: 'Maximum time to run, such as 30m or 2h.' }),
  };

  async run(): Promise<RunReply> {
    const { flags } = await this.parse(RunCommand);
    const timeoutMs = flags.timeout === undefined ? null : parseDurationMs(flags.timeout);
    const config = await readGivenConfig(flags.config, this.io.homeDir);
    const modelConfig = await withModelFlags(config, await this.#model(flags), this.io);
    const [description, message] = [
      await this.#text(flags, 'description'),
      await this.#text(flags, 'message'),
    ];
    const { signal, release } = createStopSignal(process, (code) => process.exit(code));
    const context: RunContext = {
      io: this.io,
      stop: signal,
      asJson: this.jsonEnabled(),
      version: this.config.version,
      cwd: process.cwd(),
      timeoutMs,
      given: modelConfig,
      file: flags.config === undefined ? null : { path: flags.config, config },
      agent: flags.agent ?? null,
      model: flags.model ?? null,
    };
    const { resume, keep = null, repo, workflow, approve = [] } = flags;
    try {
      const ran =
        resume === undefined
          ? await startRun(context, {
              workflow: workflow ?? DEFAULT_WORKFLOW,
              repo: repo ?? '.',
              forge: flags['git-provider'] ?? null,
              keep,
              params: {
                ...buildGivenParams({ ...flags, repo: undefined, description }),
                interactive: false,
              },
            })
          : await resumeRun(context, {
              resume,
              keep,
              repo: repo ?? null,
              layer:
                workflow === undefined
                  ? null
                  : (
                      await resolveWorkflowChoice(workflow, {
                        cwd: context.cwd,
                        homeDir: this.io.homeDir,
                      })
                    ).layer,
              approve,
              message: message ?? null,
            });
      this.io.exitWith(ran.exitCode);
      return ran;
    } catch (error) {
      const code = readStopCode(signal);
      if (code === null || !(error instanceof SvcError && error.code === 'stopping')) throw error;
      this.io.err(`${error.message}\n`);
      return this.exit(code);
    } finally {
      release();
    }
  }

  async #model(flags: {
    agent?: string | undefined;
    model?: string | undefined;
    'base-url'?: string | undefined;
    'api-key'?: string | undefined;
    description?: string | undefined;
    message?: string | undefined;
  }): Promise<GivenModel> {
    const { agent = null, model = null, 'base-url': baseUrl = null, 'api-key': key } = flags;
    const reads = [flags.description, flags.message, key].filter((value) => value === '-');
    if (reads.length > 1)
      throw new SvcError('bad-argument', 'Only one value can be read from standard input (-).');
    const apiKey =
      key === undefined ? null : (await readTextArgument(key, '--api-key', this.io)).trim();
    return { agent, model, baseUrl, apiKey };
  }

  #text(
    flags: { description?: string | undefined; message?: string | undefined },
    name: 'description' | 'message',
  ) {
    const value = flags[name];
    return value === undefined ? undefined : readTextArgument(value, `--${name}`, this.io);
  }
}
