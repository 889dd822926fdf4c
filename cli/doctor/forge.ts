import { adviseRepository } from '../../src/git/adviseRepository.ts';
import { examineRepository, type RepositoryProblem } from '../../src/git/examineRepository.ts';
import { readHeadBranch, openRepository } from '../../src/git/openRepository.ts';
import type { Settings } from '../../src/contract/schema/runner/settings.ts';
import { type Finding, toErrorFinding, toOkFinding, toWarningFinding } from './check.ts';

type Repos = Settings['forges']['local']['repos'];

/** A remote forge that is configured, and what is wrong with its settings; null = nothing. */
interface RemoteForge {
  id: string;
  problem: string | null;
}

const prefixWithSlug = (slug: string, repositoryProblem: RepositoryProblem): RepositoryProblem => ({
  problem: `${slug}: ${repositoryProblem.problem}`,
  fix: `${slug}: ${repositoryProblem.fix}`,
});

async function examineRepositories(
  repos: Repos,
  now: number,
): Promise<{ problems: RepositoryProblem[]; advice: RepositoryProblem[] }> {
  const [problems, advice]: [RepositoryProblem[], RepositoryProblem[]] = [[], []];
  for (const [slug, { path, defaultBranch }] of Object.entries(repos)) {
    const problem = await examineRepository(path, defaultBranch);
    if (problem !== null) {
      problems.push(prefixWithSlug(slug, problem));
      continue;
    }
    const branch = defaultBranch ?? readHeadBranch(openRepository(path)) ?? '';
    for (const repositoryProblem of await adviseRepository(path, branch, now))
      advice.push(prefixWithSlug(slug, repositoryProblem));
  }
  return { problems, advice };
}

/** `remote`: configured remote forges, which need no named repositories. `now`: epoch ms. */
export async function checkForge(
  repos: Repos,
  remote: readonly RemoteForge[],
  now: number,
): Promise<Finding> {
  const slugs = Object.keys(repos);
  const wrong = remote.flatMap(({ id, problem }) => (problem === null ? [] : `${id}: ${problem}`));
  if (wrong.length > 0)
    return toErrorFinding(
      wrong.join('; '),
      'Fix plugins.installed in config.json, and restart the runner.',
    );
  const ids = remote.map(({ id }) => id).join(', ');
  if (slugs.length === 0 && ids !== '') return toOkFinding(`repositories of ${ids}`);
  if (slugs.length === 0) {
    return toWarningFinding(
      'no repository and no forge is configured: jobs have nothing to work on',
      'In its folder: svc init. Or configure a forge: svc plugin list',
    );
  }
  const { problems, advice } = await examineRepositories(repos, now);
  const repositoryProblems = [...problems, ...advice];
  const detail = repositoryProblems.map(({ problem }) => problem).join(' ');
  const fix = repositoryProblems.map((one) => one.fix).join('; ');
  if (problems.length > 0) return toErrorFinding(detail, fix);
  if (advice.length > 0) return toWarningFinding(detail, fix);
  return toOkFinding(`${slugs.join(', ')}: found, with their default branches`);
}
