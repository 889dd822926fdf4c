import type { RunAdvisor } from '../../../src/jobs/create/refuseToRun.ts';

/** Knows nothing of this machine: every phase can run, and there is no advice. */
export const runsEverything: RunAdvisor = {
  settings: { llm: { defaultProvider: 'command', aliases: {} } },
  lacks: () => null,
  advise: async () => ({ command: null, inFolderOf: null, found: [], open: false, typed: false }),
};
