import { SvcError } from '../../../base/errors/errors.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../../contract/forge/forge.ts';
import { readTextAt } from '../../../base/json/untrusted.ts';
import { formatMark } from '../../../git/marks.ts';
import { answerMergedPr } from '../../rest/answers.ts';
import { createUnconfirmedError } from '../../rest/refusal.ts';
import {
  explainBehindBase,
  createMergeError,
  checkMergeable,
  checkPinned,
  explainMergeConflict,
  DRAFT_REASON,
  quoteForgeWords,
  explainProtectedBase,
} from '../../rest/merging.ts';
import type { GithubClient } from './client.ts';
import { formatGithubPrId, toRestMapping } from './describe.ts';
import { readRestHead, readRestPr } from './readRestPr.ts';
import { findViolations, describeViolations } from './mergeViolations.ts';
import type { MergeMethod } from './settings.ts';

type Merge = ForgeOperations['merge_pr'];

/**
 * Merges exactly the reviewed commit. Throws SvcError `conflict` that says what prevents the merge.
 */
export async function mergeGithubPr(
  client: GithubClient,
  args: Merge,
  actor: ForgeActor,
): Promise<ForgeChange> {
  const { repo, number } = args;
  const before = await readRestPr(client, args);
  const pr = toRestMapping(before);
  const newest = readRestHead(client, before);
  checkMergeable(pr);
  checkPinned(pr, newest, args.head);
  const method = await pickGithubMergeMethod(client, repo);
  try {
    const { data } = await client.run(`the merge of ${pr.prId}`, (octokit) =>
      octokit.rest.pulls.merge({
        ...client.place(repo),
        pull_number: number,
        sha: newest,
        merge_method: method,
        // A rebase makes no commit that could carry a text.
        ...(method === 'rebase'
          ? {}
          : { commit_message: `${pr.title}\n\n${formatMark(actor.operationId)}` }),
      }),
    );
    if (Object(data).merged !== true || typeof data.sha !== 'string')
      throw createUnconfirmedError(client.server, `the merge of ${pr.prId}`);
    // Not read again: for some seconds GitHub may still show it as open.
    const merged = { ...pr, state: 'merged' as const, mergedAt: new Date(actor.at).toISOString() };
    return answerMergedPr(merged, data.sha, await client.self());
  } catch (error) {
    const status = error instanceof SvcError ? error.data.status : undefined;
    if (status !== 405 && status !== 409) throw error;
    throw await explainGithubMergeRefusal(client, args, method, error as SvcError);
  }
}

/** The setting that allows each method; the first one is preferred. */
const ALLOWED: readonly [setting: string, method: MergeMethod][] = [
  ['allow_merge_commit', 'merge'],
  ['allow_squash_merge', 'squash'],
  ['allow_rebase_merge', 'rebase'],
];

/** All methods where the token may not see the repository's settings. */
async function listAllowedMergeMethods(client: GithubClient, repo: string): Promise<MergeMethod[]> {
  const data: object = await client.get(`repository ${repo}`, ({ rest }) =>
    rest.repos.get(client.place(repo)),
  );
  return ALLOWED.filter(([setting]) => Object(data)[setting] !== false).map(([, method]) => method);
}

const pickGithubMergeMethod = async (client: GithubClient, repo: string): Promise<MergeMethod> =>
  client.settings.mergeMethod ?? (await listAllowedMergeMethods(client, repo))[0] ?? 'merge';

const MERGE_QUEUE = /merge queue/i;

/** Names the obstacle by the state of the pull request, followed by GitHub's own words. */
async function explainGithubMergeRefusal(
  client: GithubClient,
  args: Merge,
  method: MergeMethod,
  refusal: SvcError,
): Promise<SvcError> {
  const { mergeable_state: state, head, base } = await readRestPr(client, args);
  const prId = formatGithubPrId(base.repo.full_name, args.number);
  const message = String(refusal.data.said ?? refusal.message).trim();
  const because = (text: string, reason: string = state): SvcError =>
    createMergeError(prId, `${text}${quoteForgeWords(client.server.host, refusal)}`, reason);
  if (refusal.data.status === 409)
    return because('its branch has new commits. Check them, and merge again.', 'sha');
  if (MERGE_QUEUE.test(message))
    return because(
      `${base.ref} has a merge queue, which svc does not use: ask a person to add it, and wait (await_event).`,
      'merge_queue',
    );
  const violations = findViolations(message);
  const [first] = violations;
  // A cause named by the words counts more than the state, which only says that something is
  // missing.
  if (first && state !== 'dirty' && state !== 'draft') {
    const allowedMethods =
      first.cure === 'method' ? await listAllowedMergeMethods(client, args.repo) : [];
    const isPlain = violations.every(({ cure }) => cure === 'wait') && state === 'blocked';
    return because(
      isPlain
        ? explainProtectedBase(base.ref)
        : describeViolations(violations, base.ref, method, allowedMethods),
      first.cure === 'method' ? 'method' : state,
    );
  }
  // Not `unstable`: GitHub merges it, since the failed check is not required.
  const reasons: Readonly<Record<string, string>> = {
    dirty: explainMergeConflict(head.ref, base.ref),
    blocked: explainProtectedBase(base.ref),
    behind: explainBehindBase(head.ref, base.ref),
    draft: DRAFT_REASON,
  };
  const reason = reasons[state];
  if (reason !== undefined) return because(reason);
  return createMergeError(prId, message || `${client.server.host} gives no reason.`, state);
}

/**
 * The merge, if the pull request is merged and the commit carries the mark, or cannot carry one.
 */
export async function findGithubMerge(
  client: GithubClient,
  args: Merge,
  actor: ForgeActor,
): Promise<ForgeChange | null> {
  const data = await readRestPr(client, args);
  const commit = data.merge_commit_sha;
  if (!data.merged || commit === null) return null;
  const by = data.merged_by?.login ?? '';
  const mine = async (): Promise<boolean> => {
    if ((await pickGithubMergeMethod(client, args.repo)) === 'rebase')
      return by === (await client.self());
    const what = `commit ${commit}`;
    const mergeCommit = await client.get(what, ({ rest }) =>
      rest.repos.getCommit({ ...client.place(args.repo), ref: commit }),
    );
    return readTextAt(mergeCommit, 'commit', 'message').includes(formatMark(actor.operationId));
  };
  return (await mine()) ? answerMergedPr(toRestMapping(data), commit, by) : null;
}
