import { Args } from '@oclif/core';
import type { PullRequest } from '../../../src/contract/schema/api/replies.ts';
import { SvcCommand } from '../../base/base.ts';
import { authorFlag, toAuthorField } from '../../input/flags.ts';
import { numberArg, numberFlag, repoArg, repoFlag } from '../../input/resolveObjects.ts';
import { formatPrLine } from '../../render/job/formatPullRequest.ts';
import { readTextArgument } from '../../input/readTextArgument.ts';

export default class PrCommentCommand extends SvcCommand {
  static override summary = 'Comment on a pull request of the local forge.';
  static override examples = [
    '<%= config.bin %> pr comment --repo shop --number 1 "Please add a test"',
  ];
  static override flags = { repo: repoFlag, number: numberFlag, author: authorFlag };
  static override args = {
    repo: repoArg,
    number: numberArg,
    text: Args.string({ description: 'The comment, or - for standard input.' }),
  };

  async run(): Promise<PullRequest> {
    const parsed = await this.parse(PrCommentCommand);
    const { flags } = parsed;
    const { repo, number, text } = this.objects(['repo', 'number', 'text'], parsed);
    const body = await readTextArgument(text, 'The comment', this.io);
    const pr = await (await this.client(flags)).commentPullRequest(repo, Number(number), {
      body,
      ...toAuthorField(flags.author),
    });
    this.print(formatPrLine(pr));
    return pr;
  }
}
