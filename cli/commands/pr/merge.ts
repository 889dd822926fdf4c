import type { PullRequest } from '../../../src/schema/replies.ts';
import { SvcCommand } from '../../base/base.ts';
import { authorFlag, by } from '../../input/flags.ts';
import { numberArg, numberFlag, repoArg, repoFlag } from '../../input/objects.ts';
import { prLine } from '../../render/prText.ts';

export default class PrMergeCommand extends SvcCommand {
  static override summary =
    'Merge a pull request of the local forge. If the base branch is checked out, its working tree must be clean.';
  static override examples = ['<%= config.bin %> pr merge --repo shop --number 1'];
  static override args = { repo: repoArg, number: numberArg };
  static override flags = { repo: repoFlag, number: numberFlag, author: authorFlag };

  async run(): Promise<PullRequest> {
    const parsed = await this.parse(PrMergeCommand);
    const { flags } = parsed;
    const { repo, number } = this.objects(['repo', 'number'], parsed);
    const pr = await (await this.client(flags)).mergePullRequest(
      repo,
      Number(number),
      by(flags.author),
    );
    this.print(prLine(pr));
    return pr;
  }
}
