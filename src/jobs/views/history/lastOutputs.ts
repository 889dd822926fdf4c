import type { FrameReader } from '../../../kernel/sqlite/frameReader.ts';
import type { RowReader } from '../../../contract/records/rowReader.ts';
import type { SessionRef } from '../../../contract/session/sessionRef.ts';
import { chooseLastLine, chooseLastLines } from '../../../base/output/chooseLastLines.ts';
import type { StopReason } from '../../../base/jobs/stopReasons.ts';
import { removeColours } from '../../../base/output/colouredText.ts';
import type { RowChange } from '../../../contract/records/changes.ts';
import type { Tables } from '../../../contract/records/tables.ts';
import type { JobSummary } from '../../../contract/schema/job/job.ts';
import type { NumberedLine } from '../../../contract/schema/job/jobLog.ts';
import type { LastOutput } from '../../../contract/schema/session/lastOutput.ts';
import { LogPages } from './logPages.ts';

/** Newest log lines that are read; the runner's notes and the agent's thoughts are among them. */
const READ_LINES = 200;

/** Session endings that are failures. */
const FAILED_STOPS: ReadonlySet<StopReason> = new Set(['error', 'died', 'limit', 'stuck']);
/** Waits for a person or a repair that a failed session can lead to. */
const FAILED_WAITS: ReadonlySet<string> = new Set(['developer', 'outage']);

const stripLineColours = (line: NumberedLine): NumberedLine => ({
  ...line,
  line: removeColours(line.line),
});

const parseLastOutput = (row: Tables['failed_outputs']): LastOutput => ({
  phase: row.phase,
  visit: row.visit,
  lines: JSON.parse(row.lines) as LastOutput['lines'],
  ...(row.exit_code === null ? {} : { exitCode: row.exit_code }),
});

type OfJob = Pick<JobSummary, 'id' | 'status' | 'ended' | 'parked'>;

interface SessionEnd {
  stopReason: StopReason;
  /** Null, the default = the program did not exit by itself. */
  exitCode?: number | null | undefined;
}

interface LastOutputsDeps {
  rows: RowReader;
  frames: FrameReader;
  readLastFrame(jobId: string): number;
}

/**
 * What agents wrote last before a failure. The last lines of a failed session are kept as a row,
 * since the log may be removed long before the job.
 */
export class LastOutputs {
  readonly #rows: RowReader;
  readonly #pages: LogPages;

  constructor({ rows, frames, readLastFrame: lastFrame }: LastOutputsDeps) {
    this.#rows = rows;
    this.#pages = new LogPages({ frames, readLastFrame: lastFrame });
  }

  /** Number of the newest log line; a session that begins now writes after it. */
  lineCount(jobId: string): number {
    return this.#pages.total(jobId);
  }

  /**
   * Changes at the end of a session: a failed one leaves its last lines, any other removes those of
   * the session before it. `after`: number of the line after which it began.
   */
  changesAtEnd(
    { jobId, phase, visit, session }: SessionRef,
    { stopReason, exitCode = null }: SessionEnd,
    after: number,
  ): RowChange<'failed_outputs'>[] {
    const key = { job_id: jobId, visit };
    if (!FAILED_STOPS.has(stopReason))
      return session > 1 ? [{ op: 'drop', table: 'failed_outputs', key }] : [];
    const own = this.#newest(jobId).filter(({ number }) => number > after);
    const lines = JSON.stringify(chooseLastLines(own));
    return [
      {
        op: 'put',
        table: 'failed_outputs',
        row: { ...key, session, phase, lines, exit_code: exitCode },
      },
    ];
  }

  /** By number of the visit, for visits whose newest session failed. */
  listByVisit(jobId: string): ReadonlyMap<number, LastOutput> {
    const rows = this.#rows.all('failed_outputs', { job_id: jobId });
    return new Map(rows.map((row) => [row.visit, parseLastOutput(row)]));
  }

  /** For a job that has failed, or has waited since its session failed; null for any other. */
  ofJob(job: OfJob): LastOutput | null {
    const isOver = job.ended && (job.status === 'failed' || job.status === 'escalated');
    const waits = !job.ended && job.parked !== null && FAILED_WAITS.has(job.parked.kind);
    if (!isOver && !waits) return null;
    const [visit] = this.#rows.all(
      'phase_visits',
      { job_id: job.id },
      { order: 'visit', desc: true, limit: 1 },
    );
    if (visit === undefined) return null;
    const at = { job_id: job.id, visit: visit.visit };
    const [row] = this.#rows.all('failed_outputs', at, { limit: 1 });
    if (row !== undefined) return parseLastOutput(row);
    // No session failed: the job was given up because of what its sessions did, or the runner ended
    // in the middle of one.
    return isOver ? this.#inLog(job.id, visit) : null;
  }

  /** The same as an object to spread; empty if none exists. */
  toLastOutputMember(job: OfJob): { lastOutput?: LastOutput } {
    const lastOutput = this.ofJob(job);
    return lastOutput === null ? {} : { lastOutput };
  }

  /** The last line of a job's agent for lists; null = none recently. */
  readLastLine(jobId: string): NonNullable<JobSummary['lastLine']> | null {
    const newest = this.#pages
      .newest(jobId)
      .map((frame) => ({ ...frame, line: removeColours(frame.line) }));
    const lastLine = chooseLastLine(newest);
    return lastLine && { at: lastLine.found.at, line: lastLine.text };
  }

  #inLog(jobId: string, { visit, phase }: Tables['phase_visits']): LastOutput | null {
    const own = this.#newest(jobId).filter((line) => line.visit === visit);
    const lines = chooseLastLines(own);
    return lines.length === 0 ? null : { phase, visit, lines };
  }

  #newest(jobId: string): NumberedLine[] {
    return this.#pages.page(jobId, { limit: READ_LINES }).lines.map(stripLineColours);
  }
}
