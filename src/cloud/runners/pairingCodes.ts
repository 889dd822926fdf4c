import { toIsoTime } from '../../base/time/toIsoTime.ts';
import { addAudit } from '../server/audit/appendAudit.ts';
import { randomBytes } from 'node:crypto';
import { SvcError } from '../../base/errors/errors.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import type {
  PairBody,
  PairedRunner,
  PairingCode,
} from '../../contract/schema/cloud/teamRunner.ts';
import type { TransactionSql } from '../database/database.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { toTextArray } from './toTextArray.ts';
import { createRunnerToken } from './runnerTokens.ts';

/** How long a code can be used, ms. */
export const CODE_MS = 10 * 60_000;
const CODE_CHARS = 10;
/** Runners of one team that are not revoked. */
export const MOST_RUNNERS = 100;
/** Base 32 without letters that look like digits or like each other. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const createCode = (): string =>
  [...randomBytes(CODE_CHARS)].map((byte) => LETTERS[byte % LETTERS.length]).join('');

/** As a person types it: case, spaces and hyphens do not count, and O, I and L are digits. */
const readCode = (text: string): string =>
  text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');

const formatCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`;

interface CodeFor {
  teamId: string;
  createdBy: string;
  pool: boolean;
  labels: readonly string[];
}

/** Its hash alone is stored. */
export async function createPairingCode(
  { database: { sql }, clock, publicUrl }: CloudContext,
  { teamId, createdBy, pool, labels }: CodeFor,
): Promise<PairingCode> {
  const code = createCode();
  const now = clock.now();
  const expiresAt = new Date(now + CODE_MS);
  await sql`delete from pairing_codes where expires_at < ${new Date(now - CODE_MS)}`;
  await sql`
    insert into pairing_codes (code_hash, team_id, created_by, owner_id, labels, created_at, expires_at)
    values (${sha256(code)}, ${teamId}, ${createdBy}, ${pool ? null : createdBy}, ${toTextArray(sql, labels)},
      ${new Date(now)}, ${expiresAt})`;
  const formattedCode = formatCode(code);
  return {
    code: formattedCode,
    expiresAt: expiresAt.toISOString(),
    pool,
    labels: [...labels],
    command: `svc login --cloud-url ${publicUrl} --pair ${formattedCode}`,
  };
}

interface UsedCode {
  teamId: string;
  ownerId: string | null;
  labels: string[];
  /** Who made the code: the runner's owner, or an admin for one of the pool. */
  creator: { userId: string; name: string | null };
}

/** Marks the code as used. Throws SvcError `forbidden` for a code that is unknown, expired or used. */
async function takeCode(sql: TransactionSql, code: string, at: Date): Promise<UsedCode> {
  const [row] = await sql`
    update pairing_codes set used_at = ${at}
    where code_hash = ${sha256(readCode(code))} and used_at is null and expires_at > ${at}
      and exists (select from members
        where members.team_id = pairing_codes.team_id and members.user_id = pairing_codes.created_by
          and members.role <> 'viewer' and (pairing_codes.owner_id is not null or members.role <> 'member'))
    returning team_id, owner_id, created_by, to_jsonb(labels) as labels,
      (select name from users where users.id = pairing_codes.created_by) as creator`;
  if (row === undefined)
    throw new SvcError(
      'forbidden',
      'This pairing code is not valid: it is mistyped, was used, or is older than ten minutes. Create another one on the page Runners of the team, or with svc cloud pair.',
    );
  const { team_id: teamId, owner_id: ownerId, labels, created_by: userId, creator: name } = row;
  return { teamId, ownerId, labels, creator: { userId, name } };
}

/** Throws SvcError `not-possible-now` for a further runner of a team that has the most. */
async function refuseTooMany(sql: TransactionSql, teamId: string, homeId: string): Promise<void> {
  // Two machines that pair at the same time are counted in sequence.
  await sql`select 1 from teams where id = ${teamId} for no key update`;
  const [countRow] = await sql`
    select count(*) as others from runners
    where team_id = ${teamId} and revoked_at is null and home_id <> ${homeId}`;
  if (Number(countRow?.others) >= MOST_RUNNERS)
    throw new SvcError(
      'not-possible-now',
      `The team has ${MOST_RUNNERS} runners, which is the limit. Revoke one that is no longer used, then pair this one with the same code.`,
    );
}

/**
 * Pairs a home with the team of a code. Throws SvcError `forbidden` for the code, `not-possible-now` for one runner too many, and `conflict` where the home is a
 * runner of someone else: its id is no secret, so it must not be enough to take that runner over.
 */
export async function pairRunner(
  { database, clock, ids }: CloudContext,
  { code, name, homeId, version = '' }: PairBody,
  address: string,
): Promise<PairedRunner> {
  return database.transaction(async (sql) => {
    const at = new Date(clock.now());
    const { teamId, ownerId, labels, creator } = await takeCode(sql, code, at);
    await refuseTooMany(sql, teamId, homeId);
    const [known] = await sql`
      select id, owner_id, revoked_at from runners where team_id = ${teamId} and home_id = ${homeId} for update`;
    if (known !== undefined && known.owner_id !== ownerId && known.revoked_at === null)
      throw new SvcError(
        'conflict',
        'This home is already paired with the team, as a runner of someone else or of the pool. Its owner or an admin has to revoke that runner first.',
      );
    const runnerId: string = known?.id ?? ids.next();
    const token = createRunnerToken(runnerId, ids);
    const hash = sha256(token);
    const accept = ownerId === null ? 'team' : 'own';
    await sql`
      insert into runners (id, team_id, owner_id, home_id, name, labels, accept, token_hash, token_at, program_version, created_at)
      values (${runnerId}, ${teamId}, ${ownerId}, ${homeId}, ${name}, ${toTextArray(sql, labels)}, ${accept}, ${hash}, ${at}, ${version}, ${at})
      on conflict (id) do update set owner_id = excluded.owner_id, name = excluded.name, labels = excluded.labels,
        accept = excluded.accept, token_hash = excluded.token_hash, token_at = excluded.token_at, previous_hash = null,
        revoked_at = null`;
    const [team] = await sql`select id, slug, name from teams where id = ${teamId}`;
    if (team === undefined)
      throw new SvcError('forbidden', 'The team of this code does not exist.');
    await addAudit(sql, teamId, {
      at: toIsoTime(clock.now()),
      userId: creator.userId,
      person: creator.name,
      address,
      action: 'pairRunner',
      target: { runnerId, name },
      failed: null,
      refersTo: null,
    });
    return {
      token,
      runnerId,
      name,
      pool: ownerId === null,
      labels,
      team: { id: team.id, slug: team.slug, name: team.name },
    };
  });
}
