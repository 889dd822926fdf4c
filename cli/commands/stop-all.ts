import type { StopAllReply } from '../../src/schema/bodies.ts';
import { SvcCommand } from '../base/base.ts';

export default class StopAllCommand extends SvcCommand {
  static override summary = 'Pause every job. Sessions that run are interrupted.';
  static override description =
    'Each job stays paused, also after a restart, until it is resumed; svc resume --all stop-all continues those that this command has paused. Jobs that begin afterwards, such as those of triggers, do run.';
  static override examples = [
    '<%= config.bin %> stop-all',
    '<%= config.bin %> stop-all && <%= config.bin %> resume --all stop-all --yes',
  ];

  async run(): Promise<StopAllReply> {
    const { flags } = await this.parse(StopAllCommand);
    const reply = await (await this.client(flags)).stopAll();
    const { paused, resting } = reply;
    this.print(
      `${paused} ${paused === 1 ? 'job is' : 'jobs are'} paused${resting === 0 ? '' : `; ${resting} ${resting === 1 ? 'was' : 'were'} paused already, or ${resting === 1 ? 'waits' : 'wait'} for a person anyway`}.\n`,
    );
    if (paused > 0) this.io.err('To continue: svc resume --all stop-all\n');
    return reply;
  }
}
