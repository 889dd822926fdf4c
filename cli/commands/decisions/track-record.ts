import { Flags } from '@oclif/core';
import { DEFAULT_TRACK_RECORD_SINCE } from '../../../src/base/time/reportSince.ts';
import type { TrackRecord } from '../../../src/contract/schema/policy/trackRecord.ts';
import { SvcCommand } from '../../base/base.ts';
import { formatTrackRecord } from '../../render/policy/formatTrackRecord.ts';

export default class DecisionsTrackRecordCommand extends SvcCommand {
  static override summary = 'Show rating accuracy, and which jobs were or would have been paused.';
  static override description =
    'Grouped by provider and model, measured by what people did after each rating. With --json it prints the reply of GET /decisions/track-record.';
  static override examples = [
    '<%= config.bin %> decisions track-record',
    '<%= config.bin %> decisions track-record --since 14d',
  ];
  static override flags = {
    since: Flags.string({
      description: 'Start of the period: a date or an age, such as 12h or 30d.',
      default: DEFAULT_TRACK_RECORD_SINCE,
      helpValue: '<time>',
    }),
  };

  async run(): Promise<TrackRecord> {
    const { flags } = await this.parse(DecisionsTrackRecordCommand);
    const record = await (await this.client(flags)).trackRecord({ since: flags.since });
    this.print(formatTrackRecord(record, this.io));
    return record;
  }
}
