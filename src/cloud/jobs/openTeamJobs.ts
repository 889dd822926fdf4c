import type { CloudContext } from '../server/cloudContext.ts';
import type { RouteGroup } from '../server/cloudCall.ts';
import type { RunnerDirectory } from '../runners/runnerDirectory.ts';
import { createJobHandlers } from './createJobHandlers.ts';
import { Dispatcher } from './dispatches/dispatcher.ts';
import { storeJobs } from './list/storeJobs.ts';
import { TeamChanges } from './list/teamChanges.ts';
import { createProxyGroup } from './proxy/proxyGroup.ts';

export interface TeamJobs {
  handlers: ReturnType<typeof createJobHandlers>;
  /** The runner's own routes, below a team. */
  proxied: RouteGroup;
  close(): Promise<void>;
}

/** The jobs of the teams: their list, their dispatches, and requests to the runners that they are on. */
export function openTeamJobs(
  context: CloudContext,
  directory: RunnerDirectory,
  leaving: AbortSignal,
): TeamJobs {
  const changes = new TeamChanges(context);
  directory.onJobs(async (jobs) => {
    await storeJobs(context.database, jobs);
    changes.poke(jobs.teamId);
  });
  const dispatcher = new Dispatcher({ context, directory });
  return {
    handlers: createJobHandlers({ context, directory, dispatcher, changes, leaving }),
    proxied: createProxyGroup({ context, directory, leaving }),
    async close() {
      changes.close();
      await dispatcher.close();
    },
  };
}
