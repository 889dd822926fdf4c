import type { SessionResult } from '../../contract/session/executor.ts';
import type { ExecutorSamples } from '../../contract/runner/plugin.ts';
import { type Case, expect, previewValue } from './expect.ts';

type Sample = ExecutorSamples['short'];

/** The endings that svc acts upon itself, for an executor that has samples of them. */
export const createEndingCases = (
  { quota, death }: ExecutorSamples,
  runSample: (sample: Sample) => Promise<SessionResult>,
  now: () => number,
): Case[] => [
  ...(quota ? [createQuotaCase(() => runSample(quota), now)] : []),
  ...(death ? [createDeathCase(() => runSample(death))] : []),
];

const createQuotaCase = (run: () => Promise<SessionResult>, now: () => number): Case => ({
  name: 'quota-is-reported',
  promise:
    'A session whose model takes no more requests ends with quota; resetsAt is a time to come, or null.',
  async run() {
    const { stopReason, resetsAt = null, error } = await run();
    expect(stopReason === 'quota', `the stop reason was ${stopReason} (${previewValue(error)})`);
    expect(resetsAt === null || resetsAt > now(), `resetsAt was ${previewValue(resetsAt)}`);
  },
});

const createDeathCase = (run: () => Promise<SessionResult>): Case => ({
  name: 'death-is-reported',
  promise: 'A session whose agent ended without a result ends with died, and says why.',
  async run() {
    const { stopReason, error } = await run();
    expect(stopReason === 'died', `the stop reason was ${stopReason}`);
    expect(error !== null && error !== '', 'it does not say why');
  },
});
