import type { ListedInsight } from '../../../src/contract/schema/workflow/insight.ts';
import { SvcCommand } from '../../base/base.ts';
import { insightFlags, buildInsightsQuery } from '../../input/insightFlags.ts';
import { formatInsightPage } from '../../render/workflow/formatInsightPage.ts';

export default class InsightsListCommand extends SvcCommand {
  static override summary = 'List the insights that agents recorded, newest first.';
  static override examples = [
    '<%= config.bin %> insights list',
    '<%= config.bin %> insights list --job shop-job-1790000000000',
    '<%= config.bin %> insights list --category contract-drift',
  ];
  static override flags = insightFlags;

  async run(): Promise<ListedInsight[]> {
    const { flags } = await this.parse(InsightsListCommand);
    const insights = await (await this.client(flags)).searchInsights(buildInsightsQuery(flags));
    const { list, note } = formatInsightPage(insights, flags.offset);
    this.print(list);
    this.note(note);
    return insights.insights;
  }
}
