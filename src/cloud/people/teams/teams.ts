import { SvcError } from '../../../base/errors/errors.ts';
import type { TeamRole } from '../../../contract/schema/cloud/teamRole.ts';
import type { OverlayRepository, Team } from '../../../contract/schema/cloud/team.ts';
import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import type { TransactionSql } from '../../database/database.ts';
import { addAudit } from '../../server/audit/appendAudit.ts';
import type { CloudContext } from '../../server/cloudContext.ts';
import { parseTeamName } from '../accounts/accountFields.ts';
import { checkSlug, findFreeSlug, isSlugTaken, lockSlugs } from './slugs.ts';

interface TeamRow {
  id: string;
  slug: string;
  name: string;
  created_at: Date;
  role: TeamRole;
  most: number | null;
  repository: OverlayRepository | null;
}

const toTeam = ({ created_at, most, repository, ...row }: TeamRow): Team => ({
  ...row,
  maxRunningPerPerson: most,
  overlayRepository: repository,
  createdAt: created_at.toISOString(),
});

export async function listTeams({ database }: CloudContext, userId: string): Promise<Team[]> {
  const rows = await database.sql<TeamRow[]>`
    select t.id, t.slug, t.name, t.created_at, m.role, t.settings -> 'maxRunningPerPerson' as most,
      t.settings -> 'overlayRepository' as repository
    from members m join teams t on t.id = m.team_id
    where m.user_id = ${userId} order by t.name, t.id`;
  return rows.map(toTeam);
}

export async function readTeam(
  { database }: CloudContext,
  teamId: string,
  role: TeamRole,
): Promise<Team> {
  const [row] = await database.sql<Omit<TeamRow, 'role'>[]>`
    select id, slug, name, created_at, settings -> 'maxRunningPerPerson' as most,
      settings -> 'overlayRepository' as repository from teams where id = ${teamId}`;
  if (row === undefined) throw new SvcError('not-found', 'No such team.');
  return toTeam({ ...row, role });
}

/** Who makes a team, and from where. */
export interface TeamMaker {
  userId: string;
  name: string;
  address: string;
}

/** A team with its first owner, and the first entry of its audit log. */
export async function addTeam(
  sql: TransactionSql,
  team: { id: string; name: string; slug?: string | undefined },
  owner: TeamMaker,
  now: Date,
): Promise<Team> {
  const name = parseTeamName(team.name);
  await lockSlugs(sql);
  const slug = team.slug === undefined ? await findFreeSlug(sql, name) : checkSlug(team.slug);
  if (team.slug !== undefined) await refuseTakenSlug(sql, slug);
  const row = { id: team.id, slug, name, created_at: now };
  await sql`insert into teams ${sql(row)}`;
  await sql`insert into members ${sql({ team_id: team.id, user_id: owner.userId, role: 'owner', created_at: now })}`;
  await addAudit(sql, team.id, {
    at: toIsoTime(now.getTime()),
    userId: owner.userId,
    person: owner.name,
    address: owner.address,
    action: 'createTeam',
    target: { slug },
    failed: null,
    refersTo: null,
  });
  return toTeam({ ...row, role: 'owner', most: null, repository: null });
}

async function refuseTakenSlug(
  sql: TransactionSql,
  slug: string,
  exceptTeam?: string,
): Promise<void> {
  if (await isSlugTaken(sql, slug, exceptTeam))
    throw new SvcError('conflict', `Another team has the address ${slug}. Choose another one.`);
}

export async function changeTeam(
  { database }: CloudContext,
  teamId: string,
  change: {
    name?: string | undefined;
    slug?: string | undefined;
    maxRunningPerPerson?: number | null | undefined;
    overlayRepository?: OverlayRepository | null | undefined;
  },
): Promise<void> {
  const name = change.name === undefined ? null : parseTeamName(change.name);
  const slug = change.slug === undefined ? null : checkSlug(change.slug);
  const { maxRunningPerPerson, overlayRepository } = change;
  // What is undefined is left out of the JSON, and stays as it is.
  const settings = JSON.stringify({ maxRunningPerPerson, overlayRepository });
  await database.transaction(async (sql) => {
    if (slug !== null) {
      await lockSlugs(sql);
      await refuseTakenSlug(sql, slug, teamId);
    }
    await sql`
      update teams set name = coalesce(${name}, name), slug = coalesce(${slug}, slug),
        settings = settings || ${settings}::text::jsonb
      where id = ${teamId}`;
  });
}

/** With its members, invitations, runners, jobs and dispatches. `typedSlug`: its name, as a person typed it. */
export async function removeTeam(
  { database }: CloudContext,
  teamId: string,
  typedSlug: string,
): Promise<void> {
  await database.transaction(async (sql) => {
    const [row] = await sql<
      { name: string }[]
    >`select name from teams where id = ${teamId} for update`;
    if (row === undefined) throw new SvcError('not-found', 'No such team.');
    if (row.name !== typedSlug)
      throw new SvcError(
        'bad-argument',
        'The name does not match. Type the name of the team as it is shown to delete it.',
      );
    await sql`delete from teams where id = ${teamId}`;
  });
}
