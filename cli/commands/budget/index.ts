import type { BudgetList } from '../../../src/contract/schema/policy/budget.ts';
import { SvcCommand } from '../../base/base.ts';
import { jobArg, jobFlag, teamFlag } from '../../input/resolveObjects.ts';
import { formatBudgets } from '../../render/policy/formatBudgets.ts';

export default class BudgetCommand extends SvcCommand {
  static override summary = 'Show budgets: limits, spent, reserved.';
  static override description =
    'With a job, shows every budget that applies to it; without one, the budgets of the day, the week, the runner and the repositories. With --json it prints the reply of GET /budgets.';
  static override examples = [
    '<%= config.bin %> budget',
    '<%= config.bin %> budget --job shop-job-1790000000000',
  ];
  static override args = { job: jobArg };
  static override flags = { job: jobFlag, team: teamFlag };

  async run(): Promise<BudgetList> {
    const { flags, args } = await this.parse(BudgetCommand);
    const job = flags.job ?? args.job;
    const client = await this.client(flags);
    const list = await client.budgets(job === undefined ? {} : { job });
    this.print(formatBudgets(list, this.io));
    if (job === undefined) this.note('svc budget --job <id> also shows the budgets of a job.\n');
    return list;
  }
}
