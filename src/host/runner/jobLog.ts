import type { OpenSessionDeps } from '../../sessions/open/openSessionDeps.ts';
import { screenColoured } from '../../base/output/colouredText.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Log } from '../../base/system/log/log.ts';
import type { KernelUse } from '../../contract/records/changes.ts';
import { reportFault } from './reportFault.ts';

interface JobLogDeps {
  kernel: Pick<KernelUse, 'submit'>;
  clock: Clock;
  log: Log;
  screen(text: string): string;
}

export interface JobLog {
  /** Appends lines to the job's log as they are. Resolves after the commit. */
  appendLog(jobId: string, ...lines: Record<string, unknown>[]): Promise<unknown>;
  /**
   * Appends lines of a session, without known secrets. Never rejects: what was lost is reported.
   */
  logLines: OpenSessionDeps['log'];
}

export const createJobLog = ({ kernel, clock, log, screen }: JobLogDeps): JobLog => {
  const appendLog: JobLog['appendLog'] = (jobId, ...lines) => {
    const at = new Date(clock.now()).toISOString();
    const frame = (line: Record<string, unknown>) => ({ kind: 'log', data: { at, ...line } });
    return kernel.submit({ frames: lines.map((line) => ({ actor: jobId, frame: frame(line) })) });
  };
  return {
    appendLog,
    async logLines({ jobId, phase, visit }, lines) {
      const screenedLines = lines.map(({ from, tag, line }) => ({
        phase,
        visit,
        from,
        tag,
        line: screenColoured(line, screen),
      }));
      try {
        await appendLog(jobId, ...screenedLines);
      } catch (err) {
        reportFault(log, { jobId, lines: lines.length }, err, 'lines of the log were lost');
      }
    },
  };
};
