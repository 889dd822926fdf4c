import { Flags } from '@oclif/core';
import type { JobSummary } from '../../src/schema/job.ts';
import { SvcCommand } from '../base/base.ts';
import { quietFlag } from '../input/flags.ts';
import { checkStatus } from '../input/knownStatus.ts';
import { printableLine } from '../render/printable.ts';
import { statusText } from '../render/statusText.ts';
import { statusColor } from '../render/statusColor.ts';
import { table } from '../render/table.ts';
import { ago } from '../render/when.ts';

const HEADER = ['ID', 'STATUS', 'PHASE', 'UPDATED', 'DESCRIPTION'];

export default class JobsCommand extends SvcCommand {
  static override summary = 'List jobs, newest first.';
  static override examples = [
    '<%= config.bin %> jobs',
    '<%= config.bin %> jobs --status coding --json',
    'for job in $(<%= config.bin %> jobs --status failed --quiet); do <%= config.bin %> why "$job"; done',
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
    offset: Flags.integer({
      description: 'Number of newest jobs to skip.',
      default: 0,
      min: 0,
      helpValue: '<n>',
    }),
    quiet: quietFlag,
  };

  async run(): Promise<JobSummary[]> {
    const { flags } = await this.parse(JobsCommand);
    const { type, status, limit, offset, quiet } = flags;
    const client = await this.client(flags);
    const { jobs, total } = await client.jobs({
      ...(type === undefined ? {} : { type }),
      ...(status === undefined ? {} : { status }),
      limit,
      ...(offset === 0 ? {} : { offset }),
    });
    if (jobs.length === 0 && status !== undefined) await checkStatus(client, '--status', status);
    if (quiet) {
      this.print(jobs.map(({ id }) => `${printableLine(id)}\n`).join(''));
      return jobs;
    }
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
          jobs.map((job) => [null, statusColor(job, this.io.color)]),
        ),
      );
    else
      this.note(
        total > 0 || status !== undefined || type !== undefined
          ? 'No jobs match.\n'
          : 'No jobs yet. Start one with svc job.\n',
      );
    const end = offset + jobs.length;
    if (total > jobs.length)
      this.note(
        `${jobs.length} of ${total} jobs${end < total && jobs.length > 0 ? `; more: --offset ${end}` : ''}\n`,
      );
    return jobs;
  }
}
