import { SvcError } from '../../../base/errors/errors.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../../contract/forge/forge.ts';
import { formatMark } from '../../../git/marks.ts';
import { toForgeAnswer } from '../../rest/answers.ts';
import type { Project } from './answers.ts';
import type { GitlabClient } from './client.ts';

type Creation = ForgeOperations['create_repo'];

const answerGitlabRepo = (project: Project): ForgeChange =>
  toForgeAnswer(null, {
    repo: project.path_with_namespace,
    url: project.web_url,
    defaultBranch: project.default_branch ?? '',
    private: project.visibility === 'private',
  });

export async function createGitlabRepo(
  client: GitlabClient,
  args: Creation,
  actor: ForgeActor,
): Promise<ForgeChange> {
  const full = client.toFullPath(args.repo);
  const cut = full.lastIndexOf('/');
  const [group, path] = [full.slice(0, cut), full.slice(cut + 1)];
  const self = await client.self();
  const isOwn = group.toLowerCase() === self.username.toLowerCase();
  const namespace = isOwn
    ? {}
    : {
        namespace_id: (
          await client.rest.get<{ id: number }>(
            `group ${group}`,
            `/namespaces/${encodeURIComponent(group)}`,
          )
        ).id,
      };
  // A repeat recognizes its project by this mark; a project has no other text of ours.
  const description = `${args.description} ${formatMark(actor.operationId)}`.trim();
  const fields = {
    name: path,
    path,
    description,
    visibility: args.private ? 'private' : 'public',
    initialize_with_readme: true,
  };
  try {
    const project = await client.rest.send<Project>(
      `repository ${full}`,
      'POST',
      '/projects',
      { ...fields, ...namespace },
      ({ path_with_namespace: slug }) => typeof slug === 'string',
    );
    return answerGitlabRepo(project);
  } catch (error) {
    if (error instanceof SvcError && /already been taken/i.test(error.message)) {
      throw new SvcError(
        'conflict',
        `${full} already exists: choose another name, or use the existing one.`,
      );
    }
    throw error;
  }
}

export async function findCreatedGitlabRepo(
  client: GitlabClient,
  args: Creation,
  actor: ForgeActor,
): Promise<ForgeChange | null> {
  try {
    const project = await client.rest.get<Project>(
      `repository ${args.repo}`,
      client.project(args.repo),
    );
    return project.description?.includes(formatMark(actor.operationId))
      ? answerGitlabRepo(project)
      : null;
  } catch (error) {
    if (error instanceof SvcError && error.code === 'not-found') return null;
    throw error;
  }
}
