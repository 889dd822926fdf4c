import { clip } from '../../domain/clip.ts';
import { deadline } from '../../lib/waiting.ts';
import type { Clock } from '../../lib/clock.ts';
import { SvcError } from '../../lib/errors.ts';
import type { Forges } from '../../providers/forges.ts';
import type { Issue, JobTracker } from '../../contract/tracker.ts';
import { ticketOf, type Trackers, trackerOfJob } from '../../providers/trackers.ts';
import { type ForgeSite, repoInTicket } from './repoInTicket.ts';

/**
 * Longest wait for the tracker when a job is made of a ticket, ms: a user waits for the answer.
 */
export const TICKET_MS = 20_000;
/**
 * Longest description that is taken of a ticket, characters; the agent can read the rest with
 * tracker_get_issue.
 */
const MAX_DESCRIPTION_CHARS = 16_000;

export interface TicketDeps {
  trackers: Trackers;
  forges: Forges;
  sites: readonly ForgeSite[];
  clock: Clock;
}

/** Params with what the ticket says, and why it says no repository where none is given. */
interface TicketParams {
  params: Record<string, unknown>;
  /** null = there is a repository, or no ticket was asked. */
  noRepo: string | null;
}

const isMissing = (value: unknown): boolean => value === undefined || value === '';

const describe = (tracker: JobTracker, { key, title, body, url }: Issue): string => {
  const ending = (left: number): string => `\n… (the ticket has ${left} more characters)`;
  const text = clip(body, MAX_DESCRIPTION_CHARS, ending);
  return `${title}\n\n(Ticket ${key} of ${tracker.id}, ${url})${text.trim() === '' ? '' : `\n\n${text.trim()}`}`;
};

const wrong = (message: string): SvcError =>
  new SvcError('invalid', 'The job cannot be created from its ticket.', {
    errors: [{ pointer: '/params/jiraTicketId', message }],
  });

/**
 * A ticket that is not there is a mistake of the request; a tracker that is not there is one of the
 * configuration.
 */
async function read(
  { trackers, clock }: TicketDeps,
  params: Record<string, unknown>,
): Promise<{ tracker: JobTracker; issue: Issue }> {
  const ticket = ticketOf(params);
  try {
    const tracker = trackerOfJob(trackers, ticket);
    return { tracker, issue: await soon(clock, tracker, tracker.issue(ticket.ref ?? '')) };
  } catch (error) {
    if (error instanceof SvcError && error.code === 'not-found') throw wrong(error.message);
    throw error;
  }
}

const soon = <T>(clock: Clock, { id }: JobTracker, answer: Promise<T>): Promise<T> =>
  deadline(clock, TICKET_MS, answer, () => {
    const message = `The tracker ${id} did not answer within ${TICKET_MS / 1000} s.`;
    throw new SvcError('unreachable', message);
  });

/**
 * Fills in description and repository of a job from its ticket where the request leaves them out; a
 * request with both asks no tracker. What the request says wins. Throws SvcError: `invalid` for a
 * ticket that does not exist or that no tracker has, `unreachable`, `rate-limited`,
 * `config-invalid` where the tracker cannot be asked.
 */
export async function fromTicket(
  deps: TicketDeps,
  params: Record<string, unknown>,
): Promise<TicketParams> {
  const needsRepo = isMissing(params.repoSlug);
  const isTicket = typeof params.jiraTicketId === 'string' && params.jiraTicketId.trim() !== '';
  if (!isTicket || (!needsRepo && !isMissing(params.description))) return { params, noRepo: null };
  const { tracker, issue } = await read(deps, params);
  const found = needsRepo ? repoInTicket(issue, deps.sites, deps.forges) : null;
  return {
    params: {
      ...params,
      ...(isMissing(params.description) ? { description: describe(tracker, issue) } : {}),
      ...(found && 'repo' in found
        ? {
            repoSlug: found.repo.slug,
            ...(isMissing(params.gitProvider) ? { gitProvider: found.repo.provider } : {}),
          }
        : {}),
      jiraTicketId: issue.key,
      trackerProvider: tracker.id,
    },
    noRepo:
      found && 'problem' in found
        ? `${issue.key} of ${tracker.id} says none: ${found.problem}`
        : null,
  };
}
