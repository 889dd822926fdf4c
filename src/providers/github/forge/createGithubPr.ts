import { SvcError } from '../../../base/errors/errors.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../../contract/forge/forge.ts';
import { expectText } from '../../rest/expectedValues.ts';
import { readAnswer } from '../../rest/lenientReader.ts';
import { hasMark, addMark } from '../../../git/marks.ts';
import type { Mirrors } from '../../../git/mirror.ts';
import { checkBranch } from '../../../git/gitNames.ts';
import {
  checkBranchesApart,
  checkCreation,
  createNothingToMergeError,
} from '../../rest/creation.ts';
import { answerOpenedPr } from '../../rest/answers.ts';
import { createUnconfirmedError } from '../../rest/refusal.ts';
import type { GithubClient } from './client.ts';
import { type RestPr, toRestMapping } from './describe.ts';

type Creation = ForgeOperations['create_pr'];

const isGithubPr = (data: Partial<RestPr>): boolean =>
  Number.isSafeInteger(data.number) &&
  typeof data.html_url === 'string' &&
  typeof data.base?.repo?.full_name === 'string';

export interface PullRequestWrites {
  client: GithubClient;
  mirrors: Mirrors;
}

const listGithubBranchPrs = (
  { client }: PullRequestWrites,
  { repo, head, base }: Creation,
  state: 'open' | 'all',
): Promise<RestPr[]> => {
  const place = client.place(repo);
  return client.run(`repository ${repo}`, async (octokit) => {
    const { data } = await octokit.rest.pulls.list({
      ...place,
      head: `${place.owner}:${head}`,
      state,
      per_page: 100,
      ...(base === '' ? {} : { base }),
    });
    return data;
  });
};

async function resolveGithubBase(
  { client, mirrors }: PullRequestWrites,
  { repo, base }: Creation,
): Promise<string> {
  if (base !== '') return checkBranch(base, 'base');
  const knownBranch = mirrors.known(repo)?.defaultBranch;
  if (knownBranch) return knownBranch;
  const what = `repository ${repo}`;
  const repository = await client.get(what, ({ rest }) => rest.repos.get(client.place(repo)));
  return readAnswer(client.server, what, () =>
    expectText(repository.default_branch, 'its default branch'),
  );
}

/** Pushes the branch and opens the pull request; an open one for these branches is answered. */
export async function createGithubPr(
  service: PullRequestWrites,
  args: Creation,
  actor: ForgeActor,
): Promise<ForgeChange> {
  const { client, mirrors } = service;
  const { repo, body, workItem } = args;
  const { head, title } = checkCreation(args);
  const base = await resolveGithubBase(service, args);
  checkBranchesApart(head, base);
  const place = client.place(repo);
  if (args.checkoutDir !== '') await mirrors.push(repo, args.checkoutDir, head);
  try {
    const { data } = await client.run(`a pull request of ${repo}`, (octokit) =>
      octokit.rest.pulls.create({
        ...place,
        head,
        base,
        title,
        body: addMark(body, actor.operationId),
      }),
    );
    if (!isGithubPr(Object(data)))
      throw createUnconfirmedError(client.server, `a pull request of ${repo}`);
    return answerOpenedPr(toRestMapping(data, workItem), false);
  } catch (error) {
    if (!(error instanceof SvcError) || error.data.status !== 422) throw error;
    return answerExistingGithubPr(service, { ...args, base }, actor, error);
  }
}

/** GitHub has refused because one is open, or because there is nothing to compare. */
async function answerExistingGithubPr(
  service: PullRequestWrites,
  args: Creation,
  actor: ForgeActor,
  refusal: SvcError,
): Promise<ForgeChange> {
  const { repo, head, base, workItem } = args;
  if (/No commits between/i.test(refusal.message)) throw createNothingToMergeError(head, base);
  if (!/already exists/i.test(refusal.message)) throw refusal;
  const [open] = await listGithubBranchPrs(service, args, 'open');
  if (!open)
    throw new SvcError(
      'unreachable',
      `${repo} has a pull request for ${head}, but does not list it yet.`,
      {
        data: { sent: true },
      },
    );
  const mine = hasMark(open.body ?? '', actor.operationId);
  return answerOpenedPr(toRestMapping(open, workItem), !mine);
}

export async function findCreatedGithubPr(
  service: PullRequestWrites,
  args: Creation,
  actor: ForgeActor,
): Promise<ForgeChange | null> {
  const all = await listGithubBranchPrs(service, args, 'all');
  const mine = all.find(({ body }) => hasMark(body ?? '', actor.operationId));
  return mine ? answerOpenedPr(toRestMapping(mine, args.workItem), false) : null;
}
