import { Args } from '@oclif/core';
import type { PullRequest } from '../../../src/schema/replies.ts';
import { SvcCommand } from '../../base/base.ts';
import { authorFlag, by, numberFlag, repoFlag } from '../../input/flags.ts';
import { prLine } from '../../render/prText.ts';
import { textArgument } from '../../input/textArgument.ts';

export default class PrCommentCommand extends SvcCommand {
  static override summary = 'Comment on a pull request of the local forge.';
  static override examples = [
    '<%= config.bin %> pr comment --repo shop --number 1 "Please add a test"',
  ];
  static override flags = { repo: repoFlag, number: numberFlag, author: authorFlag };
  static override args = {
    text: Args.string({
      description: 'The comment, or - for standard input.',
      required: true,
    }),
  };

  async run(): Promise<PullRequest> {
    const { flags, args } = await this.parse(PrCommentCommand);
    const body = await textArgument(args.text, 'The comment', this.io);
    const pr = await (await this.client(flags)).commentPullRequest(flags.repo, flags.number, {
      body,
      ...by(flags.author),
    });
    this.print(prLine(pr));
    return pr;
  }
}
