import type { JobTracker } from '../../contract/forge/tracker.ts';
import type { Clock } from '../../base/time/clock.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { isHttpAddress } from '../../base/http/isHttpAddress.ts';
import { raceDeadline } from '../../base/time/waiting.ts';
import {
  createTrackers,
  readJobTicket,
  type Trackers,
  resolveJobTracker,
} from '../../providers/trackers.ts';

/** Longest wait for the tracker when a job is created from a ticket, ms: a user waits. */
export const TICKET_MS = 20_000;

export interface TicketAtDeps {
  trackers: Trackers;
  clock: Clock;
}

/** The answer of a tracker. Throws SvcError `unreachable` if it takes too long. */
export const askTrackerInTime = <T>(
  clock: Clock,
  { id }: JobTracker,
  answer: Promise<T>,
): Promise<T> =>
  raceDeadline(clock, TICKET_MS, answer, () => {
    const message = `The tracker ${id} did not answer within ${TICKET_MS / 1000} s.`;
    throw new SvcError('unreachable', message);
  });

/** The ticket of an address by tracker; null = it belongs to none of its tickets. */
async function askTicketKeys(
  { clock }: TicketAtDeps,
  able: readonly JobTracker[],
  address: string,
) {
  const answers = able.map(async (tracker) => {
    const key = tracker.issueAt
      ? await askTrackerInTime(clock, tracker, tracker.issueAt(address))
      : // It takes addresses itself, wherever it is given a key.
        undefined;
    return { tracker, key };
  });
  return Promise.all(answers);
}

/**
 * The params with key and tracker instead of an address, if a tracker recognises it, so that
 * comments, which name the key, find the job; else unchanged. Throws SvcError: `not-found` for an
 * address of no ticket, and what the tracker throws.
 */
export async function resolveTicketKey(
  deps: TicketAtDeps,
  params: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { ref, provider } = readJobTicket(params);
  if (ref === null || !isHttpAddress(ref)) return params;
  const providers = provider === null ? deps.trackers.ids() : [provider];
  const able = providers
    .flatMap((id) => deps.trackers.get(id) ?? [])
    .filter((tracker) => tracker.serves(ref));
  const answers = await askTicketKeys(deps, able, ref);
  const [answer, ...others] = answers.flatMap(({ tracker, key }) =>
    typeof key === 'string' ? [{ id: tracker.id, key }] : [],
  );
  if (answer && others.length === 0) {
    const field = params.jiraTicketId === undefined ? 'trackerRef' : 'jiraTicketId';
    return { ...params, [field]: answer.key, trackerProvider: answer.id };
  }
  if (!answers.some(({ key }) => key === null)) return params;
  const jobTrackers = answers.filter(({ key }) => key !== null).map(({ tracker }) => tracker);
  if (jobTrackers.length === 0) {
    const who = able.map(({ id }) => id).join(' or ');
    throw new SvcError(
      'not-found',
      `${ref.slice(0, 200)} is not the address of a ticket of ${who}.`,
    );
  }
  // Trackers that said no cannot have it.
  return {
    ...params,
    trackerProvider: resolveJobTracker(
      createTrackers(() => jobTrackers),
      { ref, provider },
    ).id,
  };
}
