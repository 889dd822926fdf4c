import type { Log } from '../../base/system/log/log.ts';

/**
 * Makes a home local whose configuration names no control plane any more. Never rejects: a control plane that refuses,
 * as after a revocation, does not say whether another runner has the jobs, so the home keeps its log.
 */
export async function leaveAsConfigured(
  leave: () => Promise<void>,
  log: Pick<Log, 'error'>,
): Promise<void> {
  try {
    await leave();
  } catch (err) {
    log.error(
      { err },
      'the control plane has not given the home back, so its jobs change nothing outside; svc logout --abandon makes it local',
    );
  }
}
