import { SvcError } from '../../../base/errors/errors.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../../contract/forge/forge.ts';
import { hasMark, addLinkMark } from '../../../git/marks.ts';
import type { Mirrors } from '../../../git/mirror.ts';
import { checkBranch } from '../../../git/gitNames.ts';
import { answerOpenedPr } from '../../rest/answers.ts';
import {
  checkBranchesApart,
  checkCreation,
  createNothingToMergeError,
} from '../../rest/creation.ts';
import type { BitbucketClient } from './client.ts';
import { toBitbucketMapping } from './describe.ts';
import { PR_PAGE } from './openList.ts';
import type { PullRequest, Repository } from './resources.ts';

type Creation = ForgeOperations['create_pr'];

const isBitbucketPr = ({ id, destination, links }: Partial<PullRequest>): boolean =>
  Number.isSafeInteger(id) &&
  typeof destination?.repository?.full_name === 'string' &&
  typeof links?.html?.href === 'string';

export interface PullRequestWrites {
  client: BitbucketClient;
  mirrors: Mirrors;
}

const ALL = ['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED'];
const quoteBitbucketFilter = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

function listBitbucketBranchPrs(
  { client }: PullRequestWrites,
  { repo, head, base }: Creation,
  state: readonly string[],
): Promise<PullRequest[]> {
  const full = client.toFullSlug(repo);
  const q = [
    `source.branch.name = ${quoteBitbucketFilter(head)}`,
    `source.repository.full_name = ${quoteBitbucketFilter(full)}`,
    ...(base === '' ? [] : [`destination.branch.name = ${quoteBitbucketFilter(base)}`]),
  ].join(' AND ');
  return client.list(`repository ${full}`, `${client.repo(repo)}/pullrequests`, {
    q,
    state,
    pagelen: PR_PAGE,
  });
}

async function resolveBitbucketBase(
  { client, mirrors }: PullRequestWrites,
  { repo, base }: Creation,
): Promise<string> {
  if (base !== '') return checkBranch(base, 'base');
  const knownBranch = mirrors.known(repo)?.defaultBranch;
  if (knownBranch) return knownBranch;
  const { mainbranch } = await client.get<Repository>(`repository ${repo}`, client.repo(repo));
  if (mainbranch) return mainbranch.name;
  throw new SvcError(
    'not-found',
    `${repo} has no commit on its default branch: create its first commit on the forge.`,
  );
}

/** Pushes the branch and opens the pull request; an open one for these branches is answered. */
export async function createBitbucketPr(
  service: PullRequestWrites,
  args: Creation,
  actor: ForgeActor,
): Promise<ForgeChange> {
  const { client, mirrors } = service;
  const { repo, body, workItem, checkoutDir } = args;
  const { head, title } = checkCreation(args);
  const base = await resolveBitbucketBase(service, args);
  checkBranchesApart(head, base);
  if (checkoutDir !== '') await mirrors.push(repo, checkoutDir, head);
  // Checked first: Bitbucket would overwrite title and text of the open pull request.
  const [open] = await listBitbucketBranchPrs(service, { ...args, base }, ['OPEN']);
  if (open)
    return answerOpenedPr(
      toBitbucketMapping(open, workItem),
      !hasMark(open.summary?.raw ?? '', actor.operationId),
    );
  try {
    const pullRequest = await client.send<PullRequest>(
      `a pull request of ${repo}`,
      'POST',
      `${client.repo(repo)}/pullrequests`,
      {
        title,
        description: addLinkMark(body, actor.operationId),
        source: { branch: { name: head } },
        destination: { branch: { name: base } },
      },
      isBitbucketPr,
    );
    client.rememberSelf(pullRequest.author);
    return answerOpenedPr(toBitbucketMapping(pullRequest, workItem), false);
  } catch (error) {
    if (error instanceof SvcError && /no changes to be pulled/i.test(error.message))
      throw createNothingToMergeError(head, base);
    throw error;
  }
}

export async function findCreatedBitbucketPr(
  service: PullRequestWrites,
  args: Creation,
  actor: ForgeActor,
): Promise<ForgeChange | null> {
  const mine = (await listBitbucketBranchPrs(service, args, ALL)).find(({ summary }) =>
    hasMark(summary?.raw ?? '', actor.operationId),
  );
  return mine ? answerOpenedPr(toBitbucketMapping(mine, args.workItem), false) : null;
}
