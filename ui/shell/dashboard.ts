import { createContext, useContext } from 'solid-js';
import type { Client } from '../../src/api/client/client.ts';
import type { LimitsStore } from '../budgets/limitsStore.ts';
import type { InboxStore } from '../inbox/inboxStore.ts';
import type { JobsStore } from '../jobs/list/jobsStore.ts';
import type { RouteName } from '../../src/contract/routes/addresses.ts';
import type { RunnerConnection } from './connection/connection.ts';
import type { ShellStore, Undo } from './shellStore.ts';
import type { Team } from './team.ts';

/** What every page has: client, jobs, inbox, limits, and the shell. */
export interface Dashboard {
  client: Client;
  shell: ShellStore;
  jobs: JobsStore;
  inbox: InboxStore;
  limits: LimitsStore;
  /** On the page of a team; null = it is that of a runner. */
  team: Team | null;
  /** Whether there is such an operation, and the person may use it; a runner of one's own has all. */
  offers(operation: RouteName): boolean;
  /** Receives errors of requests; it checks whether the runner still answers. */
  connection: RunnerConnection;
  /**
   * Sends a command and reports the outcome as a toast: `says` on success, else the problem. `undo`
   * is offered in the toast; `onRefusal` receives the problem instead of the toast. True = the runner
   * accepted it.
   */
  run(
    says: string,
    send: (client: Client) => Promise<unknown>,
    undo?: Undo,
    onRefusal?: (error: unknown) => void,
  ): Promise<boolean>;
}

const DashboardContext = createContext<Dashboard>();
export const DashboardProvider = DashboardContext.Provider;

export function useDashboard(): Dashboard {
  const dashboard = useContext(DashboardContext);
  if (!dashboard) throw new Error('This component is used outside the dashboard.');
  return dashboard;
}
