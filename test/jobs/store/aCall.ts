import type { Tables } from '../../../src/contract/records/tables.ts';

type Call = Tables['usage_calls'];

/** A Sunday, one minute before the week ends in UTC. */
export const SUNDAY = Date.UTC(2026, 10, 22, 23, 59);

/** A row of the ledger. */
export const aCall = (changed: Partial<Call> = {}): Call => ({
  subject: 'job-1',
  visit: 1,
  session: 1,
  seq: 1,
  root: 'job-1',
  phase: 'coding',
  workflow: 'workflows/job.md',
  repository: 'shop',
  provider: 'builtin',
  model: 'm',
  at: SUNDAY,
  ms: 1_000,
  input_tokens: 100,
  output_tokens: 10,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  cache_write_1h_tokens: 0,
  reasoning_tokens: 0,
  micro_usd: 450,
  metered: 1,
  source: 'reported',
  ...changed,
});
