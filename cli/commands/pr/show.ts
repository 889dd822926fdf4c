import type { PullRequestThread } from '../../../src/schema/replies.ts';
import { SvcCommand } from '../../base/base.ts';
import { numberArg, numberFlag, repoArg, repoFlag } from '../../input/objects.ts';
import { prText } from '../../render/prText.ts';

export default class PrShowCommand extends SvcCommand {
  static override summary = 'Show a pull request of the local forge and its comments.';
  static override examples = ['<%= config.bin %> pr show --repo shop --number 1'];
  static override args = { repo: repoArg, number: numberArg };
  static override flags = { repo: repoFlag, number: numberFlag };

  async run(): Promise<PullRequestThread> {
    const parsed = await this.parse(PrShowCommand);
    const { flags } = parsed;
    const { repo, number } = this.objects(['repo', 'number'], parsed);
    const pr = await (await this.client(flags)).pullRequest(repo, Number(number));
    this.print(prText(pr, this.io));
    return pr;
  }
}
