import type { PullRequest } from '../../../src/contract/schema/api/replies.ts';
import { SvcCommand } from '../../base/base.ts';
import { localPullRequest } from '../../remote/pickJobPullRequest.ts';
import { refuseInsideSession, confirmOrRefuse } from '../../input/confirmOrRefuse.ts';
import { authorFlag, toAuthorField, headFlag, prFlag, yesFlag } from '../../input/flags.ts';
import {
  jobFlag,
  teamFlag,
  numberArg,
  numberFlag,
  repoArg,
  repoFlag,
} from '../../input/resolveObjects.ts';
import { formatPrLine, formatPullRequest } from '../../render/job/formatPullRequest.ts';

export default class PrMergeCommand extends SvcCommand {
  static override summary =
    'Merge a pull request of the local forge, named by its job or its number. If the base branch is checked out, its working tree must be clean.';
  static override description =
    'At a terminal, shows the pull request, asks, and merges only the commit shown; --yes and --head merge without asking. Exits with 1 if you decline. In scripts, give --head: without it, the newest commit is merged, whatever it is.';
  static override examples = [
    '<%= config.bin %> pr merge --job shop-job-1790000000000',
    '<%= config.bin %> pr merge --repo shop --number 1',
    '<%= config.bin %> pr merge --repo shop --number 1 --head 3f1c2a9b7d60',
  ];
  static override args = { repo: repoArg, number: numberArg };
  static override flags = {
    job: { ...jobFlag, exclusive: ['repo', 'number'] },
    team: teamFlag,
    pr: { ...prFlag, dependsOn: ['job'] },
    repo: repoFlag,
    number: numberFlag,
    head: headFlag,
    author: authorFlag,
    yes: { ...yesFlag, description: 'Merge without asking.' },
  };

  async run(): Promise<PullRequest | null> {
    const parsed = await this.parse(PrMergeCommand);
    const { flags } = parsed;
    refuseInsideSession(this.io.env, 'merge with this command');
    const client = await this.client(flags);
    const { repo, number } =
      flags.job === undefined
        ? this.objects(['repo', 'number'], parsed)
        : await localPullRequest(client, flags.job, flags.pr);
    let head = flags.head;
    if (head === undefined && !flags.yes && this.io.ask) {
      const shownPr = await client.pullRequest(repo, Number(number));
      // A runner of an earlier version does not say.
      head = shownPr.headCommit || undefined;
      this.io.err(
        formatPullRequest(shownPr, this.io, head === undefined ? [] : [`commit     ${head}`]),
      );
      if (!(await confirmOrRefuse(this.io, false, `Merge ${shownPr.prId}?`))) {
        this.io.err('Nothing was done.\n');
        this.io.exitWith(1);
        return null;
      }
    }
    const pr = await client.mergePullRequest(repo, Number(number), {
      ...toAuthorField(flags.author),
      ...(head === undefined ? {} : { head }),
    });
    this.print(formatPrLine(pr));
    return pr;
  }
}
