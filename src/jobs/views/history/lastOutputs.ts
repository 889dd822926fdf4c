import type { FrameReader } from '../../../kernel/sqlite/frameReader.ts';
import type { RowReader } from '../../../contract/records/rowReader.ts';
import type { SessionRef } from '../../../contract/session/sessionRef.ts';
import { chooseLastLine, chooseLastLines } from '../../../shared/output/chooseLastLines.ts';
import type { StopReason } from '../../../shared/jobs/stopReasons.ts';
import { removeColours } from '../../../shared/output/colouredText.ts';
import type { RowChange } from '../../../contract/records/changes.ts';
import type { Tables } from '../../../contract/records/tables.ts';
import type { JobSummary } from '../../../contract/schema/job/job.ts';
import type { NumberedLine } from '../../../contract/schema/job/jobLog.ts';
import type { LastOutput } from '../../../contract/schema/session/lastOutput.ts';
import { LogPages } from './logPages.ts';

/**
 * Newest lines of a log that are read: the runner's own notes and what an agent thinks are among
 * them.
 */
const READ_LINES = 200;

/** Ends of sessions that are failures. */
const FAILED_STOPS: ReadonlySet<StopReason> = new Set(['error', 'died', 'limit', 'stuck']);
/** Waits for a person or a repair that a session's failure can lead to. */
const FAILED_WAITS: ReadonlySet<string> = new Set(['developer', 'outage']);

const stripLineColours = (line: NumberedLine): NumberedLine => ({
  ...line,
  line: removeColours(line.line),
});

const parseLastOutput = ({ phase, visit, lines }: Tables['failed_outputs']): LastOutput => ({
  phase,
  visit,
  lines: JSON.parse(lines) as LastOutput['lines'],
});

type OfJob = Pick<JobSummary, 'id' | 'status' | 'ended' | 'parked'>;

interface LastOutputsDeps {
  rows: RowReader;
  frames: FrameReader;
  /** Number of the job's last frame. */
  lastFrame(jobId: string): number;
}

/**
 * What agents wrote last before something failed. The lines of a session that failed are kept as a
 * row: the log may be removed long before the job.
 */
export class LastOutputs {
  readonly #rows: RowReader;
  readonly #pages: LogPages;

  constructor({ rows, frames, lastFrame }: LastOutputsDeps) {
    this.#rows = rows;
    this.#pages = new LogPages({ frames, lastFrame });
  }

  /** Number of the newest line of a job's log, which a session that begins now writes after. */
  lineCount(jobId: string): number {
    return this.#pages.total(jobId);
  }

  /**
   * What the end of a session changes: one that failed leaves its last lines, any other removes those of
   * the session before it. `after`: number of the line after which it began.
   */
  changesAtEnd(
    { jobId, phase, visit, session }: SessionRef,
    stopReason: StopReason,
    after: number,
  ): RowChange<'failed_outputs'>[] {
    const key = { job_id: jobId, visit };
    if (!FAILED_STOPS.has(stopReason))
      return session > 1 ? [{ op: 'drop', table: 'failed_outputs', key }] : [];
    const own = this.#newest(jobId).filter(({ number }) => number > after);
    const lines = JSON.stringify(chooseLastLines(own));
    return [{ op: 'put', table: 'failed_outputs', row: { ...key, session, phase, lines } }];
  }

  /** Of the visits of a job whose newest session failed, by their number. */
  byVisit(jobId: string): ReadonlyMap<number, LastOutput> {
    const rows = this.#rows.all('failed_outputs', { job_id: jobId });
    return new Map(rows.map((row) => [row.visit, parseLastOutput(row)]));
  }

  /** Of a job that has failed, or that waits since its session failed; null for any other. */
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
    const [kept] = this.#rows.all('failed_outputs', at, { limit: 1 });
    if (kept !== undefined) return parseLastOutput(kept);
    // No session failed: the job was given up for what its sessions had done, or the runner ended
    // in the middle of one.
    return isOver ? this.#inLog(job.id, visit) : null;
  }

  /** The same as a member to add to something; nothing where it has none. */
  memberOf(job: OfJob): { lastOutput?: LastOutput } {
    const lastOutput = this.ofJob(job);
    return lastOutput === null ? {} : { lastOutput };
  }

  /** What the agent of a job wrote last, for its row in a list; null = nothing of late. */
  lastLine(jobId: string): NonNullable<JobSummary['lastLine']> | null {
    const newest = this.#pages
      .newest(jobId)
      .map((frame) => ({ ...frame, line: removeColours(frame.line) }));
    const chosen = chooseLastLine(newest);
    return chosen && { at: chosen.found.at, line: chosen.text };
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
