import { clip } from '../../base/text/clip.ts';
import { isHttpAddress } from '../../base/http/isHttpAddress.ts';
import { raceDeadline } from '../../base/time/waiting.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Forges } from '../../providers/forges.ts';
import type { Issue, JobTracker } from '../../contract/forge/tracker.ts';
import { readJobTicket, resolveJobTracker } from '../../providers/trackers.ts';
import type { KnownRepositories } from '../create/knownRepositories.ts';
import { type ForgeSite, type FoundTicketRepo, findRepoInTicket } from './findRepoInTicket.ts';
import {
  askTrackerInTime,
  TICKET_MS,
  type TicketAtDeps,
  resolveTicketKey,
} from './resolveTicketKey.ts';

/**
 * Longest description taken from a ticket, characters; the agent can read the rest with
 * tracker_get_issue.
 */
const MAX_DESCRIPTION_CHARS = 16_000;

export interface TicketDeps extends TicketAtDeps {
  forges: Forges;
  sites: readonly ForgeSite[];
  repositories: Pick<KnownRepositories, 'isMissing'>;
}

interface TicketParams {
  params: Record<string, unknown>;
  /** null = there is a repository, or no ticket was asked. */
  noRepo: string | null;
}

const isParamMissing = (value: unknown): boolean => value === undefined || value === '';

/** What could not be read of the ticket, for agent and person; empty = nothing. */
const describeUnread = (unread: readonly string[]): string =>
  unread.length === 0 ? '' : `\n\nsvc could not read all of the ticket: ${unread.join(' ')}`;

const describeTicket = (
  tracker: JobTracker,
  { key, title, body, url }: Issue,
  unread: readonly string[],
): string => {
  const ending = (remaining: number): string => `\n… (the ticket has ${remaining} more characters)`;
  const text = clip(body, MAX_DESCRIPTION_CHARS, ending);
  return `${title}\n\n(Ticket ${key} of ${tracker.id}, ${url})${text.trim() === '' ? '' : `\n\n${text.trim()}`}${describeUnread(unread)}`;
};

const createTicketError = (message: string, param = 'jiraTicketId'): SvcError =>
  new SvcError('invalid', 'The job cannot be created from its ticket.', {
    errors: [{ pointer: `/params/${param}`, message }],
  });

/** A ticket that does not exist is a mistake of the request. */
async function rejectAsTicketError<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof SvcError && error.code === 'not-found')
      throw createTicketError(error.message);
    throw error;
  }
}

async function fetchJobTicket(
  { trackers, clock }: TicketDeps,
  params: Record<string, unknown>,
): Promise<{ tracker: JobTracker; issue: Issue; unread: string[] }> {
  const ticket = readJobTicket(params);
  const tracker = resolveJobTracker(trackers, ticket);
  const unread: string[] = [];
  const issue = tracker.issue(ticket.ref ?? '', (what) => void unread.push(what));
  return { tracker, issue: await askTrackerInTime(clock, tracker, issue), unread };
}

/** Asks plugins of forges about the addresses in the ticket. */
const searchTicketRepo = (
  deps: TicketDeps,
  tracker: JobTracker,
  issue: Issue,
): Promise<FoundTicketRepo> =>
  raceDeadline(
    deps.clock,
    TICKET_MS,
    findRepoInTicket({ ...deps, issue, trackerId: tracker.id }),
    () => {
      const what = `The forges did not report the repository of ${issue.key} within ${TICKET_MS / 1000} s.`;
      throw new SvcError('unreachable', what);
    },
  );

/**
 * Fills in description and repository of a job from its ticket if the request leaves them out. A
 * request with both asks no tracker, or only which ticket an address belongs to. The request takes
 * precedence. Throws SvcError: `invalid` for a ticket that does not exist, that no tracker has, or
 * that names an impossible repository; `unreachable`, `rate-limited`, `config-invalid` if the
 * tracker cannot be asked.
 */
export async function fillParamsFromTicket(
  deps: TicketDeps,
  givenParams: Record<string, unknown>,
): Promise<TicketParams> {
  const needsRepo = isParamMissing(givenParams.repoSlug);
  const isTicket =
    typeof givenParams.jiraTicketId === 'string' && givenParams.jiraTicketId.trim() !== '';
  if (!isTicket) return { params: givenParams, noRepo: null };
  const isAt = isHttpAddress(String(givenParams.jiraTicketId));
  const params = isAt
    ? await rejectAsTicketError(resolveTicketKey(deps, givenParams))
    : givenParams;
  if (!needsRepo && !isParamMissing(params.description)) return { params, noRepo: null };
  const { tracker, issue, unread } = await rejectAsTicketError(fetchJobTicket(deps, params));
  const ticketRepo = needsRepo ? await searchTicketRepo(deps, tracker, issue) : null;
  const says = `${issue.key} of ${tracker.id} names no repository`;
  // Even if the workflow needs no repository, since the job would not work where the ticket says.
  if (ticketRepo && 'problem' in ticketRepo && ticketRepo.isNamed)
    throw createTicketError(`the ticket ${says}: ${ticketRepo.problem}`, 'repoSlug');
  return {
    params: {
      ...params,
      ...(isParamMissing(params.description)
        ? { description: describeTicket(tracker, issue, unread) }
        : {}),
      ...(ticketRepo && 'repo' in ticketRepo
        ? {
            repoSlug: ticketRepo.repo.slug,
            ...(isParamMissing(params.gitProvider)
              ? { gitProvider: ticketRepo.repo.provider }
              : {}),
          }
        : {}),
      jiraTicketId: issue.key,
      trackerProvider: tracker.id,
    },
    noRepo:
      ticketRepo && 'problem' in ticketRepo
        ? `${says}: ${ticketRepo.problem}${describeUnread(unread)}`
        : null,
  };
}
