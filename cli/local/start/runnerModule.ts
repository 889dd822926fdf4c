import type { StartedRunner, StartOptions } from '../../../src/main.ts';
import type { Settings } from '../../../src/contract/schema/runner/settings.ts';

export interface RunnerModule {
  /** Version of the schema of state.db that it writes. */
  storeVersion: number;
  startRunner(settings: Settings, options: StartOptions): Promise<StartedRunner>;
}

/** What reads stored snapshots: the charts of the runner, which are loaded for it. */
export const loadActorInspection = async () => (await import('../../../src/main.ts')).inspectActor;

export const loadRunner = (): Promise<RunnerModule> => import('../../../src/main.ts');
