import { SvcCommand } from '../../base/base.ts';
import { printableLine } from '../../render/printable.ts';
import { repoArg } from '../../connect/trustOf.ts';

export default class TrustRemoveCommand extends SvcCommand {
  static override summary = 'Revoke the trust in a repository. Running sessions continue.';
  static override examples = ['<%= config.bin %> trust remove shop'];
  static override args = { repo: repoArg };

  async run(): Promise<{ repo: string }> {
    const { args, flags } = await this.parse(TrustRemoveCommand);
    await (await this.client(flags)).removeTrust(args.repo);
    this.print(`${printableLine(args.repo)} is no longer trusted\n`);
    return { repo: args.repo };
  }
}
