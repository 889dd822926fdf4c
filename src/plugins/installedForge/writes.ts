import { SvcError } from '../../lib/errors.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../contract/forge.ts';
import type {
  ScmPullRequest,
  ScmPullRequestDetail,
  ScmRepository,
} from '../../contract/scmForge.ts';
import { runGit } from '../../git/git.ts';
import { hasMark, marked, markOf } from '../../git/marks.ts';
import type { Mirrors } from '../../git/mirror.ts';
import { checkBranch } from '../../git/names.ts';
import {
  answerOf,
  commentAnswer,
  mergedAnswer,
  openedAnswer,
} from '../../providers/rest/answers.ts';
import {
  checkApart,
  checkCreation,
  checkText,
  noSuchCommentId,
  nothingToMerge,
} from '../../providers/rest/creation.ts';
import {
  cannotMerge,
  checkApprovable,
  checkMergeable,
  checkPinned,
  ownWork,
} from '../../providers/rest/merging.ts';
import { checkReviewed } from '../../providers/rest/reviewing.ts';
import type { Acts, Looks } from '../../providers/rest/operations.ts';
import { approvalsOf, mappingOf } from './describe.ts';
import type { ScmCalls } from './scmCalls.ts';

interface WriteParts {
  /** Id of the plugin. */
  id: string;
  calls: ScmCalls;
  mirrors: Mirrors;
  self(): Promise<string>;
}

type Comment = ForgeOperations['post_pr_comment'] & { commentId?: string };

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Whether the account has approved the newest commit. */
const isApproved = ({ reviews, headCommit }: ScmPullRequestDetail, me: string): boolean =>
  approvalsOf(reviews).some(
    ({ author, commit }) => isSame(author.login, me) && commit !== null && commit === headCommit,
  );

const createdAnswer = (made: ScmRepository, args: ForgeOperations['create_repo']): ForgeChange =>
  answerOf(null, { repo: made.repo, url: made.url, defaultBranch: '', private: args.private });

/** How often `head` is ahead of `base` in what the forge has now. */
async function commitsBetween(path: string, base: string, head: string): Promise<number> {
  const range = `refs/heads/${base}..refs/heads/${head}`;
  const { stdout, exitCode } = await runGit(
    ['--git-dir', path, 'rev-list', '--count', range, '--'],
    { answers: [128] },
  );
  if (exitCode === 0) return Number(stdout);
  throw new SvcError('bad-argument', `The forge has no branch ${base} or no branch ${head}.`);
}

