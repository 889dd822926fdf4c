import { fitEntryRows } from '../../../cloudLink/homes/fitEntryRows.ts';
import type { JobSummary } from '../../../contract/schema/job/job.ts';
import type { ChangedActor } from '../../../kernel/sqlite/log/homeLog.ts';

/** Actors that an entry has changed at most for its rows to be read at once: each takes a part of a ms. */
const MOST_ACTORS = 100;

/** Reads the jobs among actors; null = they cannot be read yet. */
export type ReadChangedJobs = (actors: readonly ChangedActor[]) => readonly JobSummary[] | null;

/** The rows of the team's list that travel with an entry; null = they come later. */
export function readEntryRows(
  actors: readonly ChangedActor[],
  readJobs: ReadChangedJobs,
  log: { warn(facts: object, text: string): void },
): JobSummary[] | null {
  if (actors.length > MOST_ACTORS) return null;
  try {
    const jobs = readJobs(actors);
    return jobs === null ? null : fitEntryRows(jobs);
  } catch (err) {
    // It is in the file already: what cannot be read is no reason not to send it.
    log.warn({ err }, 'an entry goes to the control plane without its jobs');
    return null;
  }
}
