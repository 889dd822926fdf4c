import type { UsageSource } from '../schema/session/usage.ts';

/** A boolean as SQLite stores it. */
type Flag = 0 | 1;

/** What models have used and cost; a part of `Tables`. Times are epoch ms. */
export interface UsageTables {
  /**
   * The ledger: one row for each call of a model, written once and before the next call where the
   * executor can tell calls apart; else one row for each report.
   */
  usage_calls: {
    /** Id of the job, or `chat:` and the id of a plan-mode chat. */
    subject: string;
    /** Visit of the job's phase; of a chat, its turn. */
    visit: number;
    session: number;
    /** From 1 within the session; its runs after a crash count on. */
    seq: number;
    /** The subject at the top of the campaign tree; itself where there is no campaign. */
    root: string;
    /** `chat` of a chat. */
    phase: string;
    /** Null: a chat. */
    workflow: string | null;
    repository: string | null;
    /** Such as `acp:gemini`. Null: of a job that is older than this table. */
    provider: string | null;
    /** Null: it is not known. */
    model: string | null;
    at: number;
    /** Time that the session has spent since the row before, ms. */
    ms: number;
    /** All input, both cached parts included. */
    input_tokens: number;
    /** All output, thoughts included. */
    output_tokens: number;
    cached_input_tokens: number;
    cache_write_tokens: number;
    /** The part of what was written that the cache keeps for an hour. */
    cache_write_1h_tokens: number;
    reasoning_tokens: number;
    /** Millionths of a dollar. Null: the price is not known, which is not 0. */
    micro_usd: number | null;
    /** 1: caps on dollars count it. 0: a subscription, or an endpoint that costs nothing. */
    metered: Flag;
    /** `none`: the session ended without a report; the row has no tokens and no cost. */
    source: UsageSource;
  };
  /**
   * Sums of the ledger, which triggers of the store keep in the commit of each row. `scope` and
   * `key`: `session` (`<subject>/<visit>.<session>`), `phase` (`<subject>/<visit>`), `job` (the
   * subject), `campaign` (the root), `repository`; `day`, `week` and `runner` have an empty key.
   */
  usage_sums: {
    scope: 'session' | 'phase' | 'job' | 'campaign' | 'repository' | 'day' | 'week' | 'runner';
    key: string;
    /** The day in UTC, such as 2026-11-22; of a week its Monday; empty for all other scopes. */
    window: string;
    /** Of metered calls, millionths of a dollar. */
    micro_usd: number;
    tokens: number;
    /** Calls, or reports; sessions without a report do not count. */
    calls: number;
    /** Rows whose cost is not known, sessions without a report included. */
    unpriced_calls: number;
    /** Sessions that have a row; each counts where its first row does. */
    sessions: number;
    /** Time of sessions, ms. */
    ms: number;
  };
  /**
   * The ledger by hour, which triggers of the store keep in the commit of each row: one row for all
   * calls of an hour that have the same of what costs are split by.
   */
  usage_hours: {
    id: number;
    subject: string;
    /** Hours since 1970. */
    hour: number;
    phase: string;
    root: string;
    workflow: string | null;
    repository: string | null;
    provider: string | null;
    model: string | null;
    /** Of calls whose price is known, metered or not, millionths of a dollar. */
    micro_usd: number;
    /** Rows whose cost is not known. */
    unpriced: number;
    /** Calls, or reports; sessions without a report do not count. */
    calls: number;
    /** Calls whose tokens are estimated. */
    estimated: number;
    /** Sessions whose first row is in it. */
    sessions: number;
    /** Time of sessions, ms. */
    ms: number;
    input_tokens: number;
    output_tokens: number;
    cached_input_tokens: number;
    cache_write_tokens: number;
    reasoning_tokens: number;
    /** Rows of the ledger in it, always one or more. */
    entries: number;
  };
  /** The hours by day, and by whose calls they are; kept by triggers as well. */
  usage_subject_days: Pick<
    UsageTables['usage_hours'],
    'id' | 'subject' | 'root' | CostSumColumn
  > & {
    /** Days since 1970, in UTC. */
    day: number;
  };
  /** The hours by day, and by what the calls were for; kept by triggers as well. */
  usage_place_days: Pick<
    UsageTables['usage_hours'],
    'id' | 'phase' | 'workflow' | 'repository' | 'provider' | 'model' | CostSumColumn
  > & { day: number };
}

type CostSumColumn =
  | 'micro_usd'
  | 'unpriced'
  | 'calls'
  | 'estimated'
  | 'sessions'
  | 'ms'
  | 'input_tokens'
  | 'output_tokens'
  | 'cached_input_tokens'
  | 'cache_write_tokens'
  | 'reasoning_tokens'
  | 'entries';
