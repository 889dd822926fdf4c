import type { SandboxNeed, Sandboxes } from '../../../src/executors/sandbox/sandboxes.ts';

export const noSandboxes: Sandboxes = {
  sweep: () => undefined,
  refusal: async () => null,
  probe: async () => ({ profile: null, lacks: 'this runner has no sandboxes' }),
  open: async (_: SandboxNeed) => ({
    state: 'none',
    wanted: false,
    reason: null,
    sandbox: undefined,
    close: async () => [],
  }),
};
