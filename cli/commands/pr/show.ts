import type { PullRequestThread } from '../../../src/contract/schema/api/replies.ts';
import { SvcCommand } from '../../base/base.ts';
import { pickJobPullRequest } from '../../remote/pickJobPullRequest.ts';
import { prFlag } from '../../input/flags.ts';
import {
  jobFlag,
  teamFlag,
  numberArg,
  numberFlag,
  repoArg,
  repoFlag,
} from '../../input/resolveObjects.ts';
import { toPrintable } from '../../render/text/toPrintable.ts';
import { formatPullRequest } from '../../render/job/formatPullRequest.ts';
import { listJobPrFacts, formatReviewOutcome } from '../../render/job/formatReviewOutcome.ts';

export default class PrShowCommand extends SvcCommand {
  static override summary = 'Show a pull request of a job, or one of the local forge.';
  static override description =
    'With --job: on any forge, with the reviews sent through svc, approvals in svc, and conflicting files. With --repo and --number: on the local forge.';
  static override examples = [
    '<%= config.bin %> pr show --job shop-job-1790000000000',
    '<%= config.bin %> pr show --repo shop --number 1',
  ];
  static override args = { repo: repoArg, number: numberArg };
  static override flags = {
    job: { ...jobFlag, exclusive: ['repo', 'number'] },
    team: teamFlag,
    pr: { ...prFlag, dependsOn: ['job'] },
    repo: repoFlag,
    number: numberFlag,
  };

  async run(): Promise<PullRequestThread> {
    const parsed = await this.parse(PrShowCommand);
    const { flags } = parsed;
    const client = await this.client(flags);
    if (flags.job !== undefined) {
      const prId = await pickJobPullRequest(client, flags.job, flags.pr);
      const pr = await client.jobPullRequest(flags.job, prId);
      this.print(formatPullRequest(pr, this.io, listJobPrFacts(pr)));
      for (const review of pr.reviews.toReversed()) this.print(`\n${formatReviewOutcome(review)}`);
      if (pr.rebaseRequest !== null && !this.jsonEnabled())
        this.io.err(
          `\nTo ask the agent to resolve the conflicts, edit this text and send it with svc message --job ${flags.job} -\n\n${toPrintable(pr.rebaseRequest)}\n`,
        );
      return pr;
    }
    const { repo, number } = this.objects(['repo', 'number'], parsed);
    const pr = await client.pullRequest(repo, Number(number));
    this.print(formatPullRequest(pr, this.io));
    return pr;
  }
}
