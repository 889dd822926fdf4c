import { Flags } from '@oclif/core';
import type { GcReply, GcSchedule } from '../../src/contract/schema/runner/gc.ts';
import { SvcCommand } from '../base/base.ts';
import { parseDurationMs } from '../render/text/parseDurationMs.ts';
import { formatCleanupSchedule, formatCleanup } from '../render/runner/formatCleanup.ts';

/** Ten years: no one needs more. */
const MOST_DAYS = 3650;

export default class GcCommand extends SvcCommand {
  static override summary = 'Delete leftover files of finished jobs.';
  static override description =
    'Does now what the schedule (retention.every, off by default) does, following the retention settings: job folders are deleted after 14 days, logs are archived after 30, mirrors are deleted after 90. Uncommitted or unpushed work is first saved as refs/svc/kept/… in the repository or its mirror. Work that cannot be saved is left in place and listed. Jobs that have not ended are never touched.';
  static override examples = [
    '<%= config.bin %> gc --dry-run',
    '<%= config.bin %> gc --older-than 2d',
    '<%= config.bin %> gc --last',
  ];
  static override flags = {
    'dry-run': Flags.boolean({ description: 'Only show what would be removed.' }),
    'older-than': Flags.string({
      description:
        'Only folders of jobs that ended at least this long ago, such as 12h or 14d. Default: retention.checkouts.afterDays.',
      helpValue: '<time>',
    }),
    last: Flags.boolean({
      description: 'Show the schedule and the result of its last run; nothing is removed.',
      exclusive: ['dry-run', 'older-than'],
    }),
  };

  async run(): Promise<GcReply | GcSchedule> {
    const { flags } = await this.parse(GcCommand);
    const age = flags['older-than'];
    const body = {
      dryRun: flags['dry-run'],
      ...(age === undefined ? {} : { olderThanMs: parseDurationMs(age, MOST_DAYS) }),
    };
    const client = await this.client(flags);
    if (flags.last) {
      const schedule = await client.gcSchedule();
      this.print(formatCleanupSchedule(schedule, this.io));
      return schedule;
    }
    let whole = await client.gc(body);
    while (whole.next !== null) {
      const { removed, kept, left, inUse, freed, next } = await client.gc({
        ...body,
        after: whole.next,
      });
      whole = {
        ...whole,
        removed: [...whole.removed, ...removed],
        kept: [...whole.kept, ...kept],
        left: [...whole.left, ...left],
        inUse: whole.inUse + inUse,
        freed: whole.freed + freed,
        next,
      };
    }
    this.print(formatCleanup(whole, this.io));
    return whole;
  }
}
