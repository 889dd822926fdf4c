import type { Clock } from '../../../src/base/time/clock.ts';
import type { AccountClient } from '../../../src/contract/forge/account.ts';
import type { RemoteForge } from '../../../src/contract/forge/remoteForge.ts';
import type {
  SeenRequest,
  WireAnswer,
  WireRequest,
} from '../../support/forges/fakeForge/server.ts';
import type { Chance } from '../chance.ts';

/** Something that its job must hear of. */
export interface Happening {
  externalId: string;
  /** `<repo>#<number>`. */
  pr: string;
  head: string;
  kind: string;
  /** In whole seconds, as the forge tells it. */
  second: number;
  /** Order among those of its kind. */
  serial: number;
}

/** A pull request at the forge, whichever it is. */
export interface StormPr {
  repo: string;
  number: number;
  head: string;
  isOpen: boolean;
  body: string;
  /** All that was written below it, by anybody. */
  said: readonly string[];
}

/** What lets something happen. */
export interface Happens {
  chance: Chance;
  later(ms: number, run: () => void): void;
}

/** A forge in a storm: its server, and what people do there. */
export interface StormForge {
  id: 'github' | 'gitlab' | 'bitbucket';
  /**
   * Whether one answer shows all that has happened to a pull request. Elsewhere a list may be read
   * before another one has changed, so only what is in the same list has an order.
   */
  readsAtOnce: boolean;
  seen: readonly SeenRequest[];
  /** Requests that count against the limit. */
  counted(): number;
  /** Another number at each call. */
  serial(): number;
  respond(request: WireRequest): WireAnswer | null;
  prs(): StormPr[];
  /** A commit with one more file on a branch. */
  commit(repo: string, head: string): void;
  /**
   * What people, programs and CI do to an open pull request. Answers what its job must hear of;
   * null = nothing.
   */
  happen(stage: Happens, pr: StormPr): Happening | null;
  /** A person merges it. */
  merge(pr: StormPr): void;
  /** The product's forge in front of it. */
  create(accountClient: AccountClient, clock: Clock): RemoteForge;
  remove(): void;
}

/** Repositories of a storm. */
export const REPOS = Array.from({ length: 5 }, (_, n) => `acme/repo-${n + 1}`);
export const WEB = 'http://127.0.0.1:1';
export const MIRRORS = '/sim/mirrors';
/** People who belong to the repositories. */
export const PEOPLE = ['ann', 'bob', 'eve'];

/** Longest time for which reads do not show what has happened, ms; less than svc allows for. */
const MOST_LAG_MS = 9_000;

export const prKey = ({ repo, number }: Pick<StormPr, 'repo' | 'number'>): string =>
  `${repo}#${number}`;

/**
 * From when on something is seen: never before what has happened earlier to the same pull request.
 */
export function createSeenFrom(now: () => number): (chance: Chance, pr: StormPr) => number {
  const latest = new Map<string, number>();
  return (chance, pr) => {
    const at = Math.max(latest.get(prKey(pr)) ?? 0, now() + chance.int(0, MOST_LAG_MS));
    latest.set(prKey(pr), at);
    return at;
  };
}
