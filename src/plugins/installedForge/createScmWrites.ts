import { SvcError } from '../../base/errors/errors.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../contract/forge/forge.ts';
import type {
  ScmPullRequest,
  ScmPullRequestDetail,
  ScmRepository,
} from '../../contract/forge/scmForge.ts';
import { runGit } from '../../git/runGit.ts';
import { hasMark, addMark, formatMark } from '../../git/marks.ts';
import type { Mirrors } from '../../git/mirror.ts';
import { checkBranch } from '../../git/gitNames.ts';
import {
  toForgeAnswer,
  answerPostedComment,
  answerMergedPr,
  answerOpenedPr,
} from '../../providers/rest/answers.ts';
import {
  checkBranchesApart,
  checkCreation,
  checkCommentText,
  createCommentIdError,
  createNothingToMergeError,
} from '../../providers/rest/creation.ts';
import {
  createMergeError,
  checkApprovable,
  checkMergeable,
  checkPinned,
  createOwnWorkError,
} from '../../providers/rest/merging.ts';
import { checkReviewed } from '../../providers/rest/reviewing.ts';
import type { ForgeActions, ForgeLookups } from '../../providers/rest/operations.ts';
import { listStandingApprovals, toScmPrMapping } from './scmViews.ts';
import type { ScmCalls } from './scmCalls.ts';

interface WriteParts {
  id: string;
  calls: ScmCalls;
  mirrors: Mirrors;
  self(): Promise<string>;
}

type Comment = ForgeOperations['post_pr_comment'] & { commentId?: string };

const isSameScmName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const hasApprovedHead = ({ reviews, headCommit }: ScmPullRequestDetail, me: string): boolean =>
  listStandingApprovals(reviews).some(
    ({ author, commit }) =>
      isSameScmName(author.login, me) && commit !== null && commit === headCommit,
  );

const toCreatedRepoAnswer = (
  scmRepository: ScmRepository,
  args: ForgeOperations['create_repo'],
): ForgeChange =>
  toForgeAnswer(null, {
    repo: scmRepository.repo,
    url: scmRepository.url,
    defaultBranch: '',
    private: args.private,
  });

/** How many commits `head` is ahead of `base` on the forge now. */
async function countCommitsBetween(path: string, base: string, head: string): Promise<number> {
  const range = `refs/heads/${base}..refs/heads/${head}`;
  const { stdout, exitCode } = await runGit(
    ['--git-dir', path, 'rev-list', '--count', range, '--'],
    { answers: [128] },
  );
  if (exitCode === 0) return Number(stdout);
  throw new SvcError('bad-argument', `The forge has no branch ${base} or no branch ${head}.`);
}

