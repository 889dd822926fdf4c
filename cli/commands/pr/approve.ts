import type { PullRequest } from '../../../src/contract/schema/api/replies.ts';
import type { SvcApproval } from '../../../src/contract/schema/forge/review.ts';
import { SvcCommand } from '../../base/base.ts';
import { pickJobPullRequest } from '../../remote/pickJobPullRequest.ts';
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
import { toPrintableLine } from '../../render/text/toPrintable.ts';
import { formatPrLine, formatPullRequest } from '../../render/job/formatPullRequest.ts';
import { listJobPrFacts } from '../../render/job/formatReviewOutcome.ts';

/** Characters of a commit's hash that people are shown. */
const SHOWN = 12;

export default class PrApproveCommand extends SvcCommand {
  static override summary = 'Approve a pull request of a job in svc, or one of the local forge.';
  static override description =
    "With --job: svc keeps the approval, on every forge, and nothing is sent to the forge. The job's agent may then merge exactly this commit, if its checks are green and the forge allows it; a new commit voids the approval. It cannot be taken back, so it asks for confirmation; without a terminal, --yes is required. Exits with 1 if you decline. With --repo and --number: approves a pull request on the local forge.";
  static override examples = [
    '<%= config.bin %> pr approve --job shop-job-1790000000000',
    '<%= config.bin %> pr approve --job shop-job-1790000000000 --pr github:acme/shop#7 --yes',
    '<%= config.bin %> pr approve --repo shop --number 1',
  ];
  static override args = { repo: repoArg, number: numberArg };
  static override flags = {
    job: { ...jobFlag, exclusive: ['repo', 'number'] },
    team: teamFlag,
    pr: { ...prFlag, dependsOn: ['job'] },
    head: { ...headFlag, dependsOn: ['job'] },
    repo: repoFlag,
    number: numberFlag,
    author: authorFlag,
    yes: yesFlag,
  };

  async run(): Promise<PullRequest | SvcApproval | null> {
    const parsed = await this.parse(PrApproveCommand);
    const { flags } = parsed;
    refuseInsideSession(this.io.env, 'approve');
    if (flags.job !== undefined) return this.#inSvc(flags.job, flags);
    const { repo, number } = this.objects(['repo', 'number'], parsed);
    const pr = await (await this.client(flags)).approvePullRequest(
      repo,
      Number(number),
      toAuthorField(flags.author),
    );
    this.print(formatPrLine(pr));
    return pr;
  }

  async #inSvc(
    job: string,
    flags: {
      url: string | undefined;
      pr: string | undefined;
      head: string | undefined;
      author: string | undefined;
      yes: boolean;
    },
  ): Promise<SvcApproval | null> {
    const client = await this.client(flags);
    const prId = await pickJobPullRequest(client, job, flags.pr);
    const pr = await client.jobPullRequest(job, prId);
    if (!flags.yes) {
      if (this.io.ask) this.io.err(formatPullRequest(pr, this.io, listJobPrFacts(pr)));
      if (!(await confirmOrRefuse(this.io, false, `Approve ${prId} for a merge by its agent?`))) {
        this.io.err('Nothing was done.\n');
        this.io.exitWith(1);
        return null;
      }
    }
    const approval = await client.approveInSvc(job, prId, {
      head: flags.head ?? pr.headCommit,
      ...toAuthorField(flags.author),
    });
    const { person, head } = approval;
    this.print(
      `${toPrintableLine(`${prId} approved in svc by ${person} at ${head.slice(0, SHOWN)}. Nothing was sent to the forge; its agent may merge this commit.`)}\n`,
    );
    return approval;
  }
}
