import { toReviewActorId, reviewChart, type ReviewInput } from '../../../machines/index.ts';
import type { ForgeActor } from '../../contract/forge/forge.ts';
import type { Runner } from '../../contract/runner/runner.ts';
import type { RequestKey } from '../../contract/job/requestKey.ts';
import type { Send } from '../../kernel/contract.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import { translateKernelErrors } from '../../jobs/commands/refusals.ts';
import type { Requests } from '../../jobs/commands/requests.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { type Ids, sha256 } from '../../base/system/ids/ids.ts';
import type { Forges } from '../../providers/forges.ts';
import { checkReviewable, checkReviewed } from '../../providers/rest/reviewing.ts';
import type { RowChange, KernelUse } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { Caller } from '../../contract/schema/runner/caller.ts';
import type { ProviderEvent } from '../../contract/schema/forge/pr.ts';
import type { ReviewBody, SvcApproval } from '../../contract/schema/forge/review.ts';
import { checkReviewBody, previewReview } from './previewReview.ts';
import { readDiffAtHead } from './readDiffAtHead.ts';
import {
  loadJobPullRequest,
  type OwnedPullRequest,
  requireOwnedPullRequest,
} from './loadJobPullRequest.ts';
import {
  toSvcApproval,
  toReviewComments,
  toApprovalEventId,
  type ReviewContent,
  type ReviewOutcome,
  type ReviewRow,
  toReviewView,
} from './reviewRows.ts';
import { readPrPicture } from './readPrPicture.ts';
import { formatReviewText } from './formatReviewText.ts';

export type ReviewRoutes = Pick<
  Runner,
  | 'jobPullRequest'
  | 'jobPullRequestDiff'
  | 'jobPicture'
  | 'reviews'
  | 'reviewPullRequest'
  | 'approveInSvc'
  | 'setReviewThread'
>;

export interface ReviewServiceDeps {
  kernel: KernelUse;
  rows: RowReader;
  forges: Forges;
  requests: Requests;
  ids: Ids;
  now(): number;
  /** Throws SvcError `not-found`. */
  readState(jobId: string): unknown;
}

/** The name of a person who gives none. */
const DEVELOPER = 'developer';
const ID_CHARS = 16;
const SOURCE = 'review';

/**
 * Throws SvcError `unauthorized`: a request without a credential may come from any program on the
 * machine.
 */
function checkReviewerIsPerson(by: Caller): void {
  if (by !== 'open') return;
  throw new SvcError(
    'unauthorized',
    "An approval needs the runner's token or a dashboard login, also where server.auth is off.",
  );
}

/**
 * What people do with the pull requests of jobs, on every forge. A review and the message to its
 * job are one commit; an actor of its own sends a review to a remote forge.
 */
