import { SvcCommand } from '../../base/base.ts';
import { numberArg, numberFlag, repoArg, repoFlag } from '../../input/objects.ts';
import { printable } from '../../render/printable.ts';

export default class PrDiffCommand extends SvcCommand {
  static override summary = 'Print the diff of a pull request of the local forge.';
  static override examples = ['<%= config.bin %> pr diff --repo shop --number 1'];
  static override args = { repo: repoArg, number: numberArg };
  static override flags = { repo: repoFlag, number: numberFlag };

  async run(): Promise<{ diff: string }> {
    const parsed = await this.parse(PrDiffCommand);
    const { flags } = parsed;
    const { repo, number } = this.objects(['repo', 'number'], parsed);
    const diff = await (await this.client(flags)).pullRequestDiff(repo, Number(number));
    // A file gets the very bytes, so that the diff can be applied; a terminal gets what is safe to
    // show.
    this.print(this.io.columns > 0 ? printable(diff) : diff);
    return { diff };
  }
}
