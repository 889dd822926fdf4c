import type { ProviderEventKind } from '../schema/forge/pr.ts';

/**
 * What a delivery says has happened, in the same words for every provider. All of it comes from the
 * signed bytes. Texts are untrusted. Names of events are `<thing>.<what>`, as GitHub calls them:
 * `issue.opened`, `issue.labeled`, `issue.commented`, `pull_request.merged`,
 * `pull_request.review_thread`, `check.failed`.
 */
export interface HookEvent {
  event: string;
  /** What is reported to a job that follows the ticket or pull request; null = nothing. */
  kind: ProviderEventKind | null;
  /** Id of what happened at the provider; the same in every delivery about it. */
  id: string;
  /** Repository, or project of a tracker (`ABC` of `ABC-12`); empty if it has none. */
  repo: string;
  /** Of the pull request or ticket; null = it concerns no single one. */
  number: number | null;
  /**
   * How a job's params can name it: `ABC-12`, `owner/name#3`, `group/name!3` (a merge request);
   * null = it concerns no single one.
   */
  ref: string | null;
  /** As people are shown it. */
  author: string;
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
  /** Of the comment or review, else of the ticket or pull request. */
  text: string;
  /** For people. */
  url: string;
  labels: readonly string[];
  /** Those that were just set. */
  newLabels: readonly string[];
  /** Epoch ms; null = the delivery does not say. */
  happenedAt: number | null;
}
