import { join } from 'node:path';
import { makeOnFirstUse } from '../../base/concurrency/makeOnFirstUse.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { OverlaySource } from '../../jobs/workspace/overlaySource.ts';
import { toShownAddress } from './describeRunner.ts';
import type { Start } from './startOptions.ts';

/** Name under which people trust what the overlay of their team would run. */
const TEAM_TRUST_NAME = 'team-overlay';

export interface TeamOverlayStart extends Pick<Start, 'clock' | 'ids'> {
  settings: Pick<Settings, 'home' | 'version'> & {
    cloud: Pick<Settings['cloud'], 'url' | 'token'>;
  };
}

const readVersion = (revision: string): string => revision.split('.', 1)[0] ?? revision;

/** What a runner without a team does not load, for the control plane at this address. */
async function loadSource({ settings, clock, ids }: TeamOverlayStart, url: string) {
  const [{ RunnerRequests }, { OverlayStore }, { TeamOverlaySource }] = await Promise.all([
    import('../../cloudLink/homes/runnerRequests.ts'),
    import('../../cloudLink/overlay/overlayStore.ts'),
    import('../../cloudLink/overlay/teamOverlaySource.ts'),
  ]);
  const { version, home } = settings;
  const token = () => settings.cloud.token;
  const requests = new RunnerRequests({
    url,
    version,
    readToken: token,
    clock,
    random: Math.random,
  });
  const dir = join(home, 'team-overlay', sha256(url).slice(0, 16));
  return new TeamOverlaySource(requests, new OverlayStore(dir, ids.next));
}

/** The overlay of the team, from the control plane that the settings name at each use. */
export function createTeamOverlaySource(start: TeamOverlayStart): OverlaySource {
  const { cloud } = start.settings;
  const openers = new Map<string, () => ReturnType<typeof loadSource>>();
  const open = () => {
    const { url } = cloud;
    const opener = openers.get(url) ?? makeOnFirstUse(() => loadSource(start, url));
    openers.set(url, opener);
    return opener();
  };
  return {
    get address() {
      return toShownAddress(cloud.url);
    },
    trustName: TEAM_TRUST_NAME,
    fetch: async () => (await open()).fetch(),
    read: async (revision) => (await open()).read(revision),
    keep: async (revision) => (await open()).keep(revision),
    good: async () => (await open()).good(),
    describe: (revision) => `version ${readVersion(revision)}`,
    toOrigin: (revision) =>
      `version ${readVersion(revision)} of the team's overlay at ${toShownAddress(cloud.url)}`,
  };
}
