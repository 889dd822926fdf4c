import type { ForgeBudget } from '../schema/forge/forge.ts';

export interface Issue {
  /** As the tracker writes it: `SHOP-1`, `acme/shop#1`. */
  key: string;
  title: string;
  /** Untrusted text, markdown. */
  body: string;
  status: string;
  /** Set where people no longer see it among the others, whatever its status is. */
  gone?: 'archived' | 'trashed';
  url: string;
  /** Labels and components. Untrusted text; default none. */
  labels?: string[];
  /** Addresses that are attached to it. Untrusted text; default none. */
  links?: string[];
  /**
   * A person of the site wrote it. Default false: a plan-mode chat marks what others wrote.
   */
  member?: boolean;
}

export interface IssueComment {
  id: string;
  author: string;
  /** Untrusted text, markdown. */
  body: string;
  /** ISO 8601. */
  at: string;
  /**
   * A person of the site. Default false: what others write wakes no job unless the configuration
   * names them, and a plan-mode chat marks it.
   */
  member?: boolean;
}

/**
 * Values of fields that are set with a new status: id or name of a field → value, JSON. A text
 * means the value with this name.
 */
export type TransitionFields = Readonly<Record<string, unknown>>;

/** What is asked of a tracker. */
export interface TrackerMethods {
  issue(key: string): Promise<Issue>;
  /** Oldest first. */
  comments(key: string): Promise<IssueComment[]>;
  /** An empty text means the issues that changed last. */
  search(text: string, limit: number): Promise<Issue[]>;
  /** The same operation id never writes twice: the answer is that of the first time. */
  comment(key: string, body: string, operationId: string): Promise<IssueComment>;
  /**
   * Answers the issue after it; a status that cannot be reached throws. `fields` come only where
   * `transitionFields` is true.
   */
  transition(
    key: string,
    status: string,
    operationId: string,
    fields?: TransitionFields,
  ): Promise<Issue>;
}

/** A new comment on an issue, as a delivery of the tracker's webhook reports it. */
export interface ReportedComment extends IssueComment {
  /** Key of the issue, as in `Issue`. */
  key: string;
  /** svc's own account wrote it: it wakes no job. */
  own: boolean;
  /**
   * What names the account of the author alone, where `author` is a name that others can take: the
   * settings `wakeAuthors` and `ignoreAuthors` list these. Default `author`.
   */
  authorId?: string;
  /** A program. Default false. Programs wake no job. */
  bot?: boolean;
  /** For people; default none. */
  url?: string;
}

/** Parts that not every tracker has; those of a plugin are named in `offers`. */
export interface TrackerOffers {
  /**
   * The key of the issue that an address is about, as `issue` takes it: its page, or a place within
   * that. null = none of this tracker's. Left out: every method may be given an address as `key`.
   */
  issueAt?(address: string): Promise<string | null>;
  /**
   * The new comment that a delivery to `POST /webhooks/<id>` reports; null for everything else, such
   * as a comment that was edited, or a new status. `delivery` is its body, JSON; svc has checked the
   * signature, and that it has not come before. May ask the server, where the body says only where
   * to look. An error makes the sender send it again. Belongs to `webhook` of the manifest.
   */
  commentIn?(delivery: unknown): Promise<ReportedComment | null>;
}

/** A place where issues live. What is not there throws an error with code `not-found`. */
export interface Tracker extends TrackerMethods, TrackerOffers {
  /**
   * Whether fields can be set with a new status. Default false: a call with fields is refused
   * before it gets here.
   */
  readonly transitionFields?: boolean;
}

/** Writes of a tracker: name → arguments. */
export type TrackerOperations = {
  post_comment: { key: string; body: string };
  transition_issue: { key: string; status: string; fields?: TransitionFields };
};
export type TrackerOperation = keyof TrackerOperations;

/** In whose name a write is made; `at` (epoch ms) is when it was asked for. */
export interface TrackerActor {
  at: number;
  operationId: string;
}

/** What an agent is given about a write that was done. */
export type TrackerAnswer = Record<string, unknown>;

/** Called with what of an answer cannot be read and is left out of it, in a sentence. */
export type NoteUnread = (what: string) => void;

/** A tracker as jobs use it. A write may have happened though its answer never came. */
export interface JobTracker extends Tracker {
  readonly id: string;
  issue(key: string, noteUnread?: NoteUnread): Promise<Issue>;
  /** Throws SvcError `unreachable` where the answer is not a list. */
  comments(key: string, noteUnread?: NoteUnread): Promise<IssueComment[]>;
  search(text: string, limit: number, noteUnread?: NoteUnread): Promise<Issue[]>;
  /** Whether a key or an address could be one of its issues; nothing is asked. */
  serves(ref: string): boolean;
  /** How long after a write it may still answer as if that had not happened, ms. */
  consistencyMs: number;
  /** Writes that may be asked for again without harm, because the tracker does them only once. */
  doesOnce: ReadonlySet<TrackerOperation>;
  /** Writes without looking whether it was done before. */
  write<K extends TrackerOperation>(
    operation: K,
    args: TrackerOperations[K],
    actor: TrackerActor,
  ): Promise<TrackerAnswer>;
  /** Checks whether the operation was done under this id; null = it is not visible. */
  find<K extends TrackerOperation>(
    operation: K,
    args: TrackerOperations[K],
    actor: TrackerActor,
  ): Promise<TrackerAnswer | null>;
  /** What names svc's own account in webhooks (account id, login); absent = nothing is known. */
  ownIds?(): Promise<readonly string[]>;
  /**
   * Whether an account is one of the site's own people, for events that do not show it.
   * `identities`: what its webhooks name the account by. Left out where they always show it.
   */
  isMember?(identities: readonly string[]): Promise<boolean>;
  /** null = its requests are not counted here. */
  budget(): ForgeBudget | null;
}