/** The operations of a forge that a plugin brings: done, and looked for by the mark of svc. */
export function writesOf({ id, calls, mirrors, self }: WriteParts): { act: Acts; look: Looks } {
  const addressOf = ({ repo, number }: { repo: string; number: number }) => ({ repo, number });
  const detail = (args: { repo: string; number: number }): Promise<ScmPullRequestDetail> =>
    calls.read('pullRequest', addressOf(args));

  async function createPr(
    args: ForgeOperations['create_pr'],
    actor: ForgeActor,
  ): Promise<ForgeChange> {
    const { head, title } = checkCreation(args);
    const { repo } = await calls.read('repository', args.repo);
    if (args.checkoutDir !== '') await mirrors.push(repo, args.checkoutDir, head);
    const { path, defaultBranch } = await mirrors.fetch(repo);
    const base = checkBranch(args.base || defaultBranch, 'base');
    checkApart(head, base);
    if ((await commitsBetween(path, base, head)) === 0) throw nothingToMerge(head, base);
    const open = async () =>
      (await calls.read('pullRequests', repo)).find(
        (pr) => pr.state === 'open' && pr.head === head && pr.base === base,
      );
    const existing = (pr: ScmPullRequest): ForgeChange =>
      openedAnswer(mappingOf(id, pr, args.workItem), !hasMark(pr.body, actor.operationId));
    // Asked first too: that the plugin refuses a second one is only its word.
    const before = await open();
    if (before) return existing(before);
    const body = marked(args.body, actor.operationId);
    try {
      const made = await calls.write('createPullRequest', { repo, head, base, title, body });
      return openedAnswer(mappingOf(id, made, args.workItem), false);
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'conflict') throw error;
      const now = await open();
      if (now) return existing(now);
      throw error;
    }
  }

  async function comment(args: Comment, actor: ForgeActor): Promise<ForgeChange> {
    const body = marked(checkText(args.body), actor.operationId);
    const pr = await detail(args);
    const { commentId: replyTo = null } = args;
    if (replyTo !== null && !pr.comments.some((one) => one.id === replyTo))
      throw noSuchCommentId(replyTo);
    const made = await calls.write('comment', { ...addressOf(pr), body, replyTo });
    return commentAnswer(mappingOf(id, pr), {
      id: made.id,
      url: made.url ?? pr.url,
      inReplyTo: replyTo,
    });
  }

  async function findComment(args: Comment, actor: ForgeActor): Promise<ForgeChange | null> {
    const [pr, me] = [await detail(args), await self()];
    const made = pr.comments.find(
      ({ author, body }) => isSame(author.login, me) && hasMark(body, actor.operationId),
    );
    if (!made) return null;
    const { id: commentId, url = pr.url, replyTo: inReplyTo } = made;
    return commentAnswer(mappingOf(id, pr), { id: commentId, url, inReplyTo });
  }

  const approved = (pr: ScmPullRequest, me: string, existing: boolean): ForgeChange => {
    const { prId, url } = mappingOf(id, pr);
    return answerOf(mappingOf(id, pr), { prId, url, approvals: [me], existing });
  };

  async function findApproval(args: ForgeOperations['approve_pr']): Promise<ForgeChange | null> {
    const [pr, me] = [await detail(args), await self()];
    return isApproved(pr, me) ? approved(pr, me, false) : null;
  }

  async function approve(args: ForgeOperations['approve_pr']): Promise<ForgeChange> {
    const [pr, me] = [await detail(args), await self()];
    const mapping = mappingOf(id, pr);
    checkApprovable(mapping);
    checkReviewed(mapping, pr.headCommit, args.head);
    if (isSame(pr.author.login, me)) throw ownWork(me, mapping.prId, id);
    if (isApproved(pr, me)) return approved(pr, me, true);
    await calls.write('approve', addressOf(pr));
    return approved(pr, me, false);
  }

  async function merge(args: ForgeOperations['merge_pr'], actor: ForgeActor): Promise<ForgeChange> {
    const before = await detail(args);
    const mapping = mappingOf(id, before);
    checkMergeable(mapping);
    checkPinned(mapping, before.headCommit, args.head);
    if (before.headCommit === '')
      throw cannotMerge(mapping.prId, `${id} does not report its newest commit.`, 'sha');
    const message = `${before.title}\n\n${markOf(actor.operationId)}`;
    const asked = { ...addressOf(before), head: before.headCommit, message };
    const merged = await calls.write('merge', asked);
    if (merged.state !== 'merged') {
      // It claims no refusal either, so whether it was done is looked for.
      const what = `${id}: merge() answered a pull request that is ${merged.state}.`;
      throw new SvcError('unreachable', what, { data: { sent: true } });
    }
    return mergedAnswer(mappingOf(id, merged), merged.mergeCommit ?? '', await self());
  }

  async function findMerge(args: ForgeOperations['merge_pr']): Promise<ForgeChange | null> {
    const [pr, me] = [await detail(args), await self()];
    if (pr.state !== 'merged' || !isSame(pr.endedBy?.login ?? '', me)) return null;
    return mergedAnswer(mappingOf(id, pr), pr.mergeCommit ?? '', me);
  }

  async function createRepo(
    args: ForgeOperations['create_repo'],
    actor: ForgeActor,
  ): Promise<ForgeChange> {
    const description = `${args.description} ${markOf(actor.operationId)}`.trim();
    const asked = { repo: args.repo, description, private: args.private };
    return createdAnswer(await calls.write('createRepository', asked), args);
  }

  async function findRepo(
    args: ForgeOperations['create_repo'],
    actor: ForgeActor,
  ): Promise<ForgeChange | null> {
    try {
      const found = await calls.read('repository', args.repo);
      const isMine = hasMark(found.description ?? '', actor.operationId);
      return isMine ? createdAnswer(found, args) : null;
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
    return mine ? openedAnswer(mappingOf(id, mine, workItem), false) : null;
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
