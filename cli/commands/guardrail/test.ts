import { Args, Flags } from '@oclif/core';
import { GUARDRAIL_MOMENTS, MAX_DRY_RUN_JOBS } from '../../../src/base/agents/guardrails.ts';
import { suggestClosestName } from '../../../src/base/text/findClosestName.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { DryRunBody, DryRunReply } from '../../../src/contract/schema/policy/dryRun.ts';
import { SvcCommand } from '../../base/base.ts';
import { readJsonObjectFlag, buildGuardrailQuestion } from '../../input/buildGuardrailQuestion.ts';
import { jobFlag, teamFlag } from '../../input/resolveObjects.ts';
import { formatDryRun } from '../../render/policy/formatGuardrails.ts';

export default class GuardrailTestCommand extends SvcCommand {
  static override summary = 'Test a rule on sample input or on past jobs.';
  static override description =
    'Give the ID of an existing rule, or a new one with --candidate. --tool, --args, --path, --lines and --added are the sample input. --history reads the journals of past jobs and shows how many the rule would have stopped, and where. Nothing is stored.';
  static override examples = [
    `<%= config.bin %> guardrail test no-force-push --tool bash --args '{"command": "git push --force"}'`,
    '<%= config.bin %> guardrail test large-diff --path src/a.ts --lines 5000',
    `<%= config.bin %> guardrail test --candidate '{"id": "no-hotfix", "when": "write.before", "if": "has(args.title) && like(string(args.title), \\"*hotfix*\\")"}' --history`,
  ];
  static override args = { rule: Args.string({ description: 'ID of the rule.' }) };
  static override flags = {
    candidate: Flags.string({
      description: 'A rule in the format of guardrails.rules, as JSON or @file.',
      helpValue: '<json>',
    }),
    moment: Flags.option({
      description: 'When the rule is checked. Default: the first moment of the rule.',
      options: GUARDRAIL_MOMENTS,
    })(),
    tool: Flags.string({
      description: 'Tool name, or the operation of a write.',
      helpValue: '<name>',
    }),
    args: Flags.string({
      description: 'Arguments of the tool, as JSON or @file.',
      helpValue: '<json>',
    }),
    path: Flags.string({
      description: 'A file that the change touches.',
      helpValue: '<path>',
      multiple: true,
    }),
    lines: Flags.integer({ description: 'Lines of the change.', helpValue: '<n>', min: 0 }),
    added: Flags.string({ description: 'A text that the change adds.', helpValue: '<text>' }),
    phase: Flags.string({ description: 'Phase of the job.', helpValue: '<phase>' }),
    job: jobFlag,
    team: teamFlag,
    history: Flags.boolean({
      description: 'Read the journals of past jobs; with --job, only of that job.',
    }),
    jobs: Flags.integer({
      description: 'Maximum number of past jobs to read, most recent first. Default: 1000.',
      helpValue: '<n>',
      min: 1,
      max: MAX_DRY_RUN_JOBS,
      dependsOn: ['history'],
    }),
  };

  async run(): Promise<DryRunReply> {
    const { flags, args } = await this.parse(GuardrailTestCommand);
    const { candidate, history, job, jobs } = flags;
    if ((args.rule === undefined) === (candidate === undefined))
      throw new SvcError(
        'bad-argument',
        'Name a rule, which svc guardrail list shows, or give one with --candidate.',
      );
    const question = await buildGuardrailQuestion(flags);
    if (question === null && !history) {
      if (args.rule !== undefined) await this.#known(flags, args.rule);
      throw new SvcError(
        'bad-argument',
        'Give sample input (--tool and --args, or --path), or --history for past jobs.',
      );
    }
    const body = {
      ...(candidate === undefined
        ? { rule: args.rule }
        : { candidate: await readJsonObjectFlag('--candidate', candidate) }),
      ...(question === null ? {} : { asked: question }),
      ...(history
        ? {
            history: {
              ...(job === undefined ? {} : { job }),
              ...(jobs === undefined ? {} : { jobs }),
            },
          }
        : {}),
    };
    // The runner checks the candidate, and says what is wrong with it.
    const reply = await (await this.client(flags)).dryRunGuardrail(body as DryRunBody);
    this.print(formatDryRun(reply, this.io));
    return reply;
  }

  /** An unknown rule is refused before anything else is asked for. Without a runner this is not checked. */
  async #known(flags: { url: string | undefined }, rule: string): Promise<void> {
    const list = await this.client(flags)
      .then((client) => client.guardrails())
      .catch(() => null);
    const names = list?.rules.map(({ id }) => id) ?? [];
    if (list !== null && !names.includes(rule))
      throw new SvcError('not-found', `No rule ${rule} exists. ${suggestClosestName(rule, names)}`);
  }
}
