import type { CreateJobDeps } from '../../../src/job/createJobDeps.ts';

/** There are no rules. */
export const noGuardrails: CreateJobDeps['guardrails'] = {
  check: async ({ args }) => ({ result: 'pass', rule: null, message: '', args: { ...args } }),
};
