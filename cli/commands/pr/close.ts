import type { PullRequest } from '../../../src/schema/replies.ts';
import { SvcCommand } from '../../base/base.ts';
import { checkPerson } from '../../input/asPerson.ts';
import { authorFlag, by, prReason } from '../../input/flags.ts';
import { numberArg, numberFlag, repoArg, repoFlag } from '../../input/objects.ts';
import { prLine } from '../../render/prText.ts';

export default class PrCloseCommand extends SvcCommand {
  static override summary = 'Close a pull request of the local forge without merging it.';
  static override description =
    'Its job is notified and continues in the phase that waits for it, with the reason. Undo it with svc pr reopen.';
  static override examples = [
    '<%= config.bin %> pr close --repo shop --number 1',
    '<%= config.bin %> pr close shop 1 --reason "We will do this another way"',
  ];
  static override args = { repo: repoArg, number: numberArg };
  static override flags = {
    repo: repoFlag,
    number: numberFlag,
    author: authorFlag,
    reason: prReason,
  };

  async run(): Promise<PullRequest> {
    const parsed = await this.parse(PrCloseCommand);
    const { flags } = parsed;
    checkPerson(this.io.env, 'close pull requests with this command');
    const { repo, number } = this.objects(['repo', 'number'], parsed);
    const client = await this.client(flags);
    const pr = await client.closePullRequest(repo, Number(number), {
      ...by(flags.author),
      ...(flags.reason === undefined ? {} : { reason: flags.reason }),
    });
    this.print(prLine(pr));
    return pr;
  }
}
