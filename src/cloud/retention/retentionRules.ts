import type { Sql, TransactionSql } from '../database/database.ts';

const DAY_MS = 24 * 3_600_000;
const YEAR_DAYS = 365;
/** How long webhooks wait for runners that are away, ms. */
export const KEPT_DELIVERY_MS = 7 * DAY_MS;

/** Rows of one table that are deleted when they are old enough. */
export interface RetentionRule {
  /** For the log, where a step fails. */
  name: string;
  keptMs: number;
  /** Deletes at most `most` rows that are older than `before`. */
  remove(sql: TransactionSql, before: Date, most: number): PromiseLike<{ count: number }>;
}

/** As the index `jobs_ended` has it. */
const hasEnded = (sql: Sql | TransactionSql) => sql`
  jobs.state in ('complete', 'partial', 'failed', 'cancelled')`;

/** The part of a campaign that has ended stays while the campaign works: its page counts it. */
const hasParentAtWork = (sql: Sql | TransactionSql) => sql`
  exists (select from jobs parents
    where parents.team_id = jobs.team_id and parents.runner_id = jobs.runner_id
      and parents.job_id = jobs.parent_job_id
      and parents.state not in ('complete', 'partial', 'failed', 'cancelled'))`;

/**
 * What is kept for how long: the table in docs/operations/control-plane.md says the same. What expires by itself (logins,
 * codes) and the state of runners are deleted elsewhere.
 */
export const createRetentionRules = (keptJobsDays: number): readonly RetentionRule[] => [
  {
    name: 'audit entries',
    keptMs: YEAR_DAYS * DAY_MS,
    // Never the newest entry of a team: it proves that those before it existed.
    remove: (sql, before, most) => sql`
      delete from audit where (team_id, n) in (
        select audit.team_id, audit.n from audit join audit_heads heads on heads.team_id = audit.team_id
        where audit.at < ${before} and audit.n < heads.n order by audit.at limit ${most})`,
  },
  {
    name: 'webhooks',
    keptMs: KEPT_DELIVERY_MS,
    remove: (sql, before, most) => sql`
      delete from webhook_deliveries where n in (
        select n from webhook_deliveries where received_at < ${before} order by received_at limit ${most})`,
  },
  {
    name: 'claims of rules',
    keptMs: KEPT_DELIVERY_MS,
    // What a job came from is asked for as long as the job works.
    remove: (sql, before, most) => sql`
      delete from webhook_claims where (team_id, rule, hash) in (
        select team_id, rule, hash from webhook_claims claims
        where changed_at < ${before} and (state <> 'made' or not exists (
          select from jobs where jobs.team_id = claims.team_id and jobs.runner_id = claims.runner_id
            and jobs.job_id = claims.job_id and not coalesce((jobs.summary ->> 'ended')::bool, false)))
        limit ${most})`,
  },
  {
    name: 'rows of ended jobs',
    keptMs: keptJobsDays * DAY_MS,
    remove: (sql, before, most) => sql`
      delete from jobs where (team_id, runner_id, job_id) in (
        select team_id, runner_id, job_id from jobs
        where updated_at < ${before} and ${hasEnded(sql)} and not ${hasParentAtWork(sql)} limit ${most})`,
  },
  {
    name: 'rows of jobs of revoked runners',
    keptMs: keptJobsDays * DAY_MS,
    // They can never end: the state of the runner is gone.
    remove: (sql, before, most) => sql`
      delete from jobs where (team_id, runner_id, job_id) in (
        select jobs.team_id, runner_id, job_id from jobs
        join runners on runners.id = jobs.runner_id and runners.revoked_at < ${before}
        where updated_at < ${before} limit ${most})`,
  },
  {
    name: 'ended dispatches',
    keptMs: 90 * DAY_MS,
    remove: (sql, before, most) => sql`
      delete from dispatches where id in (
        select id from dispatches where state not in ('waiting', 'sent') and ended_at < ${before} limit ${most})`,
  },
  {
    name: 'ended invitations',
    keptMs: 30 * DAY_MS,
    remove: (sql, before, most) => sql`
      delete from invitations where token_hash in (
        select token_hash from invitations
        where coalesce(accepted_at, revoked_at, expires_at) < ${before} limit ${most})`,
  },
  {
    name: 'links of owners',
    keptMs: DAY_MS,
    remove: (sql, before, most) => sql`
      delete from owner_links where token_hash in (
        select token_hash from owner_links where expires_at < ${before} limit ${most})`,
  },
  {
    name: 'links for new passwords',
    keptMs: DAY_MS,
    remove: (sql, before, most) => sql`
      delete from password_links where token_hash in (
        select token_hash from password_links where expires_at < ${before} limit ${most})`,
  },
  {
    name: 'pairing codes',
    keptMs: DAY_MS,
    remove: (sql, before, most) => sql`
      delete from pairing_codes where code_hash in (
        select code_hash from pairing_codes where expires_at < ${before} limit ${most})`,
  },
  {
    name: 'rejected proposals',
    keptMs: YEAR_DAYS * DAY_MS,
    remove: (sql, before, most) => sql`
      delete from proposals where (team_id, id) in (
        select team_id, id from proposals
        where state in ('rejected', 'superseded') and changed_at < ${before} limit ${most})`,
  },
  {
    name: 'revoked runners',
    keptMs: YEAR_DAYS * DAY_MS,
    // Their jobs and their state go first, in steps of their own.
    remove: (sql, before, most) => sql`
      delete from runners where id in (
        select id from runners where revoked_at < ${before}
          and not exists (select from jobs where jobs.team_id = runners.team_id and jobs.runner_id = runners.id)
          and not exists (select from homes where homes.runner_id = runners.id)
          and not exists (select from blobs where blobs.runner_id = runners.id)
        limit ${most})`,
  },
];
