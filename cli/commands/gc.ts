import { Flags } from '@oclif/core';
import type { GcReply } from '../../src/schema/gc.ts';
import { SvcCommand } from '../base/base.ts';
import { durationMs } from '../render/duration.ts';
import { gcText } from '../render/gcText.ts';

/** Ten years: no one needs more. */
const MOST_DAYS = 3650;

export default class GcCommand extends SvcCommand {
  static override summary = 'Remove the folders of jobs that have ended.';
  static override description =
    'Work that was not committed or pushed is first saved as refs/svc/kept/… in the repository or its mirror. What cannot be saved stays and is listed. Jobs that have not ended are never touched.';
  static override examples = [
    '<%= config.bin %> gc --dry-run',
    '<%= config.bin %> gc --older-than 2d',
  ];
  static override flags = {
    'dry-run': Flags.boolean({ description: 'Only show what would be removed.' }),
    'older-than': Flags.string({
      description: 'Only jobs that ended at least this long ago, such as 12h or 14d.',
      default: '14d',
      helpValue: '<time>',
    }),
  };

  async run(): Promise<GcReply> {
    const { flags } = await this.parse(GcCommand);
    const body = {
      dryRun: flags['dry-run'],
      olderThanMs: durationMs(flags['older-than'], MOST_DAYS),
    };
    const client = await this.client(flags);
    let whole = await client.gc(body);
    while (whole.next !== null) {
      const { removed, kept, left, inUse, next } = await client.gc({ ...body, after: whole.next });
      whole = {
        ...whole,
        removed: [...whole.removed, ...removed],
        kept: [...whole.kept, ...kept],
        left: [...whole.left, ...left],
        inUse: whole.inUse + inUse,
        next,
      };
    }
    this.print(gcText(whole, this.io));
    return whole;
  }
}
