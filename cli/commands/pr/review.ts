import { Flags } from '@oclif/core';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { Review, ReviewVerdict } from '../../../src/contract/schema/forge/review.ts';
import { SvcCommand } from '../../base/base.ts';
import { pickJobPullRequest } from '../../remote/pickJobPullRequest.ts';
import { refuseInsideSession, confirmOrRefuse } from '../../input/confirmOrRefuse.ts';
import { authorFlag, toAuthorField, headFlag, prFlag, yesFlag } from '../../input/flags.ts';
import { jobArg, jobFlag, teamFlag } from '../../input/resolveObjects.ts';
import { parseReviewComment } from '../../input/parseReviewComment.ts';
import { readTextArgument } from '../../input/readTextArgument.ts';
import { formatPullRequest } from '../../render/job/formatPullRequest.ts';
import { listJobPrFacts, formatReviewOutcome } from '../../render/job/formatReviewOutcome.ts';

const VERDICTS: Readonly<Record<string, ReviewVerdict>> = {
  approve: 'approve',
  'request-changes': 'request_changes',
  comment: 'comment',
};

export default class PrReviewCommand extends SvcCommand {
  static override summary =
    "Review a job's pull request: comments and a decision, sent as one review.";
  static override description =
    "The job's agent gets the review immediately, as one item; a remote forge gets it in the background, and svc pr show shows its delivery. If svc's account opened the pull request, the forge accepts no decision from it: the comments are sent, and the page for the decision is printed. An approval cannot be taken back, so it asks for confirmation; without a terminal, --yes is required. Exits with 1 if you decline.";
  static override examples = [
    '<%= config.bin %> pr review --job shop-job-1790000000000 --verdict request-changes --comment "src/cart.ts:12 This can be null" --comment "README.md:3-5 Say why"',
    'cat review.md | <%= config.bin %> pr review --job shop-job-1790000000000 --pr github:acme/shop#7 --body -',
  ];
  static override args = { job: jobArg };
  static override flags = {
    job: jobFlag,
    team: teamFlag,
    pr: prFlag,
    verdict: Flags.string({
      description: 'Your decision.',
      options: Object.keys(VERDICTS),
      default: 'comment',
    }),
    body: Flags.string({
      description: 'Summary of the review, or - for standard input.',
      helpValue: '<text>',
    }),
    comment: Flags.string({
      char: 'c',
      description: 'A comment: <file>:<line> <text>, or <file>:<first>-<last> <text>. Repeatable.',
      helpValue: '<place text>',
      multiple: true,
    }),
    head: headFlag,
    author: authorFlag,
    yes: yesFlag,
  };

  async run(): Promise<Review | null> {
    const parsed = await this.parse(PrReviewCommand);
    const { flags } = parsed;
    const { job } = this.objects(['job'], parsed);
    refuseInsideSession(this.io.env, 'review in the name of a person');
    const comments = (flags.comment ?? []).map(parseReviewComment);
    const verdict = VERDICTS[flags.verdict] ?? 'comment';
    const body =
      flags.body === undefined
        ? undefined
        : await readTextArgument(flags.body, 'The text', this.io);
    if (verdict === 'comment' && comments.length === 0 && body === undefined)
      throw new SvcError(
        'bad-argument',
        'There is nothing to send: give --comment, --body or --verdict.',
      );
    const client = await this.client(flags);
    const prId = await pickJobPullRequest(client, job, flags.pr);
    const pr = await client.jobPullRequest(job, prId);
    if (verdict === 'approve' && !flags.yes) {
      if (this.io.ask) this.io.err(formatPullRequest(pr, this.io, listJobPrFacts(pr)));
      if (!(await confirmOrRefuse(this.io, false, `Approve ${prId}?`))) {
        this.io.err('Nothing was sent.\n');
        this.io.exitWith(1);
        return null;
      }
    }
    const review = await client.reviewPullRequest(job, prId, {
      head: flags.head ?? pr.headCommit,
      verdict,
      ...(body === undefined ? {} : { body }),
      ...(comments.length === 0 ? {} : { comments }),
      ...toAuthorField(flags.author),
    });
    this.print(formatReviewOutcome(review));
    return review;
  }
}
