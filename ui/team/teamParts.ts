import type { TeamApi } from './teamApi.ts';
import type { TeamStore } from './teamStore.ts';

/** What the pages of a team work with. */
export interface TeamParts {
  api: TeamApi;
  store: TeamStore;
  /** Reads the runners again. Rejects where that fails. */
  refreshRunners(): Promise<unknown>;
}
