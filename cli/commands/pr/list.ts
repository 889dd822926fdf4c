import type { PullRequest } from '../../../src/contract/schema/api/replies.ts';
import { SvcCommand } from '../../base/base.ts';
import { repoArg, repoFlag } from '../../input/resolveObjects.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';
import { renderTable } from '../../render/text/renderTable.ts';
import { formatAgo } from '../../render/text/formatTimeWithAgo.ts';

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
      formatAgo(pr.createdAt, now),
      pr.title,
    ]);
    if (rows.length > 0)
      this.print(
        renderTable(
          HEADER,
          rows.map((row) => row.map(toPrintableLine)),
          this.io,
        ),
      );
    else this.note(`${toPrintableLine(repo)} has no pull requests.\n`);
    return list;
  }
}
