import type { PullRequest } from '../../../src/contract/schema/api/replies.ts';
import { PrChangeCommand } from '../../base/prChangeCommand.ts';

export default class PrReopenCommand extends PrChangeCommand {
  static override summary =
    'Reopen a pull request of the local forge that was closed without a merge.';
  static override description =
    'Refused if one of its branches is gone, if its base branch already has its commits, or if another pull request of the same branches is open.';
  static override examples = [
    '<%= config.bin %> pr reopen --repo shop --number 1',
    '<%= config.bin %> pr reopen shop 1 --reason "It is needed after all"',
  ];

  run(): Promise<PullRequest> {
    return this.change(
      'reopen',
      (client) =>
        (...call) =>
          client.reopenPullRequest(...call),
    );
  }
}
