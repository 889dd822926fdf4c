import type { CreateJobDeps } from '../../../src/jobs/create/createJobDeps.ts';

/** No rules. */
export const noGuardrails: CreateJobDeps['guardrails'] = {
  check: async ({ args }) => ({ result: 'pass', rule: null, message: '', args: { ...args } }),
};
