import { SvcError } from '../base/errors/errors.ts';
import type { JobTracker } from '../contract/forge/tracker.ts';

export interface Trackers {
  ids(): string[];
  get(id: string): JobTracker | undefined;
}

/** `all` is called at each use, since a plugin may be installed meanwhile. */
export const createTrackers = (all: () => readonly JobTracker[]): Trackers => ({
  ids: () => all().map(({ id }) => id),
  get: (id) => all().find((tracker) => tracker.id === id),
});

export const NO_TRACKERS: Trackers = createTrackers(() => []);

interface JobTicket {
  /** Key or address; null = the job has none. */
  ref: string | null;
  /** `trackerProvider`; null = not given. */
  provider: string | null;
}

const trimParam = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

/** The ticket in a job's params: `jiraTicketId`, of any tracker, or `trackerRef` of a sub-run. */
export const readJobTicket = ({
  jiraTicketId,
  trackerRef,
  trackerProvider,
}: Readonly<Record<string, unknown>>): JobTicket => ({
  ref: trimParam(jiraTicketId) ?? trimParam(trackerRef),
  provider: trimParam(trackerProvider),
});

/**
 * The tracker of a job: the one that `trackerProvider` names, else the only one that could have the
 * ticket, else the only configured one. Throws SvcError `not-found` that lists them.
 */
export function resolveJobTracker(trackers: Trackers, { ref, provider }: JobTicket): JobTracker {
  const ids = trackers.ids();
  const trackerList =
    ids.length === 0
      ? 'No tracker is configured: add jira, linear or github-issues to plugins.installed.'
      : `Configured: ${ids.join(', ')}.`;
  if (provider !== null) {
    const jobTracker = trackers.get(provider);
    if (jobTracker) return jobTracker;
    throw new SvcError(
      'not-found',
      `Unknown tracker ${provider} (params.trackerProvider). ${trackerList}`,
    );
  }
  const all = ids.flatMap((id) => trackers.get(id) ?? []);
  const able = ref === null ? all : all.filter((tracker) => tracker.serves(ref));
  const [first] = able;
  if (first && able.length === 1) return first;
  if (all.length === 0) throw new SvcError('not-found', trackerList);
  const what =
    ref === null
      ? 'The job has no ticket'
      : `${ref.slice(0, 200)} could be a ticket of ${able.length === 0 ? 'none' : 'several'} of them`;
  throw new SvcError(
    'not-found',
    `${what}: name the tracker in params.trackerProvider. ${trackerList}`,
  );
}

/** As `resolveJobTracker`; null where no tracker is configured or it is not clear which. */
export function findJobTracker(
  trackers: Trackers,
  params: Readonly<Record<string, unknown>>,
): JobTracker | null {
  try {
    return resolveJobTracker(trackers, readJobTicket(params));
  } catch {
    return null;
  }
}
