import type { NewsBatch, PrAddress } from '../../../contract/forge/forge.ts';
import type { Send } from '../../../kernel/contract.ts';
import type { WatchedPrReader } from '../../../jobs/store/queries/watchedPrReader.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import type { PrProblem } from '../../../../machines/index.ts';
import type { Tables } from '../../../contract/records/tables.ts';
import type { ProviderEvent } from '../../../contract/schema/forge/pr.ts';

/**
 * Polls in sequence that do not see a pull request, or that a forge refuses, before its job is
 * notified: one answer may be wrong.
 */
export const POLLS_BEFORE_REPORT = 2;

interface PrSightDeps {
  rows: {
    all(
      table: 'pr_mappings',
      where: Pick<Tables['pr_mappings'], 'forge' | 'repo' | 'number'>,
    ): Pick<Tables['pr_mappings'], 'job_id' | 'pr_id' | 'repo' | 'number' | 'url' | 'state'>[];
    all(
      table: 'inbox_items',
      where: Pick<Tables['inbox_items'], 'job_id' | 'pr_id' | 'kind'>,
      order: { order: 'n'; desc: boolean; limit: number },
    ): Pick<Tables['inbox_items'], 'id'>[];
  };
  prs: Pick<WatchedPrReader, 'withProblem'>;
}

/** The part of a forge that is needed here. */
interface WatchedForge {
  id: string;
  /** What the forge shows may be this old, ms. */
  consistencyMs: number;
}

/** Something that several polls in a row have seen. */
interface Streak {
  polls: number;
  /** Epoch ms of the first of these polls. */
  since: number;
}

const toSightKey = (forge: string, { repo, number }: PrAddress): string =>
  `${forge}:${repo.toLowerCase()}#${number}`;

const describeGonePr = (forge: string): string =>
  `${forge} no longer shows it: it was deleted, or the account of svc may not see it any more`;

/** A forge answers with such an error when it no longer accepts svc's account. */
const isAccountRefusal = (error: unknown): error is SvcError =>
  error instanceof SvcError && (error.code === 'config-invalid' || error.code === 'forbidden');

/**
 * What polls see of the open pull requests of jobs: one that is gone, and one that is back,
 * is reported to its job once; so is a forge that refuses svc. What was reported is kept with the
 * pull request, so that a restart does not report it again.
 */
export class PrSight {
  readonly #deps: PrSightDeps;
  readonly #unseen = new Map<string, Streak>();
  readonly #hindered = new Map<string, Streak>();
  readonly #refused = new Map<string, Streak>();
  readonly #reopened = new Map<string, number>();
  /** The problems that were last reported of pull requests that could not be read. */
  readonly #reported = new Map<string, string>();

  constructor(deps: PrSightDeps) {
    this.#deps = deps;
  }

