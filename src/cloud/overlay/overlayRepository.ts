import { SvcError } from '../../base/errors/errors.ts';
import type { OverlayRepository } from '../../contract/schema/cloud/team.ts';
import type { Sql, TransactionSql } from '../database/database.ts';

interface SettingsRow {
  repository: OverlayRepository | null;
}

/** Where pull requests change the overlay of the team; null = the control plane changes it itself. */
export async function findOverlayRepository(
  sql: Sql,
  teamId: string,
): Promise<OverlayRepository | null> {
  const [row] = await sql<SettingsRow[]>`
    select settings -> 'overlayRepository' as repository from teams where id = ${teamId}`;
  return row?.repository ?? null;
}

/** Throws SvcError `not-possible-now` where only merges may change the overlay; else no one sets that meanwhile. */
export async function refuseDirectChange(sql: TransactionSql, teamId: string): Promise<void> {
  const [row] = await sql<SettingsRow[]>`
    select settings -> 'overlayRepository' as repository from teams where id = ${teamId} for no key update`;
  const repository = row?.repository ?? null;
  if (repository === null) return;
  throw new SvcError(
    'not-possible-now',
    `The overlay of the team is changed by pull requests in ${formatRepository(repository)}.`,
  );
}

export const formatRepository = ({ forge, repository }: OverlayRepository): string =>
  `${forge}:${repository}`;
