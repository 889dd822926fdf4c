import { SvcError } from '../../src/base/errors/errors.ts';
import { openHomeClient } from '../../src/host/start/homes/openHomeClient.ts';
import { isPaired } from '../../src/host/start/isPaired.ts';
import type { Io } from '../io.ts';
import { readHomeSettings } from './readHomeSettings.ts';

/** How long a control plane that is away is waited for, ms. */
const RELEASE_MS = 15_000;

/**
 * - `none`: the home belongs to no team, or the control plane has no log of it that others could continue.
 * - `released`: another runner may continue its jobs.
 * - `refused`: the control plane does not take the token any more; `url`: its address.
 * - `claimed`: another runner has the jobs already.
 */
export type HomeRelease =
  | { outcome: 'none' | 'released' | 'claimed' }
  | { outcome: 'refused'; url: string };

/**
 * Gives up the home of a stopped runner before it is removed, so that another runner of its team may continue its jobs.
 * Throws SvcError `cloud-unreachable`: nothing must be removed then.
 */
export async function releaseHome(io: Pick<Io, 'env' | 'homeDir' | 'now'>): Promise<HomeRelease> {
  const settings = await readHomeSettings(io).catch((error: unknown) => {
    // The plan names it as unreadable, and a person has agreed.
    if (error instanceof SvcError && error.code === 'config-invalid') return null;
    throw error;
  });
  if (settings === null || !isPaired(settings.cloud)) return { outcome: 'none' };
  const client = openHomeClient(settings);
  const patience = { signal: new AbortController().signal, until: io.now() + RELEASE_MS };
  try {
    const state = await client.readState(patience);
    if (state === null || state.state !== 'open') return { outcome: 'none' };
    const { generation, head: n, hash } = state;
    await client.release({ generation, n, hash }, patience);
    return { outcome: 'released' };
  } catch (error) {
    if (error instanceof SvcError && error.code === 'unauthorized')
      return { outcome: 'refused', url: settings.cloud.url };
    if (error instanceof SvcError && error.code === 'home-claimed') return { outcome: 'claimed' };
    if (error instanceof SvcError && error.code === 'cloud-unreachable')
      throw new SvcError(
        'cloud-unreachable',
        `${error.message} The home was not removed: its jobs would be lost to its team. Run the same command when the control plane answers, or svc logout --abandon first.`,
        { cause: error },
      );
    throw error;
  }
}
