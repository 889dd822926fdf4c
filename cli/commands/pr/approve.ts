import type { PullRequest } from '../../../src/schema/replies.ts';
import { SvcCommand } from '../../base/base.ts';
import { authorFlag, by, numberFlag, repoFlag } from '../../input/flags.ts';
import { prLine } from '../../render/prText.ts';

export default class PrApproveCommand extends SvcCommand {
  static override summary = 'Approve a pull request of the local forge.';
  static override examples = ['<%= config.bin %> pr approve --repo shop --number 1'];
  static override flags = { repo: repoFlag, number: numberFlag, author: authorFlag };

  async run(): Promise<PullRequest> {
    const { flags } = await this.parse(PrApproveCommand);
    const pr = await (await this.client(flags)).approvePullRequest(
      flags.repo,
      flags.number,
      by(flags.author),
    );
    this.print(prLine(pr));
    return pr;
  }
}
