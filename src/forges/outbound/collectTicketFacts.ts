import { type JobContext, toReference } from '../../../machines/index.ts';
import type { WritesToEntry } from '../../contract/schema/forge/parseWritesTo.ts';
import type { JobTracker } from '../../contract/forge/tracker.ts';
import { readJobTicket, resolveJobTracker } from '../../providers/trackers.ts';
import {
  type AskedWrite,
  collectWritesToEntries,
  type KnownWrite,
  NO_FACTS,
  toWriteSite,
  type WriteFactsDeps,
} from './knownWrite.ts';

/** What the trigger of a job was about; null for a job that no trigger has made. */
export function findFollowedSubject(
  { rows, readContext }: Pick<WriteFactsDeps, 'rows' | 'readContext'>,
  jobId: string,
): { site: string; reference: string } | null {
  const { rule, plugin } = Object(readContext(jobId).params.trigger);
  if (typeof rule !== 'string' || typeof plugin !== 'string') return null;
  const [run] = rows.all('trigger_runs', { rule, job_id: jobId });
  return run ? { site: toWriteSite(plugin), reference: run.subject } : null;
}

/** The job's ticket in its canonical form; null = it cannot be anything at this site. */
export function toTicketReference(params: JobContext['params'], site: string): string | null {
  const { ref, provider } = readJobTicket(params);
  return ref === null || (provider !== null && toWriteSite(provider) !== site)
    ? null
    : toReference(ref);
}

function findOwnTrackerId(
  { trackers }: WriteFactsDeps,
  params: JobContext['params'],
): string | null {
  try {
    return resolveJobTracker(trackers, readJobTicket(params)).id;
  } catch {
    return null;
  }
}

const toEntryKey = ({ name, number }: WritesToEntry): string =>
  number === null ? name : `${name}#${number}`;

/**
 * What the rule needs to know about a write to a ticket, with the key to write to. The key is the
 * text of the person who gave the right, so that tracker and rule cannot read an address of the
 * agent differently. Null for a ticket that is not the job's.
 */
export function collectTicketFacts(
  deps: WriteFactsDeps,
  jobId: string,
  tracker: JobTracker,
  { args }: AskedWrite,
): KnownWrite & { key: string | null } {
  const context = deps.readContext(jobId);
  const ticketKey = String(args.key);
  const reference = toReference(ticketKey);
  const own = readJobTicket(context.params).ref;
  const isOwn =
    own !== null &&
    toReference(own) === reference &&
    findOwnTrackerId(deps, context.params) === tracker.id;
  const entry = collectWritesToEntries(context).find(
    (one) =>
      toWriteSite(one.provider) === toWriteSite(tracker.id) &&
      toEntryKey(one).toLowerCase() === reference,
  );
  const isListed = collectWritesToEntries(context).some(
    ({ provider, name, number }) =>
      number === null &&
      tracker.id === 'github-issues' &&
      toWriteSite(provider) === 'github' &&
      reference.startsWith(`${name.toLowerCase()}#`),
  );
  const subject = findFollowedSubject(deps, jobId);
  const isFollowed = subject?.site === toWriteSite(tracker.id) && subject.reference === reference;
  const plain = isListed || isFollowed ? (ticketKey.includes('://') ? reference : ticketKey) : null;
  return {
    place: {
      entry: `${tracker.id}:${ticketKey.includes('://') ? reference : ticketKey}`,
      head: '',
    },
    facts: { ...NO_FACTS, ownTicket: isOwn, named: entry !== undefined || isListed || isFollowed },
    key: isOwn ? own : entry ? toEntryKey(entry) : plain,
  };
}