  /**
   * Pull requests that could not be read completely, or that bring nothing now: each once with its
   * reason, until it can be read again.
   */
  findUnreported(
    forge: string,
    {
      seen = [],
      unseen = [],
      hindered = [],
      unanswered = [],
    }: Pick<NewsBatch, 'seen' | 'unseen' | 'hindered' | 'unanswered'>,
  ): { pr: string; why: string }[] {
    for (const pr of seen) this.#reported.delete(toSightKey(forge, pr));
    return [...unseen, ...hindered, ...unanswered].flatMap(
      ({ why = describeGonePr(forge), repo, number }) => {
        const pr = `${repo}#${number}`;
        const key = toSightKey(forge, { repo, number });
        if (this.#reported.get(key) === why) return [];
        this.#reported.set(key, why);
        return [{ pr, why }];
      },
    );
  }

  /** To be called after a poll that was answered. */
  noteAnsweredPoll(
    forge: WatchedForge,
    { seen = [], unseen = [], hindered = [] }: Pick<NewsBatch, 'seen' | 'unseen' | 'hindered'>,
    now: number,
  ): Send[] {
    this.#refused.delete(forge.id);
    const knownProblems = this.#known(forge.id);
    const problems: [PrAddress, PrProblem | null][] = [];
    for (const pr of seen) {
      this.#unseen.delete(toSightKey(forge.id, pr));
      this.#hindered.delete(toSightKey(forge.id, pr));
      if (knownProblems.has(toSightKey(forge.id, pr))) problems.push([pr, null]);
    }
    for (const { why, ...pr } of unseen) {
      const key = toSightKey(forge.id, pr);
      const text = why ?? describeGonePr(forge.id);
      if (knownProblems.get(key) === text || !countLastingStreak(this.#unseen, key, forge, now))
        continue;
      problems.push([pr, { why: text, asks: true }]);
    }
    for (const { why, asks, isOpen: _state, ...pr } of hindered) {
      const key = toSightKey(forge.id, pr);
      this.#unseen.delete(key);
      if (knownProblems.get(key) === why || !countLastingStreak(this.#hindered, key, forge, now))
        continue;
      problems.push([pr, { why, asks }]);
    }
    return this.#sends(forge.id, problems);
  }

  /** After a poll that failed; `prs`: the pull requests that it asked about. */
  noteFailedPoll(
    forge: WatchedForge,
    prs: readonly PrAddress[],
    error: unknown,
    now: number,
  ): Send[] {
    if (!isAccountRefusal(error)) return [];
    if (!countLastingStreak(this.#refused, forge.id, { ...forge, consistencyMs: 0 }, now))
      return [];
    const knownProblems = this.#known(forge.id);
    // What is wrong with one of them is not forgotten for what is wrong with all.
    const fresh = prs.filter((pr) => !knownProblems.has(toSightKey(forge.id, pr)));
    const problem = { why: `${forge.id} refuses svc: ${error.message}`, asks: false };
    return this.#sends(
      forge.id,
      fresh.map((pr) => [pr, problem]),
    );
  }

  /**
   * Events for pull requests that are open again, which no list of a forge reports: the job knows
   * them as closed, and polls have seen them open for longer than the forge may lag.
   */
  findReopened(
    forge: WatchedForge,
    { seen: free = [], hindered = [] }: Pick<NewsBatch, 'seen' | 'hindered'>,
    now: number,
  ): ProviderEvent[] {
    const seenPrs: readonly (PrAddress & { isOpen?: boolean })[] = [...free, ...hindered];
    for (const { isOpen, ...pr } of seenPrs) {
      const key = toSightKey(forge.id, pr);
      if (isOpen === undefined) continue;
      if (!isOpen || this.#readRow(forge.id, pr)?.state !== 'closed') this.#reopened.delete(key);
      else if (!this.#reopened.has(key)) this.#reopened.set(key, now);
    }
    return seenPrs.flatMap((pr): ProviderEvent[] => {
      const key = toSightKey(forge.id, pr);
      const since = this.#reopened.get(key);
      if (since === undefined || now - since < forge.consistencyMs) return [];
      const row = this.#readRow(forge.id, pr);
      this.#reopened.delete(key);
      if (row?.state !== 'closed') return [];
      const { job_id, pr_id: prId, repo, number, url } = row;
      const closedWait = { job_id, pr_id: prId, kind: 'event:closed' as const };
      const [last] = this.#deps.rows.all('inbox_items', closedWait, {
        order: 'n',
        desc: true,
        limit: 1,
      });
      return [
        {
          kind: 'reopened',
          forge: forge.id,
          repo,
          number,
          prId,
          author: 'unknown',
          text: '',
          url,
          externalId: `${prId}:reopened:${last?.id ?? ''}`,
          happenedAt: now,
        },
      ];
    });
  }

  #known(forge: string): Map<string, string> {
    return new Map(
      this.#deps.prs.withProblem(forge).map((pr) => [toSightKey(forge, pr), pr.problem] as const),
    );
  }

  /** A row that cannot be read is left out; the other pull requests are still polled. */
  #readRow(forge: string, { repo, number }: PrAddress) {
    return this.#deps.rows.all('pr_mappings', { forge, repo, number })[0];
  }

  /** One event for each job, about the pull requests that the job knows as open. */
  #sends(forge: string, problems: readonly [PrAddress, PrProblem | null][]): Send[] {
    const ofJob = new Map<string, { prId: string; problem: PrProblem | null }[]>();
    for (const [pr, problem] of problems) {
      const row = this.#readRow(forge, pr);
      if (row?.state !== 'open') continue;
      ofJob.set(row.job_id, [...(ofJob.get(row.job_id) ?? []), { prId: row.pr_id, problem }]);
    }
    return [...ofJob].map(([to, some]) => ({ to, event: { type: 'pr.problems', found: some } }));
  }
}

/** Counts one more poll that saw the same, and says whether it has lasted long enough. */
function countLastingStreak(
  streaks: Map<string, Streak>,
  key: string,
  { consistencyMs }: WatchedForge,
  now: number,
): boolean {
  const before = streaks.get(key);
  const streak = { polls: (before?.polls ?? 0) + 1, since: before?.since ?? now };
  streaks.set(key, streak);
  return streak.polls >= POLLS_BEFORE_REPORT && now - streak.since >= consistencyMs;
}
