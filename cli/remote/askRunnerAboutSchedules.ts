import { createClient } from '../../src/api/client/client.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { OWN_CLIENT } from '../../src/base/http/ownHeaders.ts';
import type { ScheduleView } from '../../src/contract/schema/runner/schedule.ts';
import type { LintedSchedule } from '../../src/jobs/schedules/lintSchedules.ts';
import type { Io } from '../io.ts';
import { noticeQuietRunner } from './noticeQuietRunner.ts';
import { resolveConnection } from './resolveConnection.ts';

/** The schedules that the runner of this home has; null = none runs, or it cannot say. */
async function readRunnerSchedules(io: Io, version: string): Promise<ScheduleView[] | null> {
  const env = { ...io.env, SVC_URL: undefined, SVC_TOKEN: undefined };
  try {
    const client = createClient({
      ...(await resolveConnection({ env, homeDir: io.homeDir, url: undefined })),
      userAgent: `${OWN_CLIENT}${version}`,
      fetch: noticeQuietRunner(io),
    });
    return await client.schedules();
  } catch (error) {
    if (error instanceof SvcError) return null;
    throw error;
  }
}

/**
 * The schedules, with what a runner of this home says of those that this machine alone cannot check, such as one whose
 * workflow is in a repository of a forge. `version`: that of this program.
 */
export async function askRunnerAboutSchedules(
  schedules: LintedSchedule[],
  io: Io,
  version: string,
): Promise<LintedSchedule[]> {
  if (schedules.every(({ enabled, note }) => !enabled || note === null)) return schedules;
  const views = await readRunnerSchedules(io, version);
  return schedules.map((one) => {
    const view = views?.find(
      ({ name, enabled, workflow }) => enabled && name === one.name && workflow === one.workflow,
    );
    return one.note === null || view === undefined
      ? one
      : { ...one, problem: view.problem, note: null };
  });
}
