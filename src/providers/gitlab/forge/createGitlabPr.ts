import { SvcError } from '../../../base/errors/errors.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../../contract/forge/forge.ts';
import { hasMark, addMark } from '../../../git/marks.ts';
import { expectAnsweredList } from '../../rest/lenientReader.ts';
import type { Mirrors } from '../../../git/mirror.ts';
import { checkBranch } from '../../../git/gitNames.ts';
import { answerOpenedPr } from '../../rest/answers.ts';
import {
  checkBranchesApart,
  checkCreation,
  createNothingToMergeError,
} from '../../rest/creation.ts';
import type { MergeRequest, Project } from './answers.ts';
import { type GitlabClient, PAGE } from './client.ts';
import { toGitlabMapping } from './describe.ts';

type Creation = ForgeOperations['create_pr'];

export interface MergeRequestWrites {
  client: GitlabClient;
  mirrors: Mirrors;
}

const listGitlabBranchPrs = (
  { client }: MergeRequestWrites,
  { repo, head, base }: Creation,
  state: 'opened' | 'all',
): Promise<MergeRequest[]> => {
  const branches = { source_branch: head, ...(base === '' ? {} : { target_branch: base }) };
  const query = { ...branches, state, per_page: PAGE };
  return client.rest.list(`repository ${repo}`, `${client.project(repo)}/merge_requests`, query);
};

async function resolveGitlabBase(
  { client, mirrors }: MergeRequestWrites,
  { repo, base }: Creation,
): Promise<string> {
  if (base !== '') return checkBranch(base, 'base');
  const knownBranch = mirrors.known(repo)?.defaultBranch;
  if (knownBranch) return knownBranch;
  return checkBranch(
    (await client.rest.get<Project>(`repository ${repo}`, client.project(repo))).default_branch ??
      '',
    'base',
  );
}

/** GitLab also opens merge requests without commits, which are of no use. */
async function checkHasWork(
  { client }: MergeRequestWrites,
  repo: string,
  base: string,
  head: string,
): Promise<void> {
  const what = `branches ${base} and ${head} in ${repo}`;
  const { commits } = await client.rest.get<{ commits?: unknown[] }>(
    what,
    `${client.project(repo)}/repository/compare`,
    { from: base, to: head },
  );
  if (expectAnsweredList(client.rest.server, what, commits).length === 0)
    throw createNothingToMergeError(head, base);
}

/** Pushes the branch and opens the merge request; an open one for these branches is answered. */
export async function createGitlabPr(
  service: MergeRequestWrites,
  args: Creation,
  actor: ForgeActor,
): Promise<ForgeChange> {
  const { client, mirrors } = service;
  const { repo, workItem } = args;
  const { head, title } = checkCreation(args);
  const base = await resolveGitlabBase(service, args);
  checkBranchesApart(head, base);
  if (args.checkoutDir !== '') await mirrors.push(repo, args.checkoutDir, head);
  await checkHasWork(service, repo, base, head);
  const description = addMark(args.body, actor.operationId);
  try {
    const mergeRequest = await client.rest.send<MergeRequest>(
      `a pull request of ${repo}`,
      'POST',
      `${client.project(repo)}/merge_requests`,
      { source_branch: head, target_branch: base, title, description },
      ({ iid, references }) => Number.isSafeInteger(iid) && typeof references?.full === 'string',
    );
    return answerOpenedPr(toGitlabMapping(mergeRequest, workItem), false);
  } catch (error) {
    if (!(error instanceof SvcError) || error.data.status !== 409) throw error;
    return answerExistingGitlabPr(service, { ...args, base }, actor);
  }
}

async function answerExistingGitlabPr(
  service: MergeRequestWrites,
  args: Creation,
  actor: ForgeActor,
): Promise<ForgeChange> {
  const [open] = await listGitlabBranchPrs(service, args, 'opened');
  if (!open) {
    throw new SvcError(
      'unreachable',
      `${args.repo} has a pull request for ${args.head}, but does not list it yet.`,
      {
        data: { sent: true },
      },
    );
  }
  const mine = hasMark(open.description ?? '', actor.operationId);
  return answerOpenedPr(toGitlabMapping(open, args.workItem), !mine);
}

export async function findCreatedGitlabPr(
  service: MergeRequestWrites,
  args: Creation,
  actor: ForgeActor,
): Promise<ForgeChange | null> {
  const all = await listGitlabBranchPrs(service, args, 'all');
  const mine = all.find(({ description }) => hasMark(description ?? '', actor.operationId));
  return mine ? answerOpenedPr(toGitlabMapping(mine, args.workItem), false) : null;
}
