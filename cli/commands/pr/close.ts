import type { PullRequest } from '../../../src/contract/schema/api/replies.ts';
import { PrChangeCommand } from '../../base/prChangeCommand.ts';

export default class PrCloseCommand extends PrChangeCommand {
  static override summary = 'Close a pull request of the local forge without merging it.';
  static override description =
    'Its job is notified and continues in the phase that waits for it, with the reason. Undo it with svc pr reopen.';
  static override examples = [
    '<%= config.bin %> pr close --repo shop --number 1',
    '<%= config.bin %> pr close shop 1 --reason "We will do this another way"',
  ];

  run(): Promise<PullRequest> {
    return this.change(
      'close',
      (client) =>
        (...call) =>
          client.closePullRequest(...call),
    );
  }
}
