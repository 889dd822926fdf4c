import type { StopAllReply } from '../../src/contract/schema/api/bodies.ts';
import { SvcCommand } from '../base/base.ts';

export default class StopAllCommand extends SvcCommand {
  static override summary = 'Pause every job. Running sessions are interrupted.';
  static override description =
    'Each job stays paused, even after a restart, until it is resumed; svc resume --all stop-all resumes the jobs that this command paused. Jobs created afterwards, for example by triggers, do run.';
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
