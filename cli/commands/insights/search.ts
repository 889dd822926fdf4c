import { Args } from '@oclif/core';
import type { ListedInsight } from '../../../src/contract/schema/workflow/insight.ts';
import { SvcCommand } from '../../base/base.ts';
import { insightFlags, buildInsightsQuery } from '../../input/insightFlags.ts';
import { formatInsightPage } from '../../render/workflow/formatInsightPage.ts';

export default class InsightsSearchCommand extends SvcCommand {
  static override summary = 'Search insights.';
  static override description = 'Lists insights that contain every word, newest first.';
  static override examples = [
    '<%= config.bin %> insights search "e2e tests"',
    '<%= config.bin %> insights search database --repo shop',
  ];
  static override args = {
    words: Args.string({ description: 'The words, separated by spaces.', required: true }),
  };
  static override flags = insightFlags;

  async run(): Promise<ListedInsight[]> {
    const { flags, args } = await this.parse(InsightsSearchCommand);
    const client = await this.client(flags);
    const insights = await client.searchInsights({ ...buildInsightsQuery(flags), q: args.words });
    const { list, note } = formatInsightPage(insights, flags.offset);
    this.print(list);
    this.note(note);
    return insights.insights;
  }
}
