import type { PullRequestThread } from '../../../src/schema/replies.ts';
import { SvcCommand } from '../../base/base.ts';
import { numberFlag, repoFlag } from '../../input/flags.ts';
import { prText } from '../../render/prText.ts';

export default class PrShowCommand extends SvcCommand {
  static override summary = 'Show a pull request of the local forge and its comments.';
  static override examples = ['<%= config.bin %> pr show --repo shop --number 1'];
  static override flags = { repo: repoFlag, number: numberFlag };

  async run(): Promise<PullRequestThread> {
    const { flags } = await this.parse(PrShowCommand);
    const pr = await (await this.client(flags)).pullRequest(flags.repo, flags.number);
    this.print(prText(pr, this.io));
    return pr;
  }
}
