import { type JobContext, referenceOf } from '../../../machines/index.ts';
import type { WritesToEntry } from '../../schema/writesTo.ts';
import type { JobTracker } from '../../contract/tracker.ts';
import { ticketOf, trackerOfJob } from '../../providers/trackers.ts';
import {
  type AskedWrite,
  entriesOf,
  type KnownWrite,
  NO_FACTS,
  siteOf,
  type WriteFactsDeps,
} from './knownWrite.ts';

/** What the trigger of a job was about; null for a job that no trigger has made. */
export function followedBy(
  { rows, contextOf }: Pick<WriteFactsDeps, 'rows' | 'contextOf'>,
  jobId: string,
): { site: string; reference: string } | null {
  const { rule, plugin } = Object(contextOf(jobId).params.trigger);
  if (typeof rule !== 'string' || typeof plugin !== 'string') return null;
  const [run] = rows.all('trigger_runs', { rule, job_id: jobId });
  return run ? { site: siteOf(plugin), reference: run.subject } : null;
}

/**
 * The job's ticket in its one form, as far as it could be something at this site; null = it could
 * not.
 */
export function ticketReference(params: JobContext['params'], site: string): string | null {
  const { ref, provider } = ticketOf(params);
  return ref === null || (provider !== null && siteOf(provider) !== site) ? null : referenceOf(ref);
}

/** The tracker that has the job's own ticket; null if that is unknown. */
function ownTracker({ trackers }: WriteFactsDeps, params: JobContext['params']): string | null {
  try {
    return trackerOfJob(trackers, ticketOf(params)).id;
  } catch {
    return null;
  }
}

const keyOf = ({ name, number }: WritesToEntry): string =>
  number === null ? name : `${name}#${number}`;

/**
 * What the rule has to know of a write to a ticket, and the key to write with: as the person wrote
 * it who gave the right, so that tracker and rule cannot read an address of the agent differently.
 * Null for a ticket that is not the job's.
 */
export function ticketFacts(
  deps: WriteFactsDeps,
  jobId: string,
  tracker: JobTracker,
  { args }: AskedWrite,
): KnownWrite & { key: string | null } {
  const context = deps.contextOf(jobId);
  const given = String(args.key);
  const reference = referenceOf(given);
  const own = ticketOf(context.params).ref;
  const isOwn =
    own !== null &&
    referenceOf(own) === reference &&
    ownTracker(deps, context.params) === tracker.id;
  const entry = entriesOf(context).find(
    (one) => siteOf(one.provider) === siteOf(tracker.id) && keyOf(one).toLowerCase() === reference,
  );
  const isWhole = entriesOf(context).some(
    ({ provider, name, number }) =>
      number === null &&
      tracker.id === 'github-issues' &&
      siteOf(provider) === 'github' &&
      reference.startsWith(`${name.toLowerCase()}#`),
  );
  const followed = followedBy(deps, jobId);
  const isFollowed = followed?.site === siteOf(tracker.id) && followed.reference === reference;
  const plain = isWhole || isFollowed ? (given.includes('://') ? reference : given) : null;
  return {
    place: { entry: `${tracker.id}:${given.includes('://') ? reference : given}`, head: '' },
    facts: { ...NO_FACTS, ownTicket: isOwn, named: entry !== undefined || isWhole || isFollowed },
    key: isOwn ? own : entry ? keyOf(entry) : plain,
  };
}
