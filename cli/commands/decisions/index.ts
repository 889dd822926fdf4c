import { Flags } from '@oclif/core';
import type { DecisionSite } from '../../../src/contract/schema/policy/decision.ts';
import type { DecisionEntry } from '../../../src/contract/schema/policy/decisionEntry.ts';
import { SvcCommand } from '../../base/base.ts';
import { jobArg, jobFlag, teamFlag } from '../../input/resolveObjects.ts';
import { formatDecisionTable } from '../../render/policy/formatDecisionEntry.ts';
import { formatPageNote } from '../../render/text/formatPageNote.ts';

const SITES = [
  'overseer',
  'wake-gate',
  'lane',
  'input-screen',
  'review-lens',
] as const satisfies readonly DecisionSite[];

export default class DecisionsCommand extends SvcCommand {
  static override summary = 'List phase ratings and outcomes, newest first.';
  static override description =
    'The outcome is derived from what people do after the rating, unless they set it with svc decisions label. With --json it prints the reply of GET /decisions.';
  static override examples = [
    '<%= config.bin %> decisions',
    '<%= config.bin %> decisions shop-job-1790000000000',
    '<%= config.bin %> decisions --verdict flagged --since 7d',
    '<%= config.bin %> decisions --skipped',
  ];
  static override args = { job: jobArg };
  static override flags = {
    job: jobFlag,
    team: teamFlag,
    site: Flags.option({
      description: 'Only decisions of this site.',
      options: SITES,
      helpValue: '<site>',
    })(),
    verdict: Flags.option({
      description: 'Only phases with this verdict, or flagged phases.',
      options: ['on-track', 'needs-a-look', 'off-track', 'flagged'] as const,
      helpValue: '<verdict>',
    })(),
    skipped: Flags.boolean({
      description: 'Only ratings without an answer; --no-skipped: only ratings with one.',
      allowNo: true,
    }),
    since: Flags.string({
      description: 'Only ratings since this time: a date or an age, such as 12h or 7d.',
      helpValue: '<time>',
    }),
    limit: Flags.integer({
      char: 'n',
      description: 'Maximum number of ratings to list.',
      default: 50,
      min: 1,
      max: 500,
      helpValue: '<n>',
    }),
    offset: Flags.integer({
      description: 'Number of ratings to skip.',
      default: 0,
      min: 0,
      helpValue: '<n>',
    }),
  };

  async run(): Promise<DecisionEntry[]> {
    const { flags, args } = await this.parse(DecisionsCommand);
    const job = flags.job ?? args.job;
    const { site, verdict, skipped, since, limit, offset } = flags;
    const client = await this.client(flags);
    const { decisions, total } = await client.decisions({
      ...(job === undefined ? {} : { job }),
      ...(site === undefined ? {} : { site }),
      ...(verdict === undefined ? {} : { verdict }),
      ...(skipped === undefined ? {} : { skipped: skipped ? 'true' : 'false' }),
      ...(since === undefined ? {} : { since }),
      limit,
      ...(offset === 0 ? {} : { offset }),
    });
    if (decisions.length > 0) this.print(formatDecisionTable(decisions, this.io));
    else
      this.note('No ratings. decision.mode in the configuration says whether phases are rated.\n');
    this.note(formatPageNote('ratings', decisions.length, offset, total));
    return decisions;
  }
}
