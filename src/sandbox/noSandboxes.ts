import type { SandboxNeed, Sandboxes } from './sandboxes.ts';

/** Of a runner that is made without sandboxes, as in tests: nothing is confined or refused. */
export const NO_SANDBOXES: Sandboxes = {
  sweep: () => undefined,
  refusal: async () => null,
  probed: async () => ({ profile: null, lacks: 'this runner has no sandboxes' }),
  open: async (_: SandboxNeed) => ({
    state: 'none',
    wanted: false,
    reason: null,
    sandbox: undefined,
    close: async () => [],
  }),
};
