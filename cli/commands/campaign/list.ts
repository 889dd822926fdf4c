import { Flags } from '@oclif/core';
import type { Client } from '../../../src/api/client/client.ts';
import { ClientError } from '../../../src/api/client/problem.ts';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';
import type { SubRunStatus } from '../../../src/contract/schema/job/subRun.ts';
import { SvcCommand } from '../../base/base.ts';
import { quietFlag } from '../../input/flags.ts';
import { formatCampaignProgress } from '../../render/job/formatCampaign.ts';
import { formatPageNote } from '../../render/text/formatPageNote.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';
import { pickStatusColor, formatJobStatus } from '../../render/job/formatJobStatus.ts';
import { renderTable } from '../../render/text/renderTable.ts';
import { formatAgo } from '../../render/text/formatTimeWithAgo.ts';

const HEADER = ['ID', 'STATUS', 'PROGRESS', 'CREATED', 'DESCRIPTION'];

/** A campaign in the list; `subRuns` is empty while it is being planned. */
export type ListedCampaign = JobSummary & { subRuns: { name: string; status: SubRunStatus }[] };

async function addSubRunStatuses(client: Client, job: JobSummary): Promise<ListedCampaign> {
  try {
    const { subRuns } = await client.campaign(job.id);
    return { ...job, subRuns: subRuns.map(({ name, status }) => ({ name, status })) };
  } catch (error) {
    if (error instanceof ClientError && error.code === 'not-found') return { ...job, subRuns: [] };
    throw error;
  }
}

export default class CampaignListCommand extends SvcCommand {
  static override summary = 'List campaigns and their progress, newest first.';
  static override examples = [
    '<%= config.bin %> campaign list',
    '<%= config.bin %> campaign list --json',
  ];
  static override flags = {
    status: Flags.string({
      char: 's',
      description: 'Only campaigns with this status, such as awaiting-sub-runs.',
      helpValue: '<status>',
    }),
    type: Flags.string({
      description: 'Only jobs of this type. Default: every job that coordinates sub-runs.',
      helpValue: '<type>',
    }),
    parent: Flags.string({
      description: 'Only campaigns that are sub-runs of this job.',
      helpValue: '<id>',
    }),
    limit: Flags.integer({
      char: 'n',
      description: 'Maximum number of campaigns to list.',
      default: 50,
      min: 1,
      max: 500,
      helpValue: '<n>',
    }),
    offset: Flags.integer({
      description: 'Number of campaigns to skip.',
      default: 0,
      min: 0,
      helpValue: '<n>',
    }),
    quiet: quietFlag,
  };

  async run(): Promise<ListedCampaign[]> {
    const { flags } = await this.parse(CampaignListCommand);
    const client = await this.client(flags);
    const { status, type, parent, limit, offset } = flags;
    const { jobs, total } = await client.jobs({
      coordinates: 'true',
      ...(status === undefined ? {} : { status }),
      ...(type === undefined ? {} : { type }),
      ...(parent === undefined ? {} : { parentJobId: parent }),
      limit,
      ...(offset === 0 ? {} : { offset }),
    });
    if (flags.quiet) {
      this.print(jobs.map(({ id }) => `${toPrintableLine(id)}\n`).join(''));
      return [];
    }
    const campaigns: ListedCampaign[] = [];
    for (const job of jobs) campaigns.push(await addSubRunStatuses(client, job));
    const now = this.io.now();
    const rows = campaigns.map((one) => [
      one.id,
      formatJobStatus(one),
      one.subRuns.length === 0 ? '-' : formatCampaignProgress(one.subRuns),
      formatAgo(one.createdAt, now),
      one.description,
    ]);
    if (rows.length > 0)
      this.print(
        renderTable(
          HEADER,
          rows.map((row) => row.map(toPrintableLine)),
          this.io,
          campaigns.map((one) => [null, pickStatusColor(one, this.io.color)]),
        ),
      );
    else
      this.note(
        total > 0
          ? 'No campaigns match.\n'
          : 'No campaigns. Start one with svc campaign start <file>.\n',
      );
    this.note(formatPageNote('campaigns', jobs.length, offset, total));
    return campaigns;
  }
}