/** The write operations of a plugin's forge; svc's mark shows whether one was already done. */
export function createScmWrites({ id, calls, mirrors, self }: WriteParts): {
  act: ForgeActions;
  look: ForgeLookups;
} {
  const pickAddress = ({ repo, number }: { repo: string; number: number }) => ({ repo, number });
  const detail = (args: { repo: string; number: number }): Promise<ScmPullRequestDetail> =>
    calls.read('pullRequest', pickAddress(args));

  async function createPr(
    args: ForgeOperations['create_pr'],
    actor: ForgeActor,
  ): Promise<ForgeChange> {
    const { head, title } = checkCreation(args);
    const { repo } = await calls.read('repository', args.repo);
    if (args.checkoutDir !== '') await mirrors.push(repo, args.checkoutDir, head);
    const { path, defaultBranch } = await mirrors.fetch(repo);
    const base = checkBranch(args.base || defaultBranch, 'base');
    checkBranchesApart(head, base);
    if ((await countCommitsBetween(path, base, head)) === 0)
      throw createNothingToMergeError(head, base);
    const open = async () =>
      (await calls.read('pullRequests', repo)).find(
        (pr) => pr.state === 'open' && pr.head === head && pr.base === base,
      );
    const existing = (pr: ScmPullRequest): ForgeChange =>
      answerOpenedPr(toScmPrMapping(id, pr, args.workItem), !hasMark(pr.body, actor.operationId));
    // Checked first, since svc cannot rely on the plugin to refuse a second one.
    const before = await open();
    if (before) return existing(before);
    const body = addMark(args.body, actor.operationId);
    try {
      const scmPullRequest = await calls.write('createPullRequest', {
        repo,
        head,
        base,
        title,
        body,
      });
      return answerOpenedPr(toScmPrMapping(id, scmPullRequest, args.workItem), false);
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'conflict') throw error;
      const now = await open();
      if (now) return existing(now);
      throw error;
    }
  }

  async function comment(args: Comment, actor: ForgeActor): Promise<ForgeChange> {
    const body = addMark(checkCommentText(args.body), actor.operationId);
    const pr = await detail(args);
    const { commentId: replyTo = null } = args;
    if (replyTo !== null && !pr.comments.some((one) => one.id === replyTo))
      throw createCommentIdError(replyTo);
    const scmComment = await calls.write('comment', { ...pickAddress(pr), body, replyTo });
    return answerPostedComment(toScmPrMapping(id, pr), {
      id: scmComment.id,
      url: scmComment.url ?? pr.url,
      inReplyTo: replyTo,
    });
  }

  async function findComment(args: Comment, actor: ForgeActor): Promise<ForgeChange | null> {
    const [pr, me] = [await detail(args), await self()];
    const scmComment = pr.comments.find(
      ({ author, body }) => isSameScmName(author.login, me) && hasMark(body, actor.operationId),
    );
    if (!scmComment) return null;
    const { id: commentId, url = pr.url, replyTo: inReplyTo } = scmComment;
    return answerPostedComment(toScmPrMapping(id, pr), { id: commentId, url, inReplyTo });
  }

  const toApproval = (pr: ScmPullRequest, me: string, existing: boolean): ForgeChange => {
    const { prId, url } = toScmPrMapping(id, pr);
    return toForgeAnswer(toScmPrMapping(id, pr), { prId, url, approvals: [me], existing });
  };

  async function findApproval(args: ForgeOperations['approve_pr']): Promise<ForgeChange | null> {
    const [pr, me] = [await detail(args), await self()];
    return hasApprovedHead(pr, me) ? toApproval(pr, me, false) : null;
  }

  async function approve(args: ForgeOperations['approve_pr']): Promise<ForgeChange> {
    const [pr, me] = [await detail(args), await self()];
    const mapping = toScmPrMapping(id, pr);
    checkApprovable(mapping);
    checkReviewed(mapping, pr.headCommit, args.head);
    if (isSameScmName(pr.author.login, me)) throw createOwnWorkError(me, mapping.prId, id);
    if (hasApprovedHead(pr, me)) return toApproval(pr, me, true);
    await calls.write('approve', pickAddress(pr));
    return toApproval(pr, me, false);
  }

  async function merge(args: ForgeOperations['merge_pr'], actor: ForgeActor): Promise<ForgeChange> {
    const before = await detail(args);
    const mapping = toScmPrMapping(id, before);
    checkMergeable(mapping);
    checkPinned(mapping, before.headCommit, args.head);
    if (before.headCommit === '')
      throw createMergeError(mapping.prId, `${id} does not report its newest commit.`, 'sha');
    const message = `${before.title}\n\n${formatMark(actor.operationId)}`;
    const request = { ...pickAddress(before), head: before.headCommit, message };
    const merged = await calls.write('merge', request);
    if (merged.state !== 'merged') {
      // The plugin reports no refusal either, so svc checks whether it was done.
      const what = `${id}: merge() answered a pull request that is ${merged.state}.`;
      throw new SvcError('unreachable', what, { data: { sent: true } });
    }
    return answerMergedPr(toScmPrMapping(id, merged), merged.mergeCommit ?? '', await self());
  }

  async function findMerge(args: ForgeOperations['merge_pr']): Promise<ForgeChange | null> {
    const [pr, me] = [await detail(args), await self()];
    if (pr.state !== 'merged' || !isSameScmName(pr.endedBy?.login ?? '', me)) return null;
    return answerMergedPr(toScmPrMapping(id, pr), pr.mergeCommit ?? '', me);
  }

  async function createRepo(
    args: ForgeOperations['create_repo'],
    actor: ForgeActor,
  ): Promise<ForgeChange> {
    const description = `${args.description} ${formatMark(actor.operationId)}`.trim();
    const repositoryRequest = { repo: args.repo, description, private: args.private };
    return toCreatedRepoAnswer(await calls.write('createRepository', repositoryRequest), args);
  }

  async function findRepo(
    args: ForgeOperations['create_repo'],
    actor: ForgeActor,
  ): Promise<ForgeChange | null> {
    try {
      const repository = await calls.read('repository', args.repo);
      const isMine = hasMark(repository.description ?? '', actor.operationId);
      return isMine ? toCreatedRepoAnswer(repository, args) : null;
    } catch (error) {
      if (error instanceof SvcError && error.code === 'not-found') return null;
      throw error;
    }
  }

  async function findCreated(
    { repo, workItem }: ForgeOperations['create_pr'],
    actor: ForgeActor,
  ): Promise<ForgeChange | null> {
    const all = await calls.read('pullRequests', repo);
    const mine = all.find(({ body }) => hasMark(body, actor.operationId));
    return mine ? answerOpenedPr(toScmPrMapping(id, mine, workItem), false) : null;
  }

  return {
    act: {
      create_repo: createRepo,
      create_pr: createPr,
      post_pr_comment: comment,
      reply_to_comment: comment,
      approve_pr: approve,
      merge_pr: merge,
      review_pr: async () => {
        throw new SvcError('not-possible-now', `${id} takes no reviews, only comments.`);
      },
    },
    look: {
      create_repo: findRepo,
      create_pr: findCreated,
      post_pr_comment: findComment,
      reply_to_comment: findComment,
      approve_pr: findApproval,
      merge_pr: findMerge,
      review_pr: async () => null,
    },
  };
}
