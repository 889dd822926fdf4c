import type { Fact } from '../../src/notifications/rules/fact.ts';

/** A fact about a job that waits for approval, with other members as they are given. */
export const makeFact = (more: Partial<Fact> = {}): Fact => ({
  id: 'j1/approval/0',
  kind: 'needs-you',
  reason: 'approval',
  jobId: 'j1',
  at: 0,
  text: '',
  ...more,
});
