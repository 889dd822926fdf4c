import { join } from 'node:path';
import { openRemoteOverlay, OVERLAY_TRUST_NAME } from '../../jobs/workspace/remoteOverlay.ts';
import type { Forges } from '../../providers/forges.ts';
import { TrustService } from '../../jobs/workspace/trustService.ts';
import { TrustFile } from '../../workflows/trust/trustFile.ts';
import type { Start } from './startOptions.ts';

/** What people have allowed repositories to run, and the team overlay, itself a repository. */
export const openTrust = (start: Start, forges: Forges) => {
  const { settings, clock, log, ids, hostEnv } = start;
  const file = new TrustFile(join(settings.home, 'trust.json'), ids.next);
  const tenant = openRemoteOverlay({
    settings,
    trust: file,
    clock,
    log,
    sshAuthSock: hostEnv.SSH_AUTH_SOCK ?? null,
  });
  const overlay = tenant && {
    slug: OVERLAY_TRUST_NAME,
    path: tenant.url,
    defaultBranch: '',
    read: () => tenant.wanted(),
  };
  const trust = new TrustService({
    file,
    repos: async () => {
      const repos = await Promise.all(forges.all().map((forge) => forge.repos()));
      return [...repos.flat(), ...(overlay ? [overlay] : [])];
    },
    now: clock.now,
  });
  return { trust, tenant };
};
