import { waitForNextTurn } from '../../../base/concurrency/waitForNextTurn.ts';
import type {
  EvidenceQuery,
  EvidenceQuote,
  JobEvidence,
} from '../../../contract/job/jobEvidence.ts';
import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import {
  EVIDENCE_QUOTES,
  MAX_EVIDENCE_JOBS,
  SELF_UPDATE,
} from '../../../base/agents/selfUpdate.ts';
import type { JobListFilter } from '../../store/queries/jobListFilter.ts';
import type { JobListReader } from '../../store/queries/jobListReader.ts';
import { parseBeginning } from '../../../base/time/parseBeginning.ts';
import { readEndedWork, type EvidenceRows } from './readEndedWork.ts';
import { PhaseSums } from './phaseSums.ts';

interface EvidenceDeps extends EvidenceRows {
  list: Pick<JobListReader, 'page' | 'total'>;
  now(): number;
}

/** Reads the evidence of the jobs of one repository; null = of all jobs. */
export type ReadEvidence = (query: EvidenceQuery, repo: string | null) => Promise<JobEvidence>;

const ENDED = ['complete', 'partial', 'failed', 'cancelled'] as const;

/** Jobs read at once, with pauses for other work. */
const JOBS_AT_ONCE = 10;

/**
 * What ended jobs show about workflows and agents, from committed rows alone; excludes jobs that
 * look at evidence themselves. Throws SvcError `bad-argument` for an invalid time.
 */
export const createEvidence =
  ({ list, now, ...source }: EvidenceDeps): ReadEvidence =>
  async ({ since, workflow, phase, offset }, repo) => {
    const from = parseBeginning('The evidence', since, now());
    const filter: JobListFilter = {
      states: ENDED,
      since: from,
      ...(repo === null ? {} : { repo }),
      ...(workflow === null ? {} : { workflow }),
    };
    const page = { limit: MAX_EVIDENCE_JOBS, offset: 0 };
    const listedJobs = list.page(filter, { by: 'since', desc: true }, page);
    const jobs = listedJobs.filter(({ kind }) => kind !== SELF_UPDATE);
    const sums = new PhaseSums();
    const quotes: EvidenceQuote[] = [];
    for (const [index, job] of jobs.entries()) {
      if (index > 0 && index % JOBS_AT_ONCE === 0) await waitForNextTurn();
      const work = readEndedWork(source, job);
      sums.add(job, work);
      quotes.push(...work.quotes);
    }
    const evidenceQuotes = quotes
      .filter((quote) => phase === null || quote.phase === phase)
      .toSorted((a, b) => (a.at < b.at ? 1 : -1));
    return {
      since: toIsoTime(from),
      jobs: jobs.length,
      leftOut: Math.max(0, list.total(filter) - listedJobs.length),
      phases: sums.toEvidence().filter((sum) => phase === null || sum.phase === phase),
      quotes: evidenceQuotes.slice(offset, offset + EVIDENCE_QUOTES),
      quotesTotal: evidenceQuotes.length,
    };
  };
