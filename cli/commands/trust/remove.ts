import { SvcCommand } from '../../base/base.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';
import { repoArg, repoFlag } from '../../input/resolveObjects.ts';

export default class TrustRemoveCommand extends SvcCommand {
  static override summary = 'Stop trusting a repository. Running sessions continue.';
  static override examples = ['<%= config.bin %> trust remove shop'];
  static override args = { repo: repoArg };
  static override flags = { repo: repoFlag };

  async run(): Promise<{ repo: string }> {
    const parsed = await this.parse(TrustRemoveCommand);
    const { flags } = parsed;
    const { repo } = this.objects(['repo'], parsed);
    await (await this.client(flags)).removeTrust(repo);
    this.print(`${toPrintableLine(repo)} is no longer trusted\n`);
    return { repo };
  }
}
