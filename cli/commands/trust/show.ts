import type { TrustView } from '../../../src/contract/schema/workflow/trust.ts';
import { SvcCommand } from '../../base/base.ts';
import { repoArg, repoFlag } from '../../input/resolveObjects.ts';
import { findRepositoryTrust } from '../../remote/findRepositoryTrust.ts';
import { formatTrust } from '../../render/workflow/formatTrust.ts';

export default class TrustShowCommand extends SvcCommand {
  static override summary = 'Show what a repository would run: files, command lines and hashes.';
  static override examples = ['<%= config.bin %> trust show shop'];
  static override args = { repo: repoArg };
  static override flags = { repo: repoFlag };

  async run(): Promise<TrustView> {
    const parsed = await this.parse(TrustShowCommand);
    const { flags } = parsed;
    const { repo } = this.objects(['repo'], parsed);
    const view = await findRepositoryTrust(await this.client(flags), repo);
    this.print(formatTrust(view));
    return view;
  }
}
