import type { JobPullRequest, Review } from '../../../src/contract/schema/forge/review.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

const SHOWN = 12;

export function listJobPrFacts(pr: JobPullRequest): string[] {
  const current = pr.svcApprovals.filter((one) => one.current).map(({ person }) => person);
  return [
    `commit     ${pr.headCommit.slice(0, SHOWN)}`,
    ...(current.length === 0 ? [] : [`in svc     approved by ${current.join(', ')}`]),
    ...(pr.conflicts === null || pr.conflicts.length === 0
      ? []
      : [`conflicts  ${pr.conflicts.join(', ')}`]),
  ];
}

/** The outcome of a review, part by part where the forge does not have all of it. */
export function formatReviewOutcome(review: Review): string {
  const { state, prId, comments, given, problem, agentToldOf } = review;
  const what = { queued: 'on its way', sent: 'sent', partly: 'sent in part', failed: 'not sent' };
  const missing = comments
    .filter((one) => one.state === 'rejected' || one.state === 'undecided')
    .map(
      ({ path, line, state: is, reason }) =>
        `  ${is}: ${path}${line === null ? '' : `:${line}`}: ${reason ?? ''}`,
    );
  const decision =
    given.state === 'elsewhere'
      ? [`  The decision was not sent: ${given.reason ?? ''}. Give it at ${given.url ?? ''}`]
      : given.state === 'rejected' || given.state === 'undecided'
        ? [`  The decision is ${given.state}: ${given.reason ?? ''}`]
        : [];
  return [
    `The review of ${prId} is ${what[state]}${agentToldOf ? ', and its agent has it' : ''}.`,
    ...(problem === null ? [] : [`  ${problem}`]),
    ...decision,
    ...missing,
  ]
    .map((line) => `${toPrintableLine(line)}\n`)
    .join('');
}
