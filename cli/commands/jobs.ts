import { Flags } from '@oclif/core';
import { shorten } from '../../src/base/text/clip.ts';
import { explainDiskWait } from '../../src/base/limits/findLowDisk.ts';
import { isJobUnreadable } from '../../src/base/jobs/isJobUnreadable.ts';
import type { TeamJob } from '../../src/contract/schema/cloud/teamJob.ts';
import type { JobSummary } from '../../src/contract/schema/job/job.ts';
import { SvcCommand } from '../base/base.ts';
import { readTeamInbox } from '../cloud/readTeamInbox.ts';
import { quietFlag } from '../input/flags.ts';
import { teamFlag } from '../input/resolveObjects.ts';
import { checkKnownStatus } from '../input/checkKnownStatus.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';
import { formatJobStatus, pickStatusColor } from '../render/job/formatJobStatus.ts';
import { renderTable } from '../render/text/renderTable.ts';
import { formatAgo } from '../render/text/formatTimeWithAgo.ts';

const RUNNER_HEADER = 'RUNNER';
const HEADER = ['ID', 'STATUS', 'PHASE', 'UPDATED', 'DESCRIPTION'];
const NEEDS_HEADER = ['ID', 'NEEDS', 'SINCE', 'WHY', 'DESCRIPTION'];
const MAX_REASON_CHARS = 60;
const ORDERS = ['created', 'since', 'title', 'status', 'repo', 'workflow', 'phase', 'cost'];

/** The runner of a job in the list of a team; one that is away is marked. */
function describeRunner(job: JobSummary & { runner?: TeamJob['runner'] }): string {
  const { runner } = job;
  if (runner === undefined) return '';
  return runner.awaySince === null ? runner.name : `${runner.name} (away)`;
}

export default class JobsCommand extends SvcCommand {
  static override summary = 'List jobs, newest first.';
  static override description =
    'With --json it prints a list of jobs with the fields of GET /jobs. needs of a job is null, or has group (decide, review or broken), ask and since.';
  static override examples = [
    '<%= config.bin %> jobs',
    '<%= config.bin %> jobs --needs-me',
    '<%= config.bin %> jobs --search "checkout timeout" --sort since',
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
    'needs-me': Flags.boolean({
      description:
        'Only jobs that need a person: for a decision, to review or merge a pull request, or because they failed or escalated. Longest wait first.',
    }),
    search: Flags.string({
      description:
        'Only jobs that contain all these words in ID, description, repository, workflow, phase, status or reason.',
      helpValue: '<words>',
    }),
    repo: Flags.string({ description: 'Only jobs of this repository.', helpValue: '<slug>' }),
    sort: Flags.string({
      description:
        'Sort order; prefix with - to reverse (--sort=-since). since: how long a job has been waiting, working or over. Default: -created.',
      options: ORDERS.flatMap((order) => [order, `-${order}`]),
      helpValue: '<order>',
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
      description: 'Number of jobs to skip.',
      default: 0,
      min: 0,
      helpValue: '<n>',
    }),
    team: teamFlag,
    runner: Flags.string({
      description:
        'Only jobs of this runner of the team, by name or ID. Without it, the list of a team takes --status, --type, --search and --needs-me.',
      helpValue: '<name>',
      dependsOn: ['team'],
    }),
    quiet: quietFlag,
  };

  async #readInbox(flags: { team?: string | undefined; limit: number; offset: number }) {
    const { openTeamConnection } = await import('../cloud/openTeamConnection.ts');
    const connection = await openTeamConnection(this.io, this.config.version, flags.team ?? '');
    return readTeamInbox(connection, flags);
  }

  async run(): Promise<JobSummary[]> {
    const { flags } = await this.parse(JobsCommand);
    const { type, status, search, repo, limit, offset, quiet } = flags;
    const needsMe = flags['needs-me'];
    const sort = flags.sort ?? (needsMe ? 'since' : undefined);
    const client = await this.client(flags);
    const isInbox = flags.team !== undefined && flags.runner === undefined && needsMe;
    const { jobs, total } = isInbox
      ? await this.#readInbox(flags)
      : await client.jobs({
          ...(flags.runner === undefined ? {} : { runner: flags.runner }),
          ...(type === undefined ? {} : { type }),
          ...(status === undefined ? {} : { status }),
          ...(search === undefined ? {} : { q: search }),
          ...(repo === undefined ? {} : { repo }),
          ...(needsMe ? { needs: 'me' } : {}),
          ...(sort === undefined ? {} : { sort }),
          limit,
          ...(offset === 0 ? {} : { offset }),
        });
    const isNarrowed = [status, type, search, repo].some((value) => value !== undefined);
    // The jobs are shown even if this fails.
    const waiting =
      needsMe && !quiet && !isNarrowed && flags.team === undefined
        ? await client.proposals({ needs: 'me', limit: 1 }).catch(() => null)
        : null;
    const proposals = waiting?.total ?? 0;
    if (jobs.length === 0 && status !== undefined && flags.team === undefined)
      await checkKnownStatus(client, '--status', status);
    if (quiet) {
      this.print(jobs.map(({ id }) => `${toPrintableLine(id)}\n`).join(''));
      return jobs;
    }
    const now = this.io.now();
    const ofTeam = flags.team !== undefined;
    const rows = jobs.map((job) => [
      ...(ofTeam ? [describeRunner(job)] : []),
      ...(needsMe
        ? [
            job.id,
            job.needs?.ask ?? '',
            formatAgo(job.since, now),
            shorten(job.reason ?? '', MAX_REASON_CHARS),
            job.description,
          ]
        : [
            job.id,
            formatJobStatus(job),
            job.phase,
            formatAgo(job.updatedAt, now),
            job.description,
          ]),
    ]);
    const header = needsMe ? NEEDS_HEADER : HEADER;
    if (rows.length > 0)
      this.print(
        renderTable(
          ofTeam ? [RUNNER_HEADER, ...header] : header,
          rows.map((row) => row.map(toPrintableLine)),
          this.io,
          jobs.map((job) => [...(ofTeam ? [null] : []), null, pickStatusColor(job, this.io.color)]),
        ),
      );
    else
      this.note(
        needsMe && search === undefined && repo === undefined
          ? 'No job needs you.\n'
          : total > 0 || isNarrowed
            ? 'No jobs match.\n'
            : 'No jobs yet. Start one with svc job.\n',
      );
    if (proposals > 0)
      this.note(
        `${proposals} ${proposals === 1 ? 'proposal waits' : 'proposals wait'} for you: svc proposals --needs-me\n`,
      );
    const brokenJobs = jobs.filter((job) => isJobUnreadable(job.broken));
    if (brokenJobs.length > 0)
      this.note(
        `${brokenJobs.length} of these jobs cannot be read. svc status <job> says why; stop the runner and run svc doctor --fix.\n`,
      );
    // Low disk space is the same for all jobs.
    const [waits] = jobs.flatMap((job) => explainDiskWait(job) ?? []);
    if (waits !== undefined) this.note(`queued: ${toPrintableLine(waits)}\n`);
    const end = offset + jobs.length;
    if (total > jobs.length)
      this.note(
        `${jobs.length} of ${total} jobs${end < total && jobs.length > 0 ? `; more: --offset ${end}` : ''}\n`,
      );
    return jobs;
  }
}
