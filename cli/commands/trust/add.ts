import { SvcError } from '../../../src/lib/errors.ts';
import type { TrustView } from '../../../src/schema/trust.ts';
import { SvcCommand } from '../../base/base.ts';
import { confirmed } from '../../input/confirm.ts';
import { yesFlag } from '../../input/flags.ts';
import { printableLine } from '../../render/printable.ts';
import { repoArg, repoFlag } from '../../input/objects.ts';
import { trustOf } from '../../connect/trustOf.ts';
import { trustText } from '../../render/trustText.ts';

export default class TrustAddCommand extends SvcCommand {
  static override summary =
    'Trust what a repository would run, in its current version. Later changes must be trusted again.';
  static override description =
    'Shows all of it first and asks for confirmation; without a terminal, --yes is required. Exits with 1 if you decline.';
  static override examples = [
    '<%= config.bin %> trust add shop',
    '<%= config.bin %> trust add shop --yes',
  ];
  static override args = { repo: repoArg };
  static override flags = { repo: repoFlag, yes: yesFlag };

  async run(): Promise<TrustView> {
    const parsed = await this.parse(TrustAddCommand);
    const { flags } = parsed;
    const { repo } = this.objects(['repo'], parsed);
    const client = await this.client(flags);
    const view = await trustOf(client, repo);
    if (view.state === 'trusted') {
      this.print(`${printableLine(view.repo)} is already trusted.\n`);
      return view;
    }
    if (view.hash === null) {
      this.io.err(trustText(view));
      throw new SvcError('not-possible-now', `${repo} has nothing to trust.`);
    }
    if (!(await this.#agreed(view, flags.yes))) {
      this.io.err('Nothing was done.\n');
      this.io.exitWith(1);
      return view;
    }
    const trusted = await client.addTrust({ repo, hash: view.hash });
    const files = trusted.wants.length === 1 ? '1 file' : `${trusted.wants.length} files`;
    this.print(`${printableLine(trusted.repo)} is trusted: ${files}, hash ${trusted.hash}\n`);
    return trusted;
  }

  async #agreed(view: TrustView, yes: boolean): Promise<boolean> {
    this.io.err(trustText(view));
    return confirmed(this.io, yes, 'Allow all of this to run?');
  }
}
