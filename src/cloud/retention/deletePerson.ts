import { SvcError } from '../../base/errors/errors.ts';
import { toIsoTime } from '../../base/time/toIsoTime.ts';
import type { TransactionSql } from '../database/database.ts';
import { toStoredEmail } from '../people/accounts/accountFields.ts';
import { endLogins } from '../people/accounts/endLogins.ts';
import { findUserByEmail, type User } from '../people/accounts/users.ts';
import { addAudit } from '../server/audit/appendAudit.ts';
import type { StoreContext } from '../server/cloudContext.ts';
import { createNoAccountError, OPERATOR } from './exportData.ts';

/** What replaces a name in the history of an overlay. */
export const DELETED_PERSON = 'a deleted person';

export interface DeletedPerson {
  email: string;
  /** Slugs of the teams that they were in. */
  teams: string[];
  /** Names of their machines; each keeps its jobs on its own disk. */
  runners: string[];
  /** How many dispatches of theirs were deleted. */
  dispatches: number;
}

/**
 * Deletes the account of a person with all that is theirs: logins, memberships, machines and what the control plane has of
 * their state, list rows, dispatches and invitations. Versions and decisions of an overlay stay without the name. Audit
 * entries stay as they are until they are a year old: each is part of the chain of hashes. `typedName`: the name of the
 * account; null = none was typed yet. Throws SvcError `not-found`, `bad-argument` where the name is missing or another one,
 * and `not-possible-now` for the only owner of a team, or while another runner continues the jobs of a machine.
 */
export async function deletePerson(
  { database, clock }: StoreContext,
  email: string,
  typedName: string | null,
): Promise<DeletedPerson> {
  const person = await findUserByEmail(database.sql, toStoredEmail(email));
  if (person === null) throw createNoAccountError(email);
  return database.transaction(async (sql) => {
    const [user] = await sql<User[]>`
      select id, email, name from users where id = ${person.id} for update`;
    if (user === undefined) throw createNoAccountError(email);
    const belongings = await readBelongings(sql, user);
    await requireOtherOwners(sql, user);
    await requireNoTakeover(sql, user);
    requireName(user, typedName, belongings);
    await hideName(sql, user);
    await endLogins(sql, user.id);
    const teams = await sql`
      select team_id from members where user_id = ${user.id} order by team_id`;
    await sql`delete from users where id = ${user.id}`;
    for (const { team_id: teamId } of teams)
      await addAudit(sql, String(teamId), {
        ...OPERATOR,
        at: toIsoTime(clock.now()),
        action: 'deletePerson',
        target: { userId: user.id },
        failed: null,
        refersTo: null,
      });
    return belongings;
  });
}

async function readBelongings(sql: TransactionSql, { id, email }: User): Promise<DeletedPerson> {
  const teams = await sql`
    select slug from teams join members on members.team_id = teams.id where user_id = ${id} order by slug`;
  const runners = await sql`select name from runners where owner_id = ${id} order by name`;
  const [countRow] = await sql`select count(*) as n from dispatches where created_by = ${id}`;
  return {
    email,
    teams: teams.map(({ slug }) => String(slug)),
    runners: runners.map(({ name }) => String(name)),
    dispatches: Number(countRow?.n),
  };
}

/** Owners are locked in one order, as where members are changed: of two who go at once, one stays. */
async function requireOtherOwners(sql: TransactionSql, { id }: User): Promise<void> {
  await sql`
    select 1 from members where role = 'owner'
      and team_id in (select team_id from members where user_id = ${id})
    order by team_id, user_id for update`;
  const alone = await sql`
    select slug from teams join members mine on mine.team_id = teams.id and mine.user_id = ${id} and mine.role = 'owner'
    where not exists (select from members others
      where others.team_id = teams.id and others.role = 'owner' and others.user_id <> ${id}) order by slug`;
  if (alone.length === 0) return;
  const slugs = alone.map(({ slug }) => String(slug));
  throw new SvcError(
    'not-possible-now',
    `This person is the only owner of ${slugs.join(', ')}. Make another member an owner, or delete the team: svc cloud team delete.`,
    { data: { teams: slugs } },
  );
}

async function requireNoTakeover(sql: TransactionSql, { id }: User): Promise<void> {
  const rows = await sql`
    select runners.name, adopters.name as adopter from adoptions
    join runners on runners.id = adoptions.runner_id and runners.owner_id = ${id}
    join runners adopters on adopters.id = adoptions.adopter_id and adopters.owner_id is distinct from ${id}
    where adoptions.state = 'running' order by runners.name`;
  if (rows.length === 0) return;
  const list = rows
    .map(({ name, adopter }) => `${adopter} continues the jobs of ${name}`)
    .join(', ');
  throw new SvcError(
    'not-possible-now',
    `${list}. Wait until they have ended, or cancel them; what they have done so far would be lost.`,
  );
}

function requireName(
  { name, email }: User,
  typedName: string | null,
  { teams, runners, dispatches }: DeletedPerson,
): void {
  if (typedName === name) return;
  const wrong = typedName === null ? '' : 'The name does not match. ';
  const list = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '));
  throw new SvcError(
    'bad-argument',
    `${wrong}Nothing was deleted. Deleting ${email} cannot be undone. Teams: ${list(teams)}. Machines that leave them, with their jobs in the list and their state at the control plane: ${list(runners)}. Dispatches: ${dispatches}. To confirm it, pass the name of the account with --name: ${JSON.stringify(name)}.`,
    { data: { name, teams, runners, dispatches } },
  );
}

/** A decision has no ID of the person: where two members have the name, it stays. */
async function hideName(sql: TransactionSql, { id, name }: User): Promise<void> {
  await sql`update overlay_versions set author = ${DELETED_PERSON} where created_by = ${id}`;
  const namesake = sql`
    exists (select from members join users on users.id = members.user_id
      where members.team_id = proposals.team_id and users.name = ${name} and users.id <> ${id})`;
  const mine = sql`
    team_id in (select team_id from members where user_id = ${id}) and not ${namesake}`;
  const author = JSON.stringify(DELETED_PERSON);
  await sql`
    update proposals set approval = jsonb_set(approval, '{author}', ${author}::text::jsonb)
    where approval ->> 'author' = ${name} and ${mine}`;
  const deletedPerson = JSON.stringify({ userId: '', person: DELETED_PERSON });
  await sql`update proposals set pull = pull || ${deletedPerson}::text::jsonb where pull ->> 'userId' = ${id}`;
  await sql`
    update proposals set rejection = jsonb_set(rejection, '{author}', ${author}::text::jsonb)
    where rejection ->> 'author' = ${name} and ${mine}`;
}
