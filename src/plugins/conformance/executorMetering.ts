import type { SessionEvent } from '../../contract/session/executor.ts';
import type { Metering } from '../../contract/session/metering.ts';
import { type Case, expect } from './expect.ts';

/** How long the report of a call is held back, ms. */
const HELD_MS = 200;

/** Runs the short session to its end with this `onEvent`. */
type RunShort = (onEvent: (event: SessionEvent) => Promise<unknown>) => Promise<unknown>;

/** What job budgets rely on, for an executor that declares metering. */
export const createMeteringCases = (
  { reportsUsage = 'never', stopsBetweenCalls = false }: Metering,
  runShort: RunShort,
): Case[] => [
  ...(reportsUsage === 'never' ? [] : [createUsageReportCase(reportsUsage, runShort)]),
  ...(stopsBetweenCalls ? [createStopCase(runShort)] : []),
];

const createUsageReportCase = (reportsUsage: string, runShort: RunShort): Case => ({
  name: 'usage-is-reported',
  promise: 'A session reports what it has used if the capabilities declare it.',
  async run() {
    let reports = 0;
    await runShort(async ({ type }) => {
      if (type === 'usage') reports += 1;
    });
    expect(
      reports > 0,
      `capabilities.reportsUsage is ${reportsUsage}, but the short session has reported none`,
    );
  },
});

const createStopCase = (runShort: RunShort): Case => ({
  name: 'stops-between-calls',
  promise: 'No call of a model begins before the report of the one before has been taken.',
  async run() {
    let isHeld = false;
    let early = 0;
    await runShort(async ({ type }) => {
      if (type !== 'usage') return;
      if (isHeld) early += 1;
      isHeld = true;
      await new Promise((resolve) => setTimeout(resolve, HELD_MS));
      isHeld = false;
    });
    expect(early === 0, `${early} reports came while the previous one was blocked`);
  },
});
