import type { TrustView } from '../../../src/schema/trust.ts';
import { SvcCommand } from '../../base/base.ts';
import { repoArg, trustOf } from '../../connect/trustOf.ts';
import { trustText } from '../../render/trustText.ts';

export default class TrustShowCommand extends SvcCommand {
  static override summary = 'Show what a repository would run: files, command lines and hashes.';
  static override examples = ['<%= config.bin %> trust show shop'];
  static override args = { repo: repoArg };

  async run(): Promise<TrustView> {
    const { args, flags } = await this.parse(TrustShowCommand);
    const view = await trustOf(await this.client(flags), args.repo);
    this.print(trustText(view));
    return view;
  }
}
