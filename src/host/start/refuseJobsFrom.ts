import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { Pairing } from './pairing.ts';

type AcceptSettings = Pick<Settings['cloud'], 'accept'>;
type KnownRunner = Pick<Pairing, 'runner'> | null;

/** Whose jobs run here. `pairing`: null = the control plane has not said yet whose machine this is. */
export function resolveAccept(
  { accept }: AcceptSettings,
  pairing: KnownRunner,
): 'own' | 'team' | 'none' {
  const isOfPool = pairing !== null && pairing.runner.ownerId === null;
  return accept ?? (isOfPool ? 'team' : 'own');
}

/**
 * Why jobs of this person do not run here; null = they do. Code of a job runs on this machine: only its configuration
 * says whose. `userId`: null = of no one, but of the pool.
 */
export function refuseJobsFrom(
  userId: string | null,
  settings: AcceptSettings,
  pairing: KnownRunner,
): string | null {
  const accept = resolveAccept(settings, pairing);
  if (accept === 'team') return null;
  if (accept === 'none')
    return 'This runner takes no jobs from its team (cloud.accept is none in its configuration).';
  return userId !== null && pairing?.runner.ownerId === userId
    ? null
    : "This runner takes only its owner's jobs (cloud.accept is own in its configuration).";
}
