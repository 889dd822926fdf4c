import { Flags } from '@oclif/core';
import type { JobSummary } from '../../src/schema/job.ts';
import { SvcCommand } from '../base/base.ts';
import { printableLine } from '../render/printable.ts';
import { statusText } from '../render/statusText.ts';
import { table } from '../render/table.ts';
import { ago } from '../render/when.ts';

const HEADER = ['ID', 'STATUS', 'PHASE', 'UPDATED', 'DESCRIPTION'];

export default class JobsCommand extends SvcCommand {
  static override summary = 'List jobs, newest first.';
  static override examples = [
    '<%= config.bin %> jobs',
    '<%= config.bin %> jobs --status coding --json',
  ];
  static override flags = {
    type: Flags.string({ description: 'Only jobs of this type.', helpValue: '<type>' }),
    status: Flags.string({
      char: 's',
      description: 'Only jobs with this status; coding also matches coding:<work item>.',
      helpValue: '<status>',
    }),
    limit: Flags.integer({
      char: 'n',
      description: 'Maximum number of jobs to list.',
      default: 50,
      min: 1,
      max: 500,
      helpValue: '<n>',
    }),
  };

  async run(): Promise<JobSummary[]> {
    const { flags } = await this.parse(JobsCommand);
    const { type, status, limit } = flags;
    const client = await this.client(flags);
    const { jobs, total } = await client.jobs({
      ...(type === undefined ? {} : { type }),
      ...(status === undefined ? {} : { status }),
      limit,
    });
    const now = this.io.now();
    const rows = jobs.map((job) => [
      job.id,
      statusText(job),
      job.phase,
      ago(job.updatedAt, now),
      job.description,
    ]);
    if (rows.length > 0)
      this.print(
        table(
          HEADER,
          rows.map((row) => row.map(printableLine)),
          this.io,
          jobs.map(({ subRunFailures }) =>
            subRunFailures === undefined ? null : this.io.color.yellow,
          ),
        ),
      );
    else if (!this.jsonEnabled()) this.io.err('No jobs found. Start one with svc job.\n');
    if (total > jobs.length && !this.jsonEnabled())
      this.io.err(`${jobs.length} of ${total} jobs; see more with --limit.\n`);
    return jobs;
  }
}
