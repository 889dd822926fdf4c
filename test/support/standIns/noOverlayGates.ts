import type { OverlaySources } from '../../../src/workplace/jobOverlays.ts';

/** No repository is trusted, and there are no external tool servers. */
export const noOverlayGates: Pick<OverlaySources, 'trust' | 'servers'> = {
  trust: { has: async () => false },
  servers: { resolve: async () => ({ servers: [], notes: [] }) },
};
