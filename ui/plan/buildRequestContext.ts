import type { IntakeContext } from '../../src/contract/schema/planning/intake.ts';
import type { RunSources } from './run/readRunSources.ts';

/** As the schema of the request bounds them. */
const MAX_LISTED = 100;
const MAX_DESCRIPTION = 2_000;

/** What a message tells the model of the runner; `sources` undefined: they are not known yet. */
export function buildRequestContext(
  sources: Pick<RunSources, 'workflows' | 'repos' | 'suggestions'> | undefined,
  userLocale: string,
): IntakeContext {
  if (sources === undefined) return { userLocale };
  const { workflows, repos, suggestions } = sources;
  return {
    recentRepos: [...new Set([...suggestions.repos, ...repos.map(({ slug }) => slug)])].slice(
      0,
      MAX_LISTED,
    ),
    recentReviewers: suggestions.reviewers,
    availableWorkflows: workflows
      .filter(({ problem }) => problem === undefined)
      .slice(0, MAX_LISTED)
      .map(({ id, label, workflowPath, description }) => ({
        id,
        name: label,
        workflowPath,
        description: description.slice(0, MAX_DESCRIPTION),
      })),
    userLocale,
  };
}
