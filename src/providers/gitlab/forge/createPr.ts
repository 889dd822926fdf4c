import { SvcError } from '../../../lib/errors.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../../contract/forge.ts';
import { hasMark, marked } from '../../../git/marks.ts';
import type { Mirrors } from '../../../git/mirror.ts';
import { checkBranch } from '../../../git/names.ts';
import { openedAnswer } from '../../rest/answers.ts';
import { checkApart, checkCreation, nothingToMerge } from '../../rest/creation.ts';
import type { MergeRequest, Project } from './answers.ts';
import { type GitlabClient, PAGE } from './client.ts';
import { mappingOf } from './describe.ts';

type Creation = ForgeOperations['create_pr'];

export interface MrDesk {
  client: GitlabClient;
  mirrors: Mirrors;
}

const listed = (
  { client }: MrDesk,
  { repo, head, base }: Creation,
  state: 'opened' | 'all',
): Promise<MergeRequest[]> => {
  const branches = { source_branch: head, ...(base === '' ? {} : { target_branch: base }) };
  const query = { ...branches, state, per_page: PAGE };
  return client.rest.list(`repository ${repo}`, `${client.project(repo)}/merge_requests`, query);
};

async function baseOf({ client, mirrors }: MrDesk, { repo, base }: Creation): Promise<string> {
  if (base !== '') return checkBranch(base, 'base');
  const known = mirrors.known(repo)?.defaultBranch;
  if (known) return known;
  return checkBranch(
    (await client.rest.get<Project>(`repository ${repo}`, client.project(repo))).default_branch ??
      '',
    'base',
  );
}

/** GitLab opens merge requests without a commit as well; nobody is served by one. */
async function checkWork(
  { client }: MrDesk,
  repo: string,
  base: string,
  head: string,
): Promise<void> {
  const { commits } = await client.rest.get<{ commits: unknown[] }>(
    `branches ${base} and ${head} in ${repo}`,
    `${client.project(repo)}/repository/compare`,
    { from: base, to: head },
  );
  if (commits.length === 0) throw nothingToMerge(head, base);
}

/**
 * Pushes the branch and opens the merge request; one that is open for these branches is answered.
 */
export async function createPr(
  desk: MrDesk,
  args: Creation,
  actor: ForgeActor,
): Promise<ForgeChange> {
  const { client, mirrors } = desk;
  const { repo, workItem } = args;
  const { head, title } = checkCreation(args);
  const base = await baseOf(desk, args);
  checkApart(head, base);
  if (args.checkoutDir !== '') await mirrors.push(repo, args.checkoutDir, head);
  await checkWork(desk, repo, base, head);
  const description = marked(args.body, actor.operationId);
  try {
    const made = await client.rest.send<MergeRequest>(
      `a pull request of ${repo}`,
      'POST',
      `${client.project(repo)}/merge_requests`,
      { source_branch: head, target_branch: base, title, description },
      ({ iid, references }) => Number.isSafeInteger(iid) && typeof references?.full === 'string',
    );
    return openedAnswer(mappingOf(made, workItem), false);
  } catch (error) {
    if (!(error instanceof SvcError) || error.data.status !== 409) throw error;
    return existing(desk, { ...args, base }, actor);
  }
}

/** GitLab has refused because one is open for these branches. */
async function existing(desk: MrDesk, args: Creation, actor: ForgeActor): Promise<ForgeChange> {
  const [open] = await listed(desk, args, 'opened');
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
  return openedAnswer(mappingOf(open, args.workItem), !mine);
}

/** The merge request that the operation has opened; null = it is not to be seen. */
export async function findCreated(
  desk: MrDesk,
  args: Creation,
  actor: ForgeActor,
): Promise<ForgeChange | null> {
  const all = await listed(desk, args, 'all');
  const mine = all.find(({ description }) => hasMark(description ?? '', actor.operationId));
  return mine ? openedAnswer(mappingOf(mine, args.workItem), false) : null;
}
