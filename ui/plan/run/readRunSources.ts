import type { Client } from '../../../src/api/client/client.ts';
import type { ForgeRepo } from '../../../src/contract/schema/api/replies.ts';
import type { ForgeView } from '../../../src/contract/schema/forge/forge.ts';
import type { WorkflowEntry } from '../../../src/contract/schema/workflow/workflow.ts';
import { readCoachMode } from '../../jobs/newJob/coachMode.ts';
import {
  type Suggestions,
  suggestFromEarlierJobs,
} from '../../jobs/newJob/suggestFromEarlierJobs.ts';

/** What a run can be chosen from; the model is given the same. */
export interface RunSources {
  workflows: readonly WorkflowEntry[];
  repos: readonly ForgeRepo[];
  forges: readonly ForgeView[];
  interactive: boolean;
  suggestions: Suggestions;
}

export async function readRunSources(
  client: Pick<Client, 'workflows' | 'forgeRepos' | 'forges' | 'config' | 'jobs' | 'job'>,
): Promise<RunSources> {
  const [workflows, repos, forges, interactive, suggestions] = await Promise.all([
    client.workflows(),
    client.forgeRepos(),
    client.forges(),
    // An unreadable configuration does not prevent dispatching; being asked is the safe choice.
    client.config().then(
      ({ reply }) => readCoachMode(reply).enabled,
      () => true,
    ),
    suggestFromEarlierJobs(client),
  ]);
  return { workflows, repos, forges, interactive, suggestions };
}
