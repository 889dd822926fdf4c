import { SvcError } from '../../base/errors/errors.ts';
import { toIsoTime } from '../../base/time/toIsoTime.ts';
import { toStoredEmail } from '../people/accounts/accountFields.ts';
import { findUserByEmail } from '../people/accounts/users.ts';
import { appendAudit } from '../server/audit/appendAudit.ts';
import type { StoreContext } from '../server/cloudContext.ts';
import { createPersonParts, createTeamParts, type ExportPart } from './exportParts.ts';

/** Whose data is exported: a team by ID or slug, or a person by address. */
export type ExportSubject = { team: string } | { person: string };

export interface ExportedData {
  /** Lines with a row of the database: without the first and the last one. */
  rows: number;
}

/** Takes text of some lines; the export continues when it resolves. */
type Write = (text: string) => Promise<void>;

/** `facts`: what the first line says. `teams`: those whose audit log names the export. */
interface Subject {
  facts: Readonly<Record<string, string>>;
  parts: readonly ExportPart[];
  teams: readonly string[];
  audit: { action: string; target: Readonly<Record<string, string>> };
}

async function findTeamSubject({ database }: StoreContext, team: string): Promise<Subject> {
  const [row] = await database.sql`
    select id, slug from teams where id = ${team} or slug = ${team} order by (id = ${team}) desc limit 1`;
  if (row === undefined) throw new SvcError('not-found', `No team has the address ${team}.`);
  return {
    facts: { export: 'team', team: row.slug },
    parts: createTeamParts(row.id),
    teams: [row.id],
    audit: { action: 'exportTeam', target: {} },
  };
}

async function findPersonSubject({ database }: StoreContext, email: string): Promise<Subject> {
  const user = await findUserByEmail(database.sql, toStoredEmail(email));
  if (user === null) throw createNoAccountError(email);
  const teams = await database.sql`
    select team_id from members where user_id = ${user.id} order by team_id`;
  return {
    facts: { export: 'person', email: user.email },
    parts: createPersonParts(user.id),
    teams: teams.map(({ team_id }) => String(team_id)),
    audit: { action: 'exportPerson', target: { userId: user.id } },
  };
}

export const createNoAccountError = (email: string): SvcError =>
  new SvcError(
    'not-found',
    `No account has the email address ${email}. The page Members of a team lists the addresses.`,
  );

/**
 * Writes what the control plane has of a team or a person as JSON Lines, all at one moment: the first line says what it
 * is, each other one has `part` and the columns of a row, and the last one `{"end":true,"rows":…}`. The audit log of the
 * teams names the export first. Throws SvcError `not-found`.
 */
export async function exportData(
  context: StoreContext,
  subject: ExportSubject,
  write: Write,
): Promise<ExportedData> {
  const { database, clock } = context;
  const { facts, parts, teams, audit } =
    'team' in subject
      ? await findTeamSubject(context, subject.team)
      : await findPersonSubject(context, subject.person);
  const at = toIsoTime(clock.now());
  for (const teamId of teams)
    await appendAudit(database, teamId, {
      ...OPERATOR,
      ...audit,
      at,
      failed: null,
      refersTo: null,
    });
  await write(`${JSON.stringify({ ...facts, at })}\n`);
  let rows = 0;
  await database.sql.begin('isolation level repeatable read read only', async (sql) => {
    for (const { name, rows: most, select } of parts)
      for await (const page of select(sql).cursor(most)) {
        rows += page.length;
        await write(page.map((row) => `${JSON.stringify({ part: name, ...row })}\n`).join(''));
      }
  });
  await write(`${JSON.stringify({ end: true, rows })}\n`);
  return { rows };
}

/** Who has the database acts: no member, and from no address. */
export const OPERATOR = { userId: null, person: null, address: null } as const;
