import { Flags } from '@oclif/core';
import { BUDGET_METRICS, type BudgetMetric } from '../../../src/base/spending/budgetScopes.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { CommandReply } from '../../../src/contract/schema/api/bodies.ts';
import type { BudgetList } from '../../../src/contract/schema/policy/budget.ts';
import { SvcCommand } from '../../base/base.ts';
import { jobFlag, teamFlag } from '../../input/resolveObjects.ts';
import { formatBudgets } from '../../render/policy/formatBudgets.ts';
import { formatCommandReply } from '../../render/job/formatCommandReply.ts';

const createAmountFlag = (metric: BudgetMetric, what: string) =>
  Flags.string({
    description: `Raise the limit on ${what} by this amount.`,
    helpValue: `<${metric}>`,
  });

export default class BudgetRaiseCommand extends SvcCommand {
  static override summary = 'Raise a budget.';
  static override description =
    'With --job, raises the budget that stopped the job, and every other exhausted budget in the same unit, and the job continues; if none stopped it, raises the budget of the job itself. Several amounts raise several budgets at once. With --of, raises the budget of the current day or week, of the runner, or of a repository.';
  static override examples = [
    '<%= config.bin %> budget raise --job shop-job-1790000000000 --usd 5',
    '<%= config.bin %> budget raise --of day --usd 20',
    '<%= config.bin %> budget raise --of repository --repo acme/shop --tokens 1000000',
  ];
  static override flags = {
    job: jobFlag,
    team: teamFlag,
    of: Flags.option({
      description: 'Scope of the budget: day, week, runner or repository. Default: the job.',
      options: ['day', 'week', 'runner', 'repository'] as const,
      exclusive: ['job'],
    })(),
    repo: Flags.string({
      description: 'Repository, with --of repository.',
      helpValue: '<slug>',
      dependsOn: ['of'],
    }),
    usd: createAmountFlag('usd', 'dollars'),
    tokens: createAmountFlag('tokens', 'tokens'),
    sessions: createAmountFlag('sessions', 'sessions'),
    visits: createAmountFlag('visits', 'visits'),
    minutes: createAmountFlag('minutes', 'minutes'),
  };

  async run(): Promise<CommandReply | BudgetList> {
    const { flags } = await this.parse(BudgetRaiseCommand);
    const { job, of, repo } = flags;
    const raise: Partial<Record<BudgetMetric, number>> = {};
    for (const metric of BUDGET_METRICS) {
      const value = flags[metric];
      if (value === undefined) continue;
      const number = Number(value);
      if (!(number > 0))
        throw new SvcError('bad-argument', `--${metric} must be a number above 0, not ${value}.`);
      raise[metric] = number;
    }
    if (Object.keys(raise).length === 0)
      throw new SvcError('bad-argument', 'Give an amount, such as --usd 5.');
    if (job === undefined && of === undefined)
      throw new SvcError(
        'bad-argument',
        'Give the budget: --job <id> or --of <day|week|runner|repository>.',
      );
    const client = await this.client(flags);
    if (job !== undefined && (await client.job(job)).parked?.kind === 'budget') {
      const reply = await client.resume(job, { budget: raise });
      this.print(formatCommandReply(reply));
      return reply;
    }
    const key = job ?? repo;
    const list = await client.setBudget(of ?? 'job', {
      raise,
      ...(key === undefined ? {} : { key }),
    });
    this.print(formatBudgets(list, this.io));
    return list;
  }
}
