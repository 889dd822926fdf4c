import { describePullRequest } from '../../../base/text/describePullRequest.ts';
import { readTextAt, toIsoDate } from '../../../base/json/untrusted.ts';
import { sleep } from '../../../base/time/waiting.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../../contract/forge/forge.ts';
import { formatMark } from '../../../git/marks.ts';
import { answerMergedPr, answerQueuedMerge } from '../../rest/answers.ts';
import {
  createMergeError,
  checkMergeable,
  checkPinned,
  quoteForgeWords,
} from '../../rest/merging.ts';
import type { MergeRequest } from './answers.ts';
import type { GitlabClient } from './client.ts';
import {
  isSettledMr,
  toGitlabLogin,
  toGitlabMapping,
  formatGitlabPrId,
  readGitlabSlug,
} from './describe.ts';
import { describeMergeStatus } from './mergeStatus.ts';
import { hasMergeTrains, joinMergeTrain, ON_TRAIN, findOwnCar } from './mergeTrain.ts';
import { getMergeRequest } from './readMergeRequest.ts';

type Merge = ForgeOperations['merge_pr'];

/** Longest wait until GitLab knows whether a merge is possible, ms. */
const SETTLE_MS = 30_000;
const LOOK_MS = 1_000;

/**
 * Waits until GitLab knows whether a merge is possible: until then it refuses every merge without a
 * reason.
 */
async function awaitSettledMr(
  client: GitlabClient,
  clock: Clock,
  { repo, number }: Merge,
): Promise<MergeRequest> {
  const until = clock.now() + SETTLE_MS;
  for (;;) {
    const mr = await getMergeRequest(client, repo, number);
    if (mr.state !== 'opened' || isSettledMr(mr) || clock.now() >= until) return mr;
    await sleep(clock, LOOK_MS);
  }
}

const pickMergedCommit = ({
  merge_commit_sha: merge,
  squash_commit_sha: squash,
  sha,
}: MergeRequest): string => merge ?? squash ?? sha ?? '';

/**
 * Merges exactly the reviewed commit. Throws SvcError `conflict` or `forbidden` that says what
 * prevents the merge.
 */
export async function mergeGitlabPr(
  client: GitlabClient,
  clock: Clock,
  args: Merge,
  actor: ForgeActor,
): Promise<ForgeChange> {
  const { repo, number } = args;
  const before = await awaitSettledMr(client, clock, args);
  const pr = toGitlabMapping(before);
  checkMergeable(pr);
  checkPinned(pr, before.sha ?? '', args.head);
  const message = `${pr.title}\n\n${formatMark(actor.operationId)}`;
  const squash = client.settings.squash ? { squash: true } : {};
  // GitLab uses one of them, or none where the project makes no merge commit.
  const texts = { merge_commit_message: message, squash_commit_message: message };
  try {
    if (await hasMergeTrains(client, repo)) {
      await joinMergeTrain(client, args, { sha: before.sha, ...squash });
      return answerQueuedMerge(pr, ON_TRAIN);
    }
    const answer = await client.rest.send<MergeRequest>(
      `the merge of ${pr.prId}`,
      'PUT',
      `${client.mergeRequest(repo, number)}/merge`,
      { sha: before.sha, ...squash, ...texts },
      ({ state }) => typeof state === 'string',
    );
    const merged = await awaitGitlabMerge(client, clock, args, answer);
    if (merged.state === 'closed' || merged.merge_error)
      throw createMergeError(pr.prId, merged.merge_error ?? 'it was closed.', merged.state);
    if (merged.state !== 'merged') return answerQueuedMerge(pr, LATER);
    const mergedAt = toIsoDate(merged.merged_at ?? actor.at);
    return answerMergedPr(
      { ...pr, state: 'merged', mergedAt },
      pickMergedCommit(merged),
      (await client.self()).username,
    );
  } catch (error) {
    throw error instanceof SvcError ? await explainGitlabMergeRefusal(client, args, error) : error;
  }
}

const LATER = 'GitLab has accepted the merge and has not finished it.';

/** Waits for a merge that GitLab continues after its answer. */
async function awaitGitlabMerge(
  client: GitlabClient,
  clock: Clock,
  { repo, number }: Merge,
  answer: MergeRequest,
): Promise<MergeRequest> {
  const until = clock.now() + SETTLE_MS;
  let mr = answer;
  while (mr.state === 'locked' && clock.now() < until) {
    await sleep(clock, LOOK_MS);
    mr = await getMergeRequest(client, repo, number);
  }
  return mr;
}

/** GitLab mostly answers "405 Method Not Allowed": the merge request holds the reason. */
async function explainGitlabMergeRefusal(
  client: GitlabClient,
  args: Merge,
  refusal: SvcError,
): Promise<SvcError> {
  const { status } = refusal.data;
  if (typeof status !== 'number' || ![401, 405, 406, 409, 422].includes(status)) return refusal;
  const mr = await getMergeRequest(client, args.repo, args.number);
  const prId = formatGitlabPrId(readGitlabSlug(mr), mr.iid);
  // The same token has just read the merge request, so the account lacks the right.
  if (status === 401) {
    const who = toGitlabLogin(await client.self());
    const text = `${who} may not merge into ${mr.target_branch} of ${readGitlabSlug(mr)}: the branch is protected, or its role is too low. Ask a person to merge ${prId}, or to give it the right.`;
    return new SvcError('forbidden', text, { data: { status } });
  }
  if (status === 409) {
    return createMergeError(
      prId,
      'its branch has new commits. Check them, and merge again.',
      'sha',
    );
  }
  const text = describeMergeStatus(mr, client.host);
  const reason = mr.detailed_merge_status ?? mr.merge_status ?? 'unknown';
  return createMergeError(prId, `${text}${quoteForgeWords(client.host, refusal)}`, reason);
}

/**
 * The merge, if the merge request is merged and its commit carries the mark, or cannot carry one.
 */
export async function findGitlabMerge(
  client: GitlabClient,
  args: Merge,
  actor: ForgeActor,
): Promise<ForgeChange | null> {
  const mr = await getMergeRequest(client, args.repo, args.number);
  const car = await findOwnCar(client, args);
  if (mr.state !== 'merged')
    return car && mr.state !== 'closed' ? answerQueuedMerge(toGitlabMapping(mr), ON_TRAIN) : null;
  if (car)
    return answerMergedPr(toGitlabMapping(mr), pickMergedCommit(mr), toGitlabLogin(car.user));
  const by = toGitlabLogin(mr.merge_user);
  const answer = answerMergedPr(toGitlabMapping(mr), pickMergedCommit(mr), by);
  // A fast-forward makes no commit of ours.
  if (mr.merge_commit_sha === null && mr.squash_commit_sha === null)
    return by === (await client.self()).username ? answer : null;
  const commit = await client.rest.get<{ message?: unknown }>(
    `commit ${pickMergedCommit(mr)} of ${describePullRequest(args.repo, args.number)}`,
    `${client.project(args.repo)}/repository/commits/${pickMergedCommit(mr)}`,
  );
  return readTextAt(commit, 'message').includes(formatMark(actor.operationId)) ? answer : null;
}
