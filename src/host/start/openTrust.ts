import { join } from 'node:path';
import { createGitOverlaySource } from '../../jobs/workspace/gitOverlaySource.ts';
import type { OverlaySource } from '../../jobs/workspace/overlaySource.ts';
import { RemoteOverlay } from '../../jobs/workspace/remoteOverlay.ts';
import type { Forges } from '../../providers/forges.ts';
import { TrustService } from '../../jobs/workspace/trustService.ts';
import { TrustFile } from '../../workflows/trust/trustFile.ts';
import type { Start } from './startOptions.ts';
import { createTeamOverlaySource } from './teamOverlay.ts';

/** Where the tenant layer comes from; null = a folder of this machine, which needs no trust. */
function createOverlaySource(start: Start): OverlaySource | null {
  const { settings, hostEnv } = start;
  const { overlay } = settings.tenant;
  if (overlay.kind === 'localDir') return null;
  // A machine without a layer gets that of its team as soon as it is paired.
  if (overlay.kind !== 'gitRemote') return createTeamOverlaySource(start);
  return createGitOverlaySource({
    settings: overlay,
    mirrorsDir: join(settings.home, 'mirrors', 'overlay'),
    sshAuthSock: hostEnv.SSH_AUTH_SOCK ?? null,
  });
}

/** What people have allowed repositories to run, and the team overlay, which other people can change too. */
export const openTrust = (start: Start, forges: Forges) => {
  const { settings, clock, log, ids } = start;
  const file = new TrustFile(join(settings.home, 'trust.json'), ids.next);
  const source = createOverlaySource(start);
  const { baseIntelligence } = settings;
  const tenant = source && new RemoteOverlay({ source, baseIntelligence, trust: file, clock, log });
  const trust = new TrustService({
    file,
    repos: async () => {
      const repos = await Promise.all(forges.all().map((forge) => forge.repos()));
      const isUsed = settings.tenant.overlay.kind !== 'none';
      const overlays =
        tenant && isUsed
          ? [{ ...tenant.trusted, defaultBranch: '', read: () => tenant.listWanted() }]
          : [];
      return [...repos.flat(), ...overlays];
    },
    now: clock.now,
  });
  return { trust, tenant };
};