export const createReviewService = ({
  kernel,
  rows,
  forges,
  requests,
  ids,
  now,
  readState,
}: ReviewServiceDeps): ReviewRoutes => {
  const requireOwned = (jobId: string, prId: string): OwnedPullRequest => {
    readState(jobId);
    return requireOwnedPullRequest({ rows, forges }, jobId, prId);
  };
  const requireRow = (id: string): ReviewRow => {
    const row = rows.one('reviews', { id });
    if (row) return row;
    throw new SvcError('internal', `the review ${id} was taken, but its row was not found`);
  };

  async function review(
    { mapping, forge }: OwnedPullRequest,
    body: ReviewBody,
    { id, by, claim }: { id: string; by: Caller; claim: RowChange<'requests'>[] },
  ): Promise<void> {
    const { repo, number } = mapping;
    const content: ReviewContent = {
      body: (body.body ?? '').trim(),
      comments: toReviewComments(body),
    };
    const pr = await forge.pullRequest(repo, number);
    const outcome = await previewReview(forge, pr, body, content);
    const row: ReviewRow = {
      id,
      job_id: mapping.job_id,
      forge: forge.id,
      repo,
      number,
      pr_id: mapping.pr_id,
      head: pr.headCommit,
      author: body.author ?? DEVELOPER,
      came: by,
      at: now(),
      verdict: body.verdict ?? 'comment',
      content: JSON.stringify(content),
      state: 'queued',
      problem: null,
      outcome: JSON.stringify(outcome),
    };
    const item = toJobSend(row, content, pr.url);
    if (forge.capabilities.remote) {
      const input: ReviewInput = { reviewId: id, jobId: row.job_id };
      const start = { chart: reviewChart.id, id: toReviewActorId(id), input };
      await kernel.submit({
        starts: [start],
        rows: [{ op: 'put', table: 'reviews', row }, ...claim],
        sends: [item],
      });
      return;
    }
    const actor: ForgeActor = { author: row.author, at: row.at, operationId: `review:${id}` };
    const write = {
      repo,
      number,
      head: row.head,
      verdict: row.verdict,
      body: content.body,
      comments: outcome.placed.flatMap((index) => content.comments[index] ?? []),
    };
    const change = await forge.write('review_pr', write, actor);
    const sentReview: ReviewRow = {
      ...row,
      state: outcome.placed.length < content.comments.length ? 'partly' : 'sent',
      outcome: JSON.stringify(markOutcomeSent(outcome)),
    };
    await kernel.submit({
      rows: [...change.rows, { op: 'put', table: 'reviews', row: sentReview }, ...claim],
      sends: [item],
    });
  }

  const hasRequestedSince = (
    { pr_id: prId }: OwnedPullRequest['mapping'],
    { person, at }: Tables['svc_approvals'],
  ): boolean =>
    rows
      .all('reviews', { pr_id: prId, author: person, verdict: 'request_changes' })
      .some((review) => review.at >= at);

  /** All checks come first, so a refused approval writes nothing. */
  async function approve(
    { mapping, forge }: OwnedPullRequest,
    { head, person, by }: { head: string; person: string; by: Caller },
    claim: RowChange<'requests'>[],
  ): Promise<SvcApproval> {
    const { repo, number, pr_id: prId } = mapping;
    const pr = await forge.pullRequest(repo, number);
    checkReviewable(pr);
    checkReviewed(pr, pr.headCommit, head);
    const key = { forge: forge.id, repo, number, person, head: pr.headCommit };
    const ownApproval = rows.one('svc_approvals', key);
    // Approved again after changes were requested at the same commit: the later decision counts.
    const renewed = ownApproval !== undefined && hasRequestedSince(mapping, ownApproval);
    const before = renewed ? undefined : ownApproval;
    const row = before ?? { ...key, at: now(), came: by };
    const event: ProviderEvent = {
      kind: 'approved',
      forge: forge.id,
      repo,
      number,
      prId,
      author: person,
      text: `Approved in svc at commit ${row.head}. It is not shown at the forge; merge_pr counts it.`,
      url: pr.url,
      externalId: `${prId}:approved:svc:${person}:${row.head}${renewed ? `:${row.at}` : ''}`,
      happenedAt: row.at,
    };
    await kernel.submit({
      rows: [
        ...(before ? [] : [{ op: 'put' as const, table: 'svc_approvals' as const, row }]),
        ...claim,
      ],
      sends: [toOwnerSend(mapping.job_id, event)],
    });
    return toSvcApproval(row, true);
  }

  return {
    jobPullRequest: async (jobId, prId) => loadJobPullRequest(rows, requireOwned(jobId, prId)),
    async jobPullRequestDiff(jobId, prId) {
      const { mapping, forge } = requireOwned(jobId, prId);
      return readDiffAtHead(forge, mapping);
    },
    jobPicture: async (jobId, prId, query) => readPrPicture(requireOwned(jobId, prId), query),
    reviews(jobId) {
      readState(jobId);
      return rows
        .all('reviews', { job_id: jobId }, { order: 'at', desc: true })
        .map((row) => toReviewView(row, rows));
    },
    async reviewPullRequest(jobId, prId, body, { by, requestKey }) {
      const place = requireOwned(jobId, prId);
      if (body.verdict === 'approve') checkReviewerIsPerson(by);
      checkReviewBody(body, toReviewComments(body));
      const id = deriveReviewId('review', requestKey) ?? ids.next();
      const view = () => toReviewView(requireRow(id), rows);
      return requests.runOnce(requestKey, view, async (scope) => {
        await translateKernelErrors(jobId, () =>
          review(place, body, { id, by, claim: scope.claim(jobId) }),
        );
        return view();
      });
    },
    async approveInSvc(jobId, prId, { head, author = DEVELOPER }, { by, requestKey }) {
      const place = requireOwned(jobId, prId);
      checkReviewerIsPerson(by);
      const approvalFields = { head, person: author, by };
      return requests.runOnce(
        requestKey,
        () => approve(place, approvalFields, []),
        (scope) =>
          translateKernelErrors(jobId, () => approve(place, approvalFields, scope.claim(jobId))),
      );
    },
    async setReviewThread(jobId, prId, id, resolved) {
      const { mapping, forge } = requireOwned(jobId, prId);
      const { repo, number } = mapping;
      if (!forge.resolveThread)
        throw new SvcError('not-possible-now', `svc cannot resolve threads at ${forge.id}.`);
      const actor = { author: DEVELOPER, at: now(), operationId: ids.next() };
      const change = await forge.resolveThread({ repo, number, id, resolved }, actor);
      if (change.rows.length > 0)
        await translateKernelErrors(jobId, () => kernel.submit({ rows: change.rows }));
      return { id, resolved };
    },
  };
};

/**
 * Derived from the request key where there is one, so that a repeat after a crash gets the same
 * answer.
 */
const deriveReviewId = (what: string, request: RequestKey | undefined): string | null =>
  request ? sha256(`${what}/${request.key}`).slice(0, ID_CHARS) : null;

const markOutcomeSent = (outcome: ReviewOutcome): ReviewOutcome => ({
  ...outcome,
  given: {
    ...outcome.given,
    state: outcome.given.state === 'queued' ? 'sent' : outcome.given.state,
  },
  text: outcome.text === null ? null : 'sent',
  comments: outcome.comments.map((one) =>
    one.state === 'queued' ? { ...one, state: 'sent' } : one,
  ),
});

const toOwnerSend = (jobId: string, event: ProviderEvent): Send => ({
  to: jobId,
  event: { type: 'forge.event', event },
  source: SOURCE,
  externalId: event.externalId,
});

/**
 * One item of the job's inbox. Remarks are a message of the person, which wakes the job whatever it
 * waits for; an approval may be what the job waits for.
 */
function toJobSend(row: ReviewRow, content: ReviewContent, url: string): Send {
  const text = formatReviewText({ prId: row.pr_id, head: row.head, verdict: row.verdict }, content);
  if (row.verdict !== 'approve')
    return {
      to: row.job_id,
      event: { type: 'job.message', id: row.id, text, author: row.author },
      source: SOURCE,
      externalId: row.id,
    };
  return toOwnerSend(row.job_id, {
    kind: 'approved',
    forge: row.forge,
    repo: row.repo,
    number: row.number,
    prId: row.pr_id,
    author: row.author,
    text,
    url,
    externalId: toApprovalEventId(row),
    happenedAt: row.at,
  });
}
