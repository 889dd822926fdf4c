import type { PullRequest } from '../../../src/schema/replies.ts';
import { SvcCommand } from '../../base/base.ts';
import { checkPerson } from '../../input/asPerson.ts';
import { authorFlag, by, prReason } from '../../input/flags.ts';
import { numberArg, numberFlag, repoArg, repoFlag } from '../../input/objects.ts';
import { prLine } from '../../render/prText.ts';

export default class PrReopenCommand extends SvcCommand {
  static override summary =
    'Reopen a pull request of the local forge that was closed without a merge.';
  static override description =
    'Refused if one of its branches is gone, if its base branch already has its commits, or if another pull request of the same branches is open.';
  static override examples = [
    '<%= config.bin %> pr reopen --repo shop --number 1',
    '<%= config.bin %> pr reopen shop 1 --reason "It is needed after all"',
  ];
  static override args = { repo: repoArg, number: numberArg };
  static override flags = {
    repo: repoFlag,
    number: numberFlag,
    author: authorFlag,
    reason: prReason,
  };

  async run(): Promise<PullRequest> {
    const parsed = await this.parse(PrReopenCommand);
    const { flags } = parsed;
    checkPerson(this.io.env, 'reopen pull requests with this command');
    const { repo, number } = this.objects(['repo', 'number'], parsed);
    const client = await this.client(flags);
    const pr = await client.reopenPullRequest(repo, Number(number), {
      ...by(flags.author),
      ...(flags.reason === undefined ? {} : { reason: flags.reason }),
    });
    this.print(prLine(pr));
    return pr;
  }
}
