import { listReferences } from '../../../machines/index.ts';
import type { Forges } from '../../providers/forges.ts';
import { readJobTicket, type Trackers, resolveJobTracker } from '../../providers/trackers.ts';

interface HeardDeps {
  forges: Pick<Forges, 'get'>;
  trackers: Trackers;
  /** Ids of the plugins whose webhooks are taken. */
  hooked: readonly string[];
}

const findJobTrackerId = (trackers: Trackers, params: Record<string, unknown>): string | null => {
  try {
    return resolveJobTracker(trackers, readJobTicket(params)).id;
  } catch {
    // No tracker is configured for the reference.
    return null;
  }
};

/**
 * The tickets and pull requests in the params whose comments reach svc by a webhook of the job's
 * tracker, or of a forge that has the repository. They are not polled.
 */
export function listHeardReferences(
  { forges, trackers, hooked }: HeardDeps,
  params: Record<string, unknown>,
): string[] {
  const tracker = findJobTrackerId(trackers, params);
  return listReferences(params).filter((reference) => {
    if (tracker !== null && hooked.includes(tracker)) return true;
    const [slug = '', number] = reference.split(/[#!]/u);
    return number !== undefined && hooked.some((id) => forges.get(id)?.serves(slug) ?? false);
  });
}
