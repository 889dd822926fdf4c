import type { ProviderEvent } from '../schema/forge/pr.ts';

/**
 * An event of a provider as its webhook delivers it, before it is known which jobs and rules it
 * concerns, and whether it becomes a {@link ProviderEvent}. All of it comes from the signed bytes; what
 * they do not say is null. Texts are untrusted; without a comment or review, `text` is that of the ticket
 * or pull request. Names of events are `<thing>.<what>`, as GitHub calls them: `issue.opened`,
 * `issue.labeled`, `issue.commented`, `pull_request.merged`, `pull_request.review_thread`,
 * `check.failed`.
 */
export interface DeliveredEvent extends Pick<ProviderEvent, 'repo' | 'author' | 'text' | 'url'> {
  event: string;
  /** What is reported to a job that follows the ticket or pull request; null = nothing. */
  kind: ProviderEvent['kind'] | null;
  /** Id of what happened at the provider; the same in every delivery about it. */
  id: string;
  /** Of the pull request or ticket; null = it concerns no single one. */
  number: ProviderEvent['number'] | null;
  /**
   * How a job's params can name it: `ABC-12`, `owner/name#3`, `group/name!3` (a merge request);
   * null = it concerns no single one.
   */
  ref: string | null;
  /**
   * What identifies the author (login, account id): a name that another user can take is not among
   * them.
   */
  identities: readonly string[];
  bot: boolean;
  /** The provider's plugin knows that svc's own account did it. Default: `identities` tell. */
  own?: boolean;
  /**
   * Whether the author belongs to the repository or organisation; null = the delivery does not say.
   */
  member: boolean | null;
  /** Of the ticket or pull request. */
  title: string;
  labels: readonly string[];
  /** Those that were just set. */
  newLabels: readonly string[];
  /** Epoch ms; null = the delivery does not say. */
  happenedAt: ProviderEvent['happenedAt'] | null;
}
