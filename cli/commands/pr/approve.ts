import type { PullRequest } from '../../../src/schema/replies.ts';
import { SvcCommand } from '../../base/base.ts';
import { authorFlag, by } from '../../input/flags.ts';
import { numberArg, numberFlag, repoArg, repoFlag } from '../../input/objects.ts';
import { prLine } from '../../render/prText.ts';

export default class PrApproveCommand extends SvcCommand {
  static override summary = 'Approve a pull request of the local forge.';
  static override examples = ['<%= config.bin %> pr approve --repo shop --number 1'];
  static override args = { repo: repoArg, number: numberArg };
  static override flags = { repo: repoFlag, number: numberFlag, author: authorFlag };

  async run(): Promise<PullRequest> {
    const parsed = await this.parse(PrApproveCommand);
    const { flags } = parsed;
    const { repo, number } = this.objects(['repo', 'number'], parsed);
    const pr = await (await this.client(flags)).approvePullRequest(
      repo,
      Number(number),
      by(flags.author),
    );
    this.print(prLine(pr));
    return pr;
  }
}
