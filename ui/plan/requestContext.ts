import type { Client } from '../../src/api/client/client.ts';
import type { IntakeContext } from '../../src/contract/schema/planning/intake.ts';
import { NO_SUGGESTIONS, suggestFromEarlierJobs } from '../jobs/newJob/suggestFromEarlierJobs.ts';

/** As the schema of the request bounds them. */
const MAX_LISTED = 100;
const MAX_DESCRIPTION = 2_000;

/** What is known before the rest has loaded: the runner adds its own workflows and repositories. */
export const createEarlyContext = (): IntakeContext => ({ userLocale: navigator.language });

/** What the dashboard knows that helps the model to fill in a run. */
export async function collectRequestContext(
  client: Pick<Client, 'jobs' | 'job' | 'workflows' | 'forgeRepos'>,
): Promise<IntakeContext> {
  const [{ repos, reviewers }, workflows, local] = await Promise.all([
    suggestFromEarlierJobs(client).catch(() => NO_SUGGESTIONS),
    client.workflows().catch(() => []),
    client.forgeRepos().catch(() => []),
  ]);
  return {
    recentRepos: [...new Set([...repos, ...local.map(({ slug }) => slug)])].slice(0, MAX_LISTED),
    recentReviewers: reviewers,
    availableWorkflows: workflows
      .filter(({ problem }) => problem === undefined)
      .slice(0, MAX_LISTED)
      .map(({ id, label, workflowPath, description }) => ({
        id,
        name: label,
        workflowPath,
        description: description.slice(0, MAX_DESCRIPTION),
      })),
    ...createEarlyContext(),
  };
}
