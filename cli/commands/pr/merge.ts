import type { PullRequest } from '../../../src/schema/replies.ts';
import { SvcCommand } from '../../base/base.ts';
import { authorFlag, by, numberFlag, repoFlag } from '../../input/flags.ts';
import { prLine } from '../../render/prText.ts';

export default class PrMergeCommand extends SvcCommand {
  static override summary =
    'Merge a pull request of the local forge. If the base branch is checked out, its working tree must be clean.';
  static override examples = ['<%= config.bin %> pr merge --repo shop --number 1'];
  static override flags = { repo: repoFlag, number: numberFlag, author: authorFlag };

  async run(): Promise<PullRequest> {
    const { flags } = await this.parse(PrMergeCommand);
    const pr = await (await this.client(flags)).mergePullRequest(
      flags.repo,
      flags.number,
      by(flags.author),
    );
    this.print(prLine(pr));
    return pr;
  }
}
