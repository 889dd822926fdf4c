import type { PullRequest } from '../../../src/schema/replies.ts';
import { SvcCommand } from '../../base/base.ts';
import { repoArg, repoFlag } from '../../input/objects.ts';
import { printableLine } from '../../render/printable.ts';
import { table } from '../../render/table.ts';
import { ago } from '../../render/when.ts';

const HEADER = ['NUMBER', 'STATE', 'APPROVALS', 'BRANCH', 'CREATED', 'TITLE'];

export default class PrListCommand extends SvcCommand {
  static override summary = 'List the pull requests of a repository of the local forge.';
  static override examples = ['<%= config.bin %> pr list --repo shop'];
  static override args = { repo: repoArg };
  static override flags = { repo: repoFlag };

  async run(): Promise<PullRequest[]> {
    const parsed = await this.parse(PrListCommand);
    const { repo } = this.objects(['repo'], parsed);
    const list = await (await this.client(parsed.flags)).pullRequests(repo);
    const now = this.io.now();
    const rows = list.map((pr) => [
      String(pr.number),
      pr.state,
      String(pr.approvals.length),
      pr.head,
      ago(pr.createdAt, now),
      pr.title,
    ]);
    if (rows.length > 0)
      this.print(
        table(
          HEADER,
          rows.map((row) => row.map(printableLine)),
          this.io,
        ),
      );
    else this.note(`${printableLine(repo)} has no pull requests.\n`);
    return list;
  }
}
