import type { AuthoredEvent } from '../../contract/forge/forge.ts';
import type { Hook } from '../../contract/forge/hook.ts';
import type { DeliveredEvent } from '../../contract/forge/deliveredEvent.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import { isMarked } from '../../git/marks.ts';
import { toReference } from '../../../machines/index.ts';
import { toCommentEvent } from '../../providers/hooks/event.ts';
import { mayWake } from '../../providers/rest/wakeRules.ts';
import { findJobTracker, type Trackers } from '../../providers/trackers.ts';
import type { TriggerRule } from '../../contract/schema/forge/trigger.ts';
import { explainAuthorFault } from './triggerRule.ts';
import type { Triggers } from './triggers.ts';

export interface EventRouterDeps {
  rows: RowReader;
  isLive(jobId: string): boolean;
  trackers: Trackers;
  /** Of a live job. */
  readParams(jobId: string): Readonly<Record<string, unknown>>;
  triggers: Pick<Triggers, 'ruleFor'>;
}

export interface RoutedEvent {
  /** `member` is the provider's answer, where the delivery does not tell and it matters. */
  event: DeliveredEvent;
  /** svc itself did it. Only known where a job or a rule is concerned. */
  own: boolean;
  /** What is reported to jobs that follow its ticket or pull request; null = nothing. */
  report: AuthoredEvent | null;
  jobs: string[];
  isHeard: boolean;
  /** The rule that applies to it, regardless of its author; undefined = none. */
  rule: TriggerRule | undefined;
}

/**
 * Routes an event to jobs and rules. The provider is asked who svc is, and whether the author is a
 * member, only where the answer matters.
 */
export const createEventRouter = ({
  rows,
  isLive,
  trackers,
  readParams,
  triggers,
}: EventRouterDeps) => {
  /** Whether the job's ticket is known to be of another tracker than this one. */
  const isElsewhere = (plugin: string, jobId: string): boolean => {
    if (trackers.get(plugin) === undefined) return false;
    const own = findJobTracker(trackers, readParams(jobId));
    return own !== null && own.id !== plugin;
  };

  /**
   * Jobs whose params name the subject of the comment, except the job that owns the pull request, which
   * the forge notifies, and those whose ticket is one of another tracker with the same key.
   */
  const listFollowers = (
    plugin: string,
    { ref, repo, number, event }: DeliveredEvent,
  ): string[] => {
    if (ref === null) return [];
    const isPr = event.startsWith('pull_request.');
    const owner =
      isPr && number !== null
        ? rows.all('pr_mappings', { forge: plugin, repo, number })[0]?.job_id
        : undefined;
    const referencedJobs = rows.all('job_references', { reference: toReference(ref) });
    return referencedJobs
      .map(({ job_id: jobId }) => jobId)
      .filter((jobId) => jobId !== owner && isLive(jobId) && !isElsewhere(plugin, jobId));
  };

  const isOwn = async (
    { ownIds, selfIsPerson }: Hook,
    { text, identities, own }: DeliveredEvent,
  ): Promise<boolean> => {
    if (own === true || isMarked(text)) return true;
    if (selfIsPerson) return false;
    const ownLogins = (await ownIds()).map((id) => id.toLowerCase());
    return identities.some((id) => ownLogins.includes(id.toLowerCase()));
  };

  /** `time`: when the event was received, epoch ms. */
  return async (
    plugin: string,
    hook: Hook,
    event: DeliveredEvent,
    time: number,
  ): Promise<RoutedEvent> => {
    const comment = toCommentEvent(plugin, event, time);
    const jobs = comment ? listFollowers(plugin, event) : [];
    const rule = triggers.ruleFor(plugin, event);
    const own = jobs.length > 0 || rule ? await isOwn(hook, event) : false;
    const { bot, identities } = event;

    const toReport = (member: boolean): AuthoredEvent | null =>
      comment && { event: comment, own, bot, member, identities };
    const isHeardAs = (member: boolean): boolean => {
      const report = toReport(member);
      return report !== null && mayWake(report, hook.rules);
    };
    const mayCreateAs = (member: DeliveredEvent['member']): boolean =>
      rule !== undefined && explainAuthorFault(rule, { ...event, member }, own) === null;

    // A delivery does not show private members.
    const dependsOnMember =
      (jobs.length > 0 && isHeardAs(true) && !isHeardAs(event.member === true)) ||
      (mayCreateAs(true) && !mayCreateAs(event.member));
    const member = dependsOnMember && hook.isMember ? await hook.isMember(event) : event.member;
    return {
      event: { ...event, member },
      own,
      report: toReport(member === true),
      jobs,
      isHeard: isHeardAs(member === true),
      rule,
    };
  };
};
