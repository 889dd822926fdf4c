import type { CreateJobDeps } from '../../../src/jobs/create/createJobDeps.ts';
import type { Estimate } from '../../../src/contract/schema/policy/estimate.ts';
import { noGuardrails } from './noGuardrails.ts';
import { noSandboxes } from './noSandboxes.ts';
import { runsEverything } from './runsEverything.ts';

const NOTHING = { usd: null, tokens: null, sessions: null, minutes: null };
const NO_ESTIMATE: Estimate = {
  bound: NOTHING,
  assumes: { visits: 0, sessions: 0, subRuns: 0 },
  history: null,
  stops: [],
  approvals: [],
  text: [],
};

/** Every repository exists and can be used. */
export const noMissingRepositories = {
  errors: async () => [],
  problem: async () => null,
  isMissing: async () => false,
};

export const noJobGates: Pick<
  CreateJobDeps,
  | 'repositories'
  | 'runAdvisor'
  | 'budgets'
  | 'enforcement'
  | 'estimates'
  | 'sandboxes'
  | 'guardrails'
  | 'disk'
> = {
  repositories: noMissingRepositories,
  runAdvisor: runsEverything,
  budgets: { problemOfNew: () => null },
  enforcement: { accounts: () => [], phases: () => [] },
  estimates: { of: () => NO_ESTIMATE },
  sandboxes: noSandboxes,
  guardrails: noGuardrails,
  disk: { reason: null },
};
