import type { OverlaySources } from '../../../src/jobs/workspace/jobOverlays.ts';

/** No repository is trusted, and there are no external tool servers. */
export const noOverlayGates: Pick<OverlaySources, 'trust' | 'servers'> = {
  trust: { has: async () => false },
  servers: { resolve: async () => ({ servers: [], notes: [] }) },
};
