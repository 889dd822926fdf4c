import type { Client } from '../../../src/api/client/client.ts';
import { ClientError } from '../../../src/api/client/problem.ts';
import { followJob, waitAbortable } from '../../../src/api/client/stream.ts';
import type { LogFrame } from '../../../src/contract/schema/job/frames.ts';
import type { JournalEntry } from '../../../src/contract/schema/api/replies.ts';
import type { RunnerConnection } from '../../shell/connection/connection.ts';
import { runWhileSeated } from '../../shell/connection/runWhileSeated.ts';
import type { LogLine } from '../log/logWindow.ts';
import type { JobStore } from './jobStore.ts';

/** Lines are shown in batches, so that a long log does not redraw the page for each, ms. */
const BATCH_MS = 50;
/** Newest lines that the page begins with; older ones are read when they are wanted. */
const FIRST_LINES = 2_000;
/** Rows of the journal of one request. */
const JOURNAL_PAGE = 1_000;
/** Longest wait for the runner, ms: a person is watching the page. */
const LONGEST_WAIT_MS = 1_000;

interface FollowJobPage {
  client: Client;
  jobId: string;
  store: JobStore;
  connection: Pick<RunnerConnection, 'broke' | 'report'>;
  signal: AbortSignal;
}

/** What keeps a part of a job from being read while the rest of it is shown: a broken row, or a team's runner that is away. */
const PARTIAL: ReadonlySet<string> = new Set(['broken-row', 'runner-away']);

/** Instead of an answer about a job whose state cannot be read; the page shows everything else. */
const catchUnreadable = <Answer, Instead>(
  answer: Promise<Answer>,
  instead: Instead,
): Promise<Answer | Instead> =>
  answer.catch((problem: unknown) => {
    if (problem instanceof ClientError && PARTIAL.has(problem.problem.code)) return instead;
    throw problem;
  });

/** Follows the stream while the page is seen, and reads the job again after every other frame. */
export function createJobFollower({ client, jobId, store, connection, signal }: FollowJobPage) {
  let lines: Omit<LogLine, 'number'>[] = [];
  /** Number of the last frame that was read; null = the log was not read yet. */
  let after: number | null = null;
  let following = false;
  let looking: Promise<void> | null = null;
  let lookAgain = false;

  const flush = () => {
    if (!signal.aborted) store.trigger.logged({ lines });
    lines = [];
  };

  async function newJournal(): Promise<JournalEntry[]> {
    const rows: JournalEntry[] = [];
    let lastSeq = store.getSnapshot().context.journal.at(-1)?.seq ?? 0;
    for (;;) {
      const page = await client.journal(jobId, { after: lastSeq, limit: JOURNAL_PAGE });
      rows.push(...page);
      if (page.length < JOURNAL_PAGE) return rows;
      lastSeq = page.at(-1)?.seq ?? lastSeq;
    }
  }

  async function lookOnce(): Promise<void> {
    try {
      const [job, why, journal, timeline] = await Promise.all([
        client.job(jobId),
        catchUnreadable(client.why(jobId), null),
        catchUnreadable(newJournal(), []),
        catchUnreadable(client.timeline(jobId), null),
      ]);
      if (signal.aborted) return;
      store.trigger.looked({ job, why, journal, timeline });
      // The job may run again after it had ended.
      if (!job.ended || after === null) void follow();
    } catch (problem) {
      if (signal.aborted) return;
      connection.report(problem);
      store.trigger.unreadable({ problem });
    }
  }

  /** Reads the job; a call during a read leads to one more read afterwards. */
  function look(): void {
    if (looking) {
      lookAgain = true;
      return;
    }
    looking = lookOnce().finally(() => {
      looking = null;
      if (lookAgain && !signal.aborted) {
        lookAgain = false;
        look();
      }
    });
  }

  /** The newest lines, and the frame after which the stream continues them. */
  async function begin(): Promise<number> {
    const page = await client.log(jobId, { limit: FIRST_LINES });
    if (!signal.aborted) store.trigger.paged({ page });
    return page.lastFrame;
  }

  async function run(until: AbortSignal): Promise<boolean> {
    const { ended } = await followJob({
      client,
      jobId,
      after: after ?? 0,
      signal: until,
      onFrame({ n, kind, data }) {
        after = n;
        if (kind === 'log') {
          if (lines.length === 0) setTimeout(flush, BATCH_MS);
          lines.push({ ...(data as LogFrame), n });
          return;
        }
        look();
      },
      onLost: () => connection.broke(),
      wait: (ms, stop) => waitAbortable(Math.min(ms, LONGEST_WAIT_MS), stop),
    });
    return ended;
  }

  async function follow(): Promise<void> {
    if (following || signal.aborted) return;
    following = true;
    try {
      after ??= await begin();
      await runWhileSeated({ signal, run, waits: (waiting) => store.trigger.crowded({ waiting }) });
    } catch (problem) {
      if (!connection.report(problem)) store.trigger.unreadable({ problem });
    } finally {
      following = false;
    }
  }

  return {
    look,
    start(): void {
      look();
      void follow();
    },
  };
}
