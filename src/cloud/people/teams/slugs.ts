import { SvcError } from '../../../base/errors/errors.ts';
import type { TransactionSql } from '../../database/database.ts';
import { ADVISORY_LOCKS } from '../../database/advisoryLocks.ts';

const MOST_SLUG = 40;
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
/** Where a name has no letter or digit that an address can carry. */
const NAMELESS = 'team';
const MOST_NUMBER = 1000;

/** The name of a team in addresses and on the command line: `Ärzte & Co` becomes `arzte-co`. */
export function toSlug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MOST_SLUG)
    .replace(/-+$/, '');
  return plain === '' ? NAMELESS : plain;
}

/** Throws SvcError `invalid`. */
export function checkSlug(slug: string): string {
  if (SLUG.test(slug)) return slug;
  const message = `Use up to ${MOST_SLUG} of the characters a-z, 0-9 and -, beginning and ending with a letter or digit.`;
  throw new SvcError('invalid', message, { errors: [{ pointer: '/slug', message }] });
}

/** Until the transaction ends no other one chooses a slug: of two teams that want the same, the second sees the first. */
export const lockSlugs = (sql: TransactionSql) =>
  sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.teamSlugs})`;

/** A slug that no other team has, nor one whose id it would be. */
export async function findFreeSlug(sql: TransactionSql, name: string): Promise<string> {
  const base = toSlug(name);
  for (let number = 1; number < MOST_NUMBER; number += 1) {
    const ending = number === 1 ? '' : `-${number}`;
    const slug = `${base.slice(0, MOST_SLUG - ending.length).replace(/-+$/, '')}${ending}`;
    if (!(await isSlugTaken(sql, slug))) return slug;
  }
  throw new SvcError(
    'conflict',
    `Every address for the name ${name} is taken. Choose another name.`,
  );
}

export async function isSlugTaken(
  sql: TransactionSql,
  slug: string,
  exceptTeam = '',
): Promise<boolean> {
  const [row] = await sql`
    select 1 from teams where (slug = ${slug} or id = ${slug}) and id <> ${exceptTeam}`;
  return row !== undefined;
}
