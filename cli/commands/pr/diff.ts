import { SvcCommand } from '../../base/base.ts';
import { numberFlag, repoFlag } from '../../input/flags.ts';
import { printable } from '../../render/printable.ts';

export default class PrDiffCommand extends SvcCommand {
  static override summary = 'Print the diff of a pull request of the local forge.';
  static override examples = ['<%= config.bin %> pr diff --repo shop --number 1'];
  static override flags = { repo: repoFlag, number: numberFlag };

  async run(): Promise<{ diff: string }> {
    const { flags } = await this.parse(PrDiffCommand);
    const diff = await (await this.client(flags)).pullRequestDiff(flags.repo, flags.number);
    // A file gets the very bytes, so that the diff can be applied; a terminal gets what is safe to
    // show.
    this.print(this.io.columns > 0 ? printable(diff) : diff);
    return { diff };
  }
}
