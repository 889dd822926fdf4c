import { createContext, useContext } from 'solid-js';
import type { Client } from '../../src/api/client/client.ts';
import type { LimitsStore } from '../budgets/limitsStore.ts';
import type { InboxStore } from '../inbox/inboxStore.ts';
import type { JobsStore } from '../jobs/list/jobsStore.ts';
import type { RunnerConnection } from './connection/connection.ts';
import type { ShellStore, Undo } from './shellStore.ts';

/**
 * What every page has: the runner's client, the list of jobs, what waits for a person, what limits
 * all jobs, and the shell around the page.
 */
export interface Dashboard {
  client: Client;
  shell: ShellStore;
  jobs: JobsStore;
  inbox: InboxStore;
  limits: LimitsStore;
  /** Receives errors of requests; it checks whether the runner still answers. */
  connection: RunnerConnection;
  /**
   * Sends a command and reports the outcome as a toast: `says` when the runner took it, its
   * problem when not. The toast offers `undo` where it is given. What was refused goes to `refused`
   * instead of the toast, where that is given. True when it was taken.
   */
  run(
    says: string,
    send: (client: Client) => Promise<unknown>,
    undo?: Undo,
    refused?: (error: unknown) => void,
  ): Promise<boolean>;
}

const DashboardContext = createContext<Dashboard>();
export const DashboardProvider = DashboardContext.Provider;

/** The dashboard that a page is part of. */
export function useDashboard(): Dashboard {
  const dashboard = useContext(DashboardContext);
  if (!dashboard) throw new Error('This component is used outside the dashboard.');
  return dashboard;
}
