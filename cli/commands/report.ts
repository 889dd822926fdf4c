import { Flags } from '@oclif/core';
import { DEFAULT_REPORT_SINCE } from '../../src/base/time/reportSince.ts';
import type { Report } from '../../src/contract/schema/api/report.ts';
import { SvcCommand } from '../base/base.ts';
import { formatReport } from '../render/policy/formatReport.ts';

export default class ReportCommand extends SvcCommand {
  static override summary =
    'Show finished and stopped jobs (and how to continue them), approvals and spending since a time.';
  static override description =
    'Costs match svc cost, budgets match svc budget. With --json it prints the reply of GET /report.';
  static override examples = [
    '<%= config.bin %> report',
    '<%= config.bin %> report --since 12h',
    '<%= config.bin %> report --since 2026-11-20T18:00:00Z --json',
  ];
  static override flags = {
    since: Flags.string({
      description: 'Start of the period: a date or an age, such as 12h or 2d.',
      default: DEFAULT_REPORT_SINCE,
      helpValue: '<time>',
    }),
  };

  async run(): Promise<Report> {
    const { flags } = await this.parse(ReportCommand);
    const client = await this.client(flags);
    const report = await client.report({ since: flags.since });
    this.print(formatReport(report, client.baseUrl, this.io.now(), this.io));
    return report;
  }
}
