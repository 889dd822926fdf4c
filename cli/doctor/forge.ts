import { messageOf } from '../../src/lib/errors.ts';
import { findBranch, headBranch, openRepository } from '../../src/git/repository.ts';
import type { Settings } from '../../src/schema/settings.ts';
import { type Finding, failed, ok, warning } from './check.ts';

type Repos = Settings['forges']['local']['repos'];

async function problemOf({ path, defaultBranch }: Repos[string]): Promise<string | null> {
  try {
    const repository = openRepository(path);
    const branch = defaultBranch ?? headBranch(repository);
    if (branch === null) return `HEAD of ${path} is detached: name its defaultBranch`;
    return (await findBranch(repository, branch)) === undefined
      ? `${path} has no commit on its default branch ${branch}`
      : null;
  } catch (error) {
    return messageOf(error);
  }
}

/** A remote forge that is configured, and what is wrong with its settings; null = nothing. */
interface RemoteForge {
  id: string;
  problem: string | null;
}

/** `remote`: the remote forges that are configured, whose repositories need not be named. */
export async function checkForge(repos: Repos, remote: readonly RemoteForge[]): Promise<Finding> {
  const slugs = Object.keys(repos);
  const wrong = remote.flatMap(({ id, problem }) => (problem === null ? [] : `${id}: ${problem}`));
  if (wrong.length > 0)
    return failed(
      wrong.join('; '),
      'Fix plugins.installed in config.json, and restart the runner.',
    );
  const ids = remote.map(({ id }) => id).join(', ');
  if (slugs.length === 0 && ids !== '') return ok(`repositories of ${ids}`);
  if (slugs.length === 0) {
    return warning(
      'no repository and no forge is configured: jobs have nothing to work on',
      'svc config set forges.local.repos.<slug>.path <folder of the repository>, or configure a forge: svc plugin list',
    );
  }
  const problems: string[] = [];
  for (const [slug, repo] of Object.entries(repos)) {
    const problem = await problemOf(repo);
    if (problem !== null) problems.push(`${slug}: ${problem}`);
  }
  if (problems.length === 0) return ok(`${slugs.join(', ')}: found, with their default branches`);
  return failed(
    problems.join('; '),
    'Fix forges.local.repos in config.json, or the repository that it names.',
  );
}
