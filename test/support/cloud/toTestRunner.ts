import type { TeamRunner } from '../../../src/contract/schema/cloud/teamRunner.ts';

/** A connected runner, as members see it. */
export const toTestRunner = (id: string, more: Partial<TeamRunner> = {}): TeamRunner => ({
  id,
  name: id,
  owner: null,
  labels: [],
  accept: 'team',
  version: '0.2.0',
  connected: true,
  connectedSince: '2026-11-30T00:00:00.000Z',
  awaySince: null,
  state: 'running',
  slots: 2,
  free: 1,
  executors: [],
  forges: [],
  createdAt: '2026-11-30T00:00:00.000Z',
  revokedAt: null,
  ...more,
});
