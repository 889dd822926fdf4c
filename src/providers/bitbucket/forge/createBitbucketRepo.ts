import { SvcError } from '../../../base/errors/errors.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../../contract/forge/forge.ts';
import { hasMark, addLinkMark } from '../../../git/marks.ts';
import { toForgeAnswer } from '../../rest/answers.ts';
import type { BitbucketClient } from './client.ts';
import type { Repository } from './resources.ts';

type Creation = ForgeOperations['create_repo'];

/** Branch of the first commit; it becomes the default one. */
const FIRST_BRANCH = 'main';

const answerBitbucketRepo = ({
  full_name,
  links,
  mainbranch,
  is_private,
}: Repository): ForgeChange =>
  toForgeAnswer(null, {
    repo: full_name,
    url: links.html.href,
    defaultBranch: mainbranch?.name ?? FIRST_BRANCH,
    private: is_private,
  });

const readBitbucketRepo = (client: BitbucketClient, repo: string): Promise<Repository> =>
  client.get<Repository>(`repository ${repo}`, client.repo(repo));

export async function createBitbucketRepo(
  client: BitbucketClient,
  args: Creation,
  actor: ForgeActor,
): Promise<ForgeChange> {
  const createdRepo = await createOrFindBitbucketRepo(client, args, actor);
  if (createdRepo.mainbranch === null) await commitFirstReadme(client, args);
  return answerBitbucketRepo(createdRepo);
}

async function createOrFindBitbucketRepo(
  client: BitbucketClient,
  args: Creation,
  actor: ForgeActor,
): Promise<Repository> {
  const { repo, description, private: isPrivate } = args;
  try {
    return await client.send<Repository>(
      `repository ${repo}`,
      'POST',
      client.repo(repo),
      {
        // A repeat recognizes its repository by this mark; a repository has no other text of ours.
        scm: 'git',
        is_private: isPrivate,
        description: addLinkMark(description, actor.operationId),
        ...(client.settings.project === '' ? {} : { project: { key: client.settings.project } }),
      },
      ({ full_name: slug }) => typeof slug === 'string',
    );
  } catch (error) {
    if (!(error instanceof SvcError) || !/already exists/i.test(error.message)) throw error;
    const there = await readBitbucketRepo(client, repo);
    if (hasMark(there.description ?? '', actor.operationId)) return there;
    throw new SvcError(
      'conflict',
      `${repo} already exists: choose another name, or use the existing one.`,
    );
  }
}

/** Bitbucket creates repositories empty, and a branch needs a commit to begin at. */
async function commitFirstReadme(
  client: BitbucketClient,
  { repo, description }: Creation,
): Promise<void> {
  const name = client.toFullSlug(repo).split('/').at(-1) ?? repo;
  const readme = `# ${name}\n${description === '' ? '' : `\n${description}\n`}`;
  const form = new URLSearchParams({
    'README.md': readme,
    message: 'First commit',
    branch: FIRST_BRANCH,
  });
  await client.sendForAnswer(
    `the first commit of ${repo}`,
    'POST',
    `${client.repo(repo)}/src`,
    form,
  );
}

/**
 * The repository that the operation created, with its first commit; null = not visible, or
 * incomplete.
 */
export async function findCreatedBitbucketRepo(
  client: BitbucketClient,
  args: Creation,
  actor: ForgeActor,
): Promise<ForgeChange | null> {
  try {
    const there = await readBitbucketRepo(client, args.repo);
    const isComplete =
      there.mainbranch !== null && hasMark(there.description ?? '', actor.operationId);
    return isComplete ? answerBitbucketRepo(there) : null;
  } catch (error) {
    if (error instanceof SvcError && error.code === 'not-found') return null;
    throw error;
  }
}
