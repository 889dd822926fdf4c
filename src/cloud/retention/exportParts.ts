import type { TransactionSql } from '../database/database.ts';

/** Rows that are held in memory at a time. */
const ROWS = 200;
/** The same where a row has up to some MiB. */
const LARGE_ROWS = 4;

/** What a part of an export reads; the columns are named, so that no later one is exported by itself. */
export interface ExportPart {
  /** As each line of it says. */
  name: string;
  rows: number;
  select(sql: TransactionSql): ReturnType<TransactionSql>;
}

const part = (name: string, select: ExportPart['select'], rows = ROWS): ExportPart => ({
  name,
  rows,
  select,
});

/**
 * What a control plane has of a team. Left out: secrets and what proves a login (passwords, tokens, links, sealed columns),
 * bodies of webhooks, and the log of each home, which is the state of its runner (`svc backup` copies it).
 */
export const createTeamParts = (teamId: string): readonly ExportPart[] => [
  part(
    'team',
    (sql) => sql`
    select id, slug, name, settings, created_at from teams where id = ${teamId}`,
  ),
  part(
    'members',
    (sql) => sql`
    select user_id, users.email, users.name, role, members.created_at
    from members join users on users.id = members.user_id where team_id = ${teamId} order by members.created_at`,
  ),
  part(
    'group_roles',
    (sql) => sql`
    select group_name, role from group_roles where team_id = ${teamId} order by group_name`,
  ),
  part(
    'invitations',
    (sql) => sql`
    select id, role, invited_by, created_at, expires_at, accepted_by, accepted_at, revoked_at
    from invitations where team_id = ${teamId} order by created_at`,
  ),
  part(
    'runners',
    (sql) => sql`
    select id, owner_id, home_id, name, to_jsonb(labels) as labels, accept, program_version, created_at, seen_at, revoked_at
    from runners where team_id = ${teamId} order by created_at`,
  ),
  part(
    'homes',
    (sql) => sql`
    select runner_id, home_id, generation, head, state, policy, committed_at, created_at
    from homes where team_id = ${teamId} order by created_at`,
  ),
  part(
    'jobs',
    (sql) => sql`
    select runner_id, job_id, summary from jobs where team_id = ${teamId} order by created_at`,
  ),
  part(
    'dispatches',
    (sql) => sql`
    select id, created_by, body, to_jsonb(labels) as labels, wanted_runner, state, reason, runner_id, job_id, refusal,
      created_at, sent_at, ended_at
    from dispatches where team_id = ${teamId} order by created_at`,
  ),
  part(
    'webhooks',
    (sql) => sql`
    select plugin_id, manifest, created_by, created_at, changed_at from webhooks
    where team_id = ${teamId} order by plugin_id`,
  ),
  part(
    'webhook_deliveries',
    (sql) => sql`
    select n, plugin_id, delivery_id, hash, octet_length(body) as bytes, received_at from webhook_deliveries
    where team_id = ${teamId} order by n`,
  ),
  part(
    'webhook_claims',
    (sql) => sql`
    select rule, plugin_id, hash, subject, runner_id, state, job_id, reason, changed_at from webhook_claims
    where team_id = ${teamId} order by changed_at`,
  ),
  part(
    'proposals',
    (sql) => sql`
      select id, runner_id, created_by, job_id, phase, kind, description, encode(content, 'base64') as content_base64, hash, checks,
        state, problem, approval, rejection, version, superseded_by, pull, link, created_at, changed_at
      from proposals where team_id = ${teamId} order by created_at`,
    LARGE_ROWS,
  ),
  part(
    'overlay_versions',
    (sql) => sql`
    select version, files, created_at, created_by, author, proposal_id, restores from overlay_versions
    where team_id = ${teamId} order by version`,
  ),
  part(
    'overlay_files',
    (sql) => sql`
      select sha256, encode(body, 'base64') as body_base64 from overlay_files where team_id = ${teamId} order by sha256`,
    LARGE_ROWS,
  ),
  part(
    'audit',
    (sql) => sql`
    select n, at, user_id, person, address, action, target, failed, refers_to, previous, hash from audit
    where team_id = ${teamId} order by n`,
  ),
];

/** What a control plane has of a person, in whichever team. Left out: as of a team. */
export const createPersonParts = (userId: string): readonly ExportPart[] => [
  part(
    'person',
    (sql) => sql`
    select id, email, name, password is not null as has_password, created_at from users where id = ${userId}`,
  ),
  part(
    'identities',
    (sql) => sql`
    select issuer, subject, authenticated_at, confirmed_at from identities where user_id = ${userId} order by issuer`,
  ),
  part(
    'memberships',
    (sql) => sql`
    select team_id, teams.slug, teams.name, role, members.created_at
    from members join teams on teams.id = members.team_id where user_id = ${userId} order by members.created_at`,
  ),
  part(
    'browser_logins',
    (sql) => sql`
    select created_at, used_at, is_break_glass from browser_sessions where user_id = ${userId} order by created_at`,
  ),
  part(
    'invitations',
    (sql) => sql`
    select id, team_id, role, invited_by, created_at, expires_at, accepted_by, accepted_at, revoked_at
    from invitations where ${userId} in (invited_by, accepted_by) order by created_at`,
  ),
  part(
    'runners',
    (sql) => sql`
    select id, team_id, home_id, name, to_jsonb(labels) as labels, accept, program_version, created_at, seen_at, revoked_at
    from runners where owner_id = ${userId} order by created_at`,
  ),
  part(
    'jobs',
    (sql) => sql`
    select jobs.team_id, runner_id, job_id, summary from jobs join runners on runners.id = jobs.runner_id
    where runners.owner_id = ${userId} order by jobs.created_at`,
  ),
  part(
    'dispatches',
    (sql) => sql`
    select id, team_id, body, to_jsonb(labels) as labels, wanted_runner, state, reason, runner_id, job_id, refusal,
      created_at, sent_at, ended_at
    from dispatches where created_by = ${userId} order by created_at`,
  ),
  part(
    'webhooks',
    (sql) => sql`
    select team_id, plugin_id, created_at, changed_at from webhooks where created_by = ${userId} order by created_at`,
  ),
  part(
    'proposals',
    (sql) => sql`
      select team_id, id, kind, description, encode(content, 'base64') as content_base64, hash, state, created_at, changed_at
      from proposals where created_by = ${userId} order by created_at`,
    LARGE_ROWS,
  ),
  part(
    'overlay_versions',
    (sql) => sql`
    select team_id, version, created_at, author, proposal_id, restores from overlay_versions
    where created_by = ${userId} order by created_at`,
  ),
  part(
    'audit',
    (sql) => sql`
    select team_id, n, at, person, address, action, target, failed, refers_to from audit
    where user_id = ${userId} order by at, team_id, n`,
  ),
];
