import { SvcError } from '../../../base/errors/errors.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../../contract/forge/forge.ts';
import { formatMark } from '../../../git/marks.ts';
import { toForgeAnswer } from '../../rest/answers.ts';
import { createUnconfirmedError } from '../../rest/refusal.ts';
import type { GithubClient } from './client.ts';

type Creation = ForgeOperations['create_repo'];

const answerGithubRepo = (data: {
  full_name: string;
  html_url: string;
  default_branch: string;
  private: boolean;
}): ForgeChange =>
  toForgeAnswer(null, {
    repo: data.full_name,
    url: data.html_url,
    defaultBranch: data.default_branch,
    private: data.private,
  });

export async function createGithubRepo(
  client: GithubClient,
  args: Creation,
  actor: ForgeActor,
): Promise<ForgeChange> {
  const { owner, repo: name } = client.place(args.repo);
  const self = await client.self();
  // A repeat recognizes its repository by this mark; a repository has no other text of ours.
  const fields = {
    name,
    private: args.private,
    auto_init: true,
    description: `${args.description} ${formatMark(actor.operationId)}`.trim(),
  };
  try {
    const { data } = await client.run(`repository ${args.repo}`, (octokit) =>
      owner.toLowerCase() === self.toLowerCase()
        ? octokit.rest.repos.createForAuthenticatedUser(fields)
        : octokit.rest.repos.createInOrg({ org: owner, ...fields }),
    );
    if (typeof Object(data).full_name !== 'string')
      throw createUnconfirmedError(client.server, `repository ${args.repo}`);
    return answerGithubRepo(data);
  } catch (error) {
    if (error instanceof SvcError && /already exists/i.test(error.message)) {
      throw new SvcError(
        'conflict',
        `${args.repo} already exists: choose another name, or use the existing one.`,
      );
    }
    throw error;
  }
}

export async function findCreatedGithubRepo(
  client: GithubClient,
  args: Creation,
  actor: ForgeActor,
): Promise<ForgeChange | null> {
  try {
    const data = await client.get(`repository ${args.repo}`, ({ rest }) =>
      rest.repos.get(client.place(args.repo)),
    );
    return data.description?.includes(formatMark(actor.operationId))
      ? answerGithubRepo(data)
      : null;
  } catch (error) {
    if (error instanceof SvcError && error.code === 'not-found') return null;
    throw error;
  }
}
