import { Flags } from '@oclif/core';
import { DEFAULT_TRACK_RECORD_SINCE } from '../../../src/domain/reportSince.ts';
import type { TrackRecord } from '../../../src/schema/trackRecord.ts';
import { SvcCommand } from '../../base/base.ts';
import { trackRecordText } from '../../render/trackRecordText.ts';

export default class DecisionsTrackRecordCommand extends SvcCommand {
  static override summary = 'Show how right ratings were, and what was or would have been paused.';
  static override description =
    'Counted by provider and model, from what people did after each rating. With --json it prints the reply of GET /decisions/track-record.';
  static override examples = [
    '<%= config.bin %> decisions track-record',
    '<%= config.bin %> decisions track-record --since 14d',
  ];
  static override flags = {
    since: Flags.string({
      description: 'When it begins: a time, or how long ago, such as 12h or 30d.',
      default: DEFAULT_TRACK_RECORD_SINCE,
      helpValue: '<time>',
    }),
  };

  async run(): Promise<TrackRecord> {
    const { flags } = await this.parse(DecisionsTrackRecordCommand);
    const record = await (await this.client(flags)).trackRecord({ since: flags.since });
    this.print(trackRecordText(record, this.io));
    return record;
  }
}
