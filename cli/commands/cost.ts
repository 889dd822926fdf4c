import { Flags } from '@oclif/core';
import { COST_PARTS } from '../../src/base/spending/costParts.ts';
import type { Costs, CostsQuery } from '../../src/contract/schema/policy/costs.ts';
import { SvcCommand } from '../base/base.ts';
import { formatCosts } from '../render/policy/formatCosts.ts';
import { parseDurationMs } from '../render/text/parseDurationMs.ts';

/** Ten years: no one needs more. */
const MOST_DAYS = 3650;

export default class CostCommand extends SvcCommand {
  static override summary = 'Show model usage and cost.';
  static override description =
    'Costs are computed from the tokens that agents report and the prices of this release and of budgets.prices. Usage without a known price is listed as unpriced and left out of the sums. With --json it prints the reply of GET /costs.';
  static override examples = [
    '<%= config.bin %> cost',
    '<%= config.bin %> cost --by model --since 7d',
    '<%= config.bin %> cost --by day,model --since 2026-11-01 --csv > costs.csv',
    '<%= config.bin %> cost --by phase --job svc-job-1a2b',
  ];
  static override flags = {
    by: Flags.string({
      description: `Group by one or two of ${COST_PARTS.join(', ')}, separated by a comma.`,
      default: 'job',
      helpValue: '<parts>',
    }),
    since: Flags.string({
      description: 'Only calls since this time: a date or an age, such as 7d.',
      helpValue: '<time>',
    }),
    until: Flags.string({
      description: 'Only calls before this time: a date or an age.',
      helpValue: '<time>',
    }),
    job: Flags.string({ description: 'Only calls of this job.', helpValue: '<job>' }),
    campaign: Flags.string({
      description: 'Only calls of this job and its sub-runs.',
      helpValue: '<job>',
    }),
    repo: Flags.string({ description: 'Only calls for this repository.', helpValue: '<slug>' }),
    workflow: Flags.string({ description: 'Only calls in this workflow.', helpValue: '<path>' }),
    model: Flags.string({ description: 'Only calls of this model.', helpValue: '<name>' }),
    limit: Flags.integer({
      char: 'n',
      description: 'Maximum number of rows.',
      default: 100,
      min: 1,
      max: 1000,
      helpValue: '<n>',
    }),
    offset: Flags.integer({
      description: 'Number of rows to skip.',
      default: 0,
      min: 0,
      helpValue: '<n>',
    }),
    csv: Flags.boolean({ description: 'Print the rows as CSV.', exclusive: ['json'] }),
  };

  async run(): Promise<Costs | undefined> {
    const { flags } = await this.parse(CostCommand);
    const { by, job, campaign, workflow, model, limit, offset } = flags;
    const query: CostsQuery = { by, limit, offset };
    const [since, until] = [this.#time(flags.since), this.#time(flags.until)];
    const only = { since, until, job, campaign, repository: flags.repo, workflow, model };
    for (const [name, value] of Object.entries(only))
      if (value !== undefined) Object.assign(query, { [name]: value });
    const client = await this.client(flags);
    if (flags.csv) {
      this.print(await client.costsCsv(query));
      return undefined;
    }
    const costs = await client.costs(query);
    this.print(formatCosts(costs, this.io));
    return costs;
  }

  /** A time that long ago; everything else is for the runner to read. */
  #time(text: string | undefined): string | undefined {
    return text !== undefined && /^\d+[a-z]+$/.test(text)
      ? new Date(this.io.now() - parseDurationMs(text, MOST_DAYS)).toISOString()
      : text;
  }
}
