import { createSignal } from 'solid-js';
import type { Client } from '../../src/api/client/client.ts';
import type { JobSummary } from '../../src/contract/schema/job/job.ts';
import type { PrChecks } from '../../src/contract/schema/forge/prDetail.ts';
import type { ChangeSize } from '../jobs/page/pickNextStep.ts';
import { readChangeSize } from '../jobs/page/readChangeSize.ts';

export interface ReviewFact {
  /** Null: it is too large to be counted on the side. */
  size: ChangeSize;
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

/** What is read of a pull request; the dashboard's client has more. */
interface ReviewReads extends Pick<Client, 'jobPullRequestDiff'> {
  jobPullRequest(jobId: string, prId: string): Promise<{ checksState: PrChecks }>;
}

export type ReviewFacts = ReturnType<typeof createReviewFacts>;

/** Reads the facts of rows that come into view, one at a time; of each state of a job once. */
export function createReviewFacts(client: ReviewReads) {
  const [factsByKey, setFactsByKey] = createSignal<ReadonlyMap<string, ReviewFact>>(new Map());
  const requestedKeys = new Set<string>();
  let line = Promise.resolve();
  const keyFor = ({ id, updatedAt }: JobSummary): string => `${id} ${updatedAt}`;

  async function read({ id, needs }: JobSummary): Promise<ReviewFact | null> {
    const prId = needs?.prIds?.at(-1);
    if (!prId?.startsWith(READ_AHEAD_OF)) return null;
    const { checksState } = await client.jobPullRequest(id, prId);
    return { size: await readChangeSize(client, id, prId), ...CHECKS[checksState.state] };
  }

  async function readNext(job: JobSummary): Promise<void> {
    const key = keyFor(job);
    try {
      const fact = await read(job);
      if (fact) setFactsByKey((before) => new Map([...before, [key, fact]]));
    } catch {
      // The row is shown without facts; the open item shows the error.
      requestedKeys.delete(key);
    }
  }

  return {
    known: (job: JobSummary): ReviewFact | null => factsByKey().get(keyFor(job)) ?? null,
    /** The row of a job is in view: resolves once it, and those before it, are read. Never rejects. */
    look(job: JobSummary): Promise<void> {
      if (requestedKeys.has(keyFor(job))) return line;
      requestedKeys.add(keyFor(job));
      line = line.then(() => readNext(job));
      return line;
    },
  };
}
