import { Flags } from '@oclif/core';
import { SvcError } from '../../../src/lib/errors.ts';
import type { Review, ReviewVerdict } from '../../../src/schema/review.ts';
import { SvcCommand } from '../../base/base.ts';
import { jobPullRequest } from '../../connect/jobPullRequest.ts';
import { checkPerson } from '../../input/asPerson.ts';
import { confirmed } from '../../input/confirm.ts';
import { authorFlag, by, headFlag, prFlag, yesFlag } from '../../input/flags.ts';
import { jobArg, jobFlag } from '../../input/objects.ts';
import { reviewComment } from '../../input/reviewComments.ts';
import { textArgument } from '../../input/textArgument.ts';
import { prText } from '../../render/prText.ts';
import { jobPrFacts, reviewText } from '../../render/reviewText.ts';

/** Words of the flag, as people write them. */
const VERDICTS: Readonly<Record<string, ReviewVerdict>> = {
  approve: 'approve',
  'request-changes': 'request_changes',
  comment: 'comment',
};

export default class PrReviewCommand extends SvcCommand {
  static override summary =
    "Review a job's pull request: comments and a verdict, sent as one review.";
  static override description =
    "The job's agent gets the review immediately, as one item; a remote forge gets it in the background, and svc pr show shows its delivery. If svc's account opened the pull request, the forge accepts no verdict from it: the comments are sent, and the page for the verdict is printed. An approval cannot be taken back, so it asks for confirmation; without a terminal, --yes is required. Exits with 1 if you decline.";
  static override examples = [
    '<%= config.bin %> pr review --job shop-job-1790000000000 --verdict request-changes --comment "src/cart.ts:12 This can be null" --comment "README.md:3-5 Say why"',
    'cat review.md | <%= config.bin %> pr review --job shop-job-1790000000000 --pr github:acme/shop#7 --body -',
  ];
  static override args = { job: jobArg };
  static override flags = {
    job: jobFlag,
    pr: prFlag,
    verdict: Flags.string({
      description: 'Your verdict.',
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
    checkPerson(this.io.env, 'review in the name of a person');
    const comments = (flags.comment ?? []).map(reviewComment);
    const verdict = VERDICTS[flags.verdict] ?? 'comment';
    const body =
      flags.body === undefined ? undefined : await textArgument(flags.body, 'The text', this.io);
    if (verdict === 'comment' && comments.length === 0 && body === undefined)
      throw new SvcError(
        'bad-argument',
        'There is nothing to send: give --comment, --body or --verdict.',
      );
    const client = await this.client(flags);
    const prId = await jobPullRequest(client, job, flags.pr);
    const pr = await client.jobPullRequest(job, prId);
    if (verdict === 'approve' && !flags.yes) {
      if (this.io.ask) this.io.err(prText(pr, this.io, jobPrFacts(pr)));
      if (!(await confirmed(this.io, false, `Approve ${prId}?`))) {
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
      ...by(flags.author),
    });
    this.print(reviewText(review));
    return review;
  }
}
