import { createSignal } from 'solid-js';
import type { Client } from '../../src/client/client.ts';
import type { JobSummary } from '../../src/schema/job.ts';
import type { PrChecks } from '../../src/schema/prDetail.ts';

/** Size and checks of a pull request, for its row. */
export interface ReviewFact {
  files: number;
  added: number;
  removed: number;
  checks: string;
  tone: '' | 'good' | 'bad' | 'working';
}

/** Reading one costs a forge behind a network several requests: there only the open item is read. */
const READ_AHEAD_OF = 'local:';

const CHECKS: Readonly<Record<PrChecks['state'], Pick<ReviewFact, 'checks' | 'tone'>>> = {
  green: { checks: 'checks passed', tone: 'good' },
  red: { checks: 'checks failed', tone: 'bad' },
  pending: { checks: 'checks running', tone: 'working' },
  none: { checks: 'no checks', tone: '' },
  unreadable: { checks: 'checks unknown', tone: '' },
};

/** How many files a unified diff changes, and how many lines it adds and removes. */
export function measureDiff(diff: string): Pick<ReviewFact, 'files' | 'added' | 'removed'> {
  let [files, added, removed] = [0, 0, 0];
  /** Lines of the hunk that are still to come, before and after the change. */
  let [before, after] = [0, 0];
  for (const line of diff.split('\n')) {
    if (before > 0 || after > 0) {
      if (line.startsWith('+')) [added, after] = [added + 1, after - 1];
      else if (line.startsWith('-')) [removed, before] = [removed + 1, before - 1];
      else if (!line.startsWith('\\')) [before, after] = [before - 1, after - 1];
      continue;
    }
    if (line.startsWith('diff --git ')) files += 1;
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (hunk) [before, after] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
  }
  return { files, added, removed };
}

/** What is read of a pull request; the dashboard's client has more. */
interface ReviewReads extends Pick<Client, 'jobPullRequestDiff'> {
  jobPullRequest(jobId: string, prId: string): Promise<{ checksState: PrChecks }>;
}

export type ReviewFacts = ReturnType<typeof createReviewFacts>;

/** Reads the facts of rows that come into view, one at a time; of each state of a job once. */
export function createReviewFacts(client: ReviewReads) {
  const [known, setKnown] = createSignal<ReadonlyMap<string, ReviewFact>>(new Map());
  const asked = new Set<string>();
  const line: JobSummary[] = [];
  let busy = false;
  const keyFor = ({ id, updatedAt }: JobSummary): string => `${id} ${updatedAt}`;

  async function read({ id, needs }: JobSummary): Promise<ReviewFact | null> {
    const prId = needs?.prIds?.at(-1);
    if (!prId?.startsWith(READ_AHEAD_OF)) return null;
    const { checksState } = await client.jobPullRequest(id, prId);
    const { text } = await client.jobPullRequestDiff(id, prId);
    return { ...measureDiff(text), ...CHECKS[checksState.state] };
  }

  async function work(): Promise<void> {
    if (busy) return;
    busy = true;
    for (let job = line.shift(); job; job = line.shift()) {
      const key = keyFor(job);
      try {
        const fact = await read(job);
        if (fact) setKnown((before) => new Map([...before, [key, fact]]));
      } catch {
        // The row does without; the open item says why.
        asked.delete(key);
      }
    }
    busy = false;
  }

  return {
    /** What is known of a job as it is now. */
    known: (job: JobSummary): ReviewFact | null => known().get(keyFor(job)) ?? null,
    /** The row of a job is in view. */
    look(job: JobSummary): void {
      if (asked.has(keyFor(job))) return;
      asked.add(keyFor(job));
      line.push(job);
      void work();
    },
  };
}
