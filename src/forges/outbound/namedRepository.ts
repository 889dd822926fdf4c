import type { WorkflowTable } from '../../contract/schema/workflow/workflow.ts';
import { parseWritesToEntries } from '../../contract/schema/forge/parseWritesTo.ts';
import { type Forges, type JobRepo, readJobRepo } from '../../providers/forges.ts';

interface NamingJob {
  params: Readonly<Record<string, unknown>>;
  workflow: Pick<WorkflowTable, 'writesTo' | 'coordinator'>;
}

/** The forge and the one name of a repository; null where no configured forge could have it. */
export function locateRepo(forges: Forges, repo: JobRepo): { forge: string; repo: string } | null {
  const forge = forges.findFor(repo);
  const name = forge?.canonical(repo.slug) ?? null;
  return forge && name !== null ? { forge: forge.id, repo: name } : null;
}

/**
 * Whether a person or front matter has named this repository for a job: it is the job's own,
 * `writesTo` of its params or of its workflow holds the whole of it, or the coordinator gives it to
 * every sub-run. A pull request that is named does not name its repository.
 */
export function isRepositoryNamed(
  forges: Forges,
  { params, workflow }: NamingJob,
  repo: JobRepo,
): boolean {
  const repoPlace = locateRepo(forges, repo);
  if (!repoPlace) return false;
  const entries = [
    ...parseWritesToEntries(params.writesTo),
    ...parseWritesToEntries(workflow.writesTo),
  ];
  const jobRepos: JobRepo[] = entries
    .filter(({ number }) => number === null)
    .map(({ provider, name }) => ({ provider, slug: name }));
  const own = readJobRepo(params);
  const ofSubRuns = readJobRepo({ ...params, ...workflow.coordinator?.subRunParamsDefault });
  return [...jobRepos, ...(own ? [own] : []), ...(ofSubRuns ? [ofSubRuns] : [])].some((one) => {
    const place = locateRepo(forges, one);
    return place?.forge === repoPlace.forge && place.repo === repoPlace.repo;
  });
}
