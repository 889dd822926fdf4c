import { describePullRequest } from '../../../base/text/describePullRequest.ts';
import { sleep } from '../../../base/time/waiting.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../../contract/forge/forge.ts';
import { hasMark, addLinkMark } from '../../../git/marks.ts';
import { answerMergedPr } from '../../rest/answers.ts';
import type { RestAnswer } from '../../rest/client.ts';
import { createUnconfirmedError } from '../../rest/refusal.ts';
import {
  createMergeError,
  checkMergeable,
  checkPinned,
  explainMergeConflict,
  DRAFT_REASON,
  quoteForgeWords,
  explainProtectedBase,
} from '../../rest/merging.ts';
import type { BitbucketClient } from './client.ts';
import { toBitbucketMapping, pickBitbucketName } from './describe.ts';
import {
  findGitMergeCheck,
  readBitbucketMergeChecks,
  readBitbucketPr,
} from './readBitbucketPullRequest.ts';
import type { Account, Commit, MergeTask, PullRequest } from './resources.ts';

type Merge = ForgeOperations['merge_pr'];

/** Time between two looks at a long merge, ms, and the number of looks: two minutes in all. */
const LOOK_MS = 2_000;
const LOOKS = 60;

/**
 * Throws SvcError `conflict` that says what is in the way, `unreachable` with `data.sent` where the
 * end is not known.
 */
export async function mergeBitbucketPr(
  client: BitbucketClient,
  clock: Clock,
  args: Merge,
  actor: ForgeActor,
): Promise<ForgeChange> {
  const { repo, number } = args;
  const before = await readBitbucketPr(client, repo, number);
  const pr = toBitbucketMapping(before);
  checkMergeable(pr);
  // Bitbucket takes no commit with a merge, so it is compared as late as possible.
  checkPinned(pr, before.source.commit?.hash ?? '', args.head);
  const { mergeStrategy } = client.settings;
  try {
    const answer = await client.sendForAnswer(
      `the merge of ${pr.prId}`,
      'POST',
      `${client.pr(repo, number)}/merge`,
      {
        type: 'pullrequest_merge_parameters',
        merge_strategy: mergeStrategy,
        // A fast-forward makes no commit that could carry a text.
        ...(isFastForwardMerge(mergeStrategy)
          ? {}
          : { message: addLinkMark(pr.title, actor.operationId) }),
      },
    );
    const pullRequest =
      answer.status === 202
        ? await awaitBitbucketMerge(client, clock, args, answer)
        : (answer.body as PullRequest);
    if (Object(pullRequest).state !== 'MERGED')
      throw createUnconfirmedError(client.server, `the merge of ${pr.prId}`);
    // Not read again: for some seconds Bitbucket may still show it as open.
    const merged = { ...pr, state: 'merged' as const, mergedAt: new Date(actor.at).toISOString() };
    return answerMergedPr(
      merged,
      await readBitbucketMergeHash(client, repo, pullRequest),
      await resolveBitbucketMerger(client, pullRequest.closed_by),
    );
  } catch (error) {
    if (!(error instanceof SvcError) || !isBitbucketMergeRefusal(error)) throw error;
    throw await explainBitbucketMergeRefusal(client, args, before, error);
  }
}

const isFastForwardMerge = (strategy: string): boolean => strategy.endsWith('fast_forward');

/** Bitbucket refuses merges with several statuses. */
const isBitbucketMergeRefusal = ({ code }: SvcError): boolean =>
  code === 'conflict' || code === 'bad-argument';

const resolveBitbucketMerger = async (
  client: BitbucketClient,
  account: Account | null,
): Promise<string> => pickBitbucketName(account ?? (await client.self()));

/** Bitbucket shortens the hash within a pull request. */
async function readBitbucketMergeHash(
  client: BitbucketClient,
  repo: string,
  { merge_commit: commit }: PullRequest,
): Promise<string> {
  if (!commit) return '';
  return (
    await client.get<Commit>(`commit ${commit.hash}`, `${client.repo(repo)}/commit/${commit.hash}`)
  ).hash;
}

/**
 * Follows a merge that outlasts its request: Bitbucket answers with the address of its progress.
 */
async function awaitBitbucketMerge(
  client: BitbucketClient,
  clock: Clock,
  { repo, number }: Merge,
  answer: RestAnswer,
): Promise<PullRequest> {
  const what = `the merge of ${describePullRequest(repo, number)}`;
  const location =
    answer.headers.get('location') ??
    String(Object(Object(Object(answer.body).links).self).href ?? '');
  const task = /\/merge\/task-status\/([^/?#]+)/.exec(location)?.[1];
  for (let looks = 0; task !== undefined && looks < LOOKS; looks += 1) {
    await sleep(clock, LOOK_MS);
    const now = await client.get<MergeTask>(
      what,
      `${client.pr(repo, number)}/merge/task-status/${task}`,
    );
    const failure = Object(Object(now).error).message;
    if (typeof failure === 'string') throw new SvcError('conflict', `${what}: ${failure}`);
    if (now.task_status === 'SUCCESS')
      return now.merge_result ?? (await readBitbucketPr(client, repo, number));
  }
  throw new SvcError(
    'unreachable',
    `${client.server.host} is still working on ${what} and does not say when it will finish.`,
    {
      data: { sent: true },
    },
  );
}

/** Bitbucket's refusal says little: the checks of the pull request hold the reason. */
async function explainBitbucketMergeRefusal(
  client: BitbucketClient,
  { repo, number }: Merge,
  pr: PullRequest,
  refusal: SvcError,
): Promise<SvcError> {
  const { prId, head, base } = toBitbucketMapping(pr);
  if (pr.draft === true) return createMergeError(prId, DRAFT_REASON, 'draft');
  const checks = await readBitbucketMergeChecks(client, repo, number);
  const blocking = checks.filter(
    ({ blocking: isBlocking, status }) => isBlocking === true && status !== 'PASSED',
  );
  const { reason = null, status } = findGitMergeCheck(checks) ?? {};
  const conflicts =
    status === 'FAILED'
      ? reason === 'conflicts'
      : /conflict/i.test(refusal.message) && blocking.length === 0;
  const words = quoteForgeWords(client.server.host, refusal);
  if (conflicts)
    return createMergeError(prId, `${explainMergeConflict(head, base)}${words}`, 'conflicts');
  const kinds = blocking.map(({ type, check }) => check?.kind ?? type);
  if (kinds.length === 0) return createMergeError(prId, refusal.message, refusal.data.status);
  return createMergeError(
    prId,
    `${explainProtectedBase(base)} Missing: ${kinds.join(', ')}.${words}`,
    kinds,
  );
}

/**
 * The merge, if the pull request is merged and the commit carries the mark, or cannot carry one.
 */
export async function findBitbucketMerge(
  client: BitbucketClient,
  args: Merge,
  actor: ForgeActor,
): Promise<ForgeChange | null> {
  const pr = await readBitbucketPr(client, args.repo, args.number);
  if (pr.state !== 'MERGED' || pr.merge_commit === null) return null;
  const { hash } = pr.merge_commit;
  const commit = await client.get<Commit>(
    `commit ${hash}`,
    `${client.repo(args.repo)}/commit/${hash}`,
  );
  const isMine = isFastForwardMerge(client.settings.mergeStrategy)
    ? pr.closed_by !== null && pr.closed_by.uuid === (await client.self())?.uuid
    : hasMark(commit.message, actor.operationId);
  return isMine
    ? answerMergedPr(
        toBitbucketMapping(pr),
        commit.hash,
        await resolveBitbucketMerger(client, pr.closed_by),
      )
    : null;
}
