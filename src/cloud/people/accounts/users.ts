import type { Ids } from '../../../base/system/ids/ids.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import type { Database, Sql, TransactionSql } from '../../database/database.ts';
import type { AccountFields } from './accountFields.ts';
import { hashPassword } from '../passwords.ts';

export interface User {
  id: string;
  email: string;
  name: string;
}

export async function findUser({ sql }: Database, id: string): Promise<User | null> {
  const [row] = await sql<User[]>`select id, email, name from users where id = ${id}`;
  return row ?? null;
}

/** `password`: its hash; null where the person logs in elsewhere. */
export async function findUserByEmail(
  sql: Sql | TransactionSql,
  email: string,
): Promise<(User & { password: string | null }) | null> {
  const [row] = await sql<(User & { password: string | null })[]>`
    select id, email, name, password from users where email = ${email}`;
  return row ?? null;
}

/** A row for {@link addUser}: the slow part, made before a transaction begins. */
export async function prepareUser(fields: AccountFields, ids: Ids) {
  return {
    id: ids.next(),
    email: fields.email,
    name: fields.name,
    password: await hashPassword(fields.password),
  };
}

/** Throws SvcError `conflict` where the address has an account. */
export async function addUser(
  sql: TransactionSql,
  user: Awaited<ReturnType<typeof prepareUser>>,
  now: Date,
): Promise<void> {
  const insertion = await sql`
    insert into users ${sql({ ...user, created_at: now })} on conflict (email) do nothing`;
  if (insertion.count === 0)
    throw new SvcError('conflict', 'This email address has an account. Log in with it.');
}
