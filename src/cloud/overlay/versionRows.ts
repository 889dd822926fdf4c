import { SvcError } from '../../base/errors/errors.ts';
import { toIsoTime } from '../../base/time/toIsoTime.ts';
import {
  DEFAULT_VERSIONS,
  type OverlayVersion,
  type OverlayVersionSummary,
} from '../../contract/schema/cloud/teamOverlay.ts';
import type { Sql, TransactionSql } from '../database/database.ts';

/** The files of a version by path. */
export type Manifest = Readonly<Record<string, { sha256: string; bytes: number }>>;

interface VersionRow {
  version: number;
  files: Manifest;
  created_at: Date;
  author: string;
  proposal_id: string | null;
  restores: number | null;
}

/** What a new version is made of. */
export interface NewVersion {
  teamId: string;
  version: number;
  files: Manifest;
  /** `userId` null = the person is gone. */
  author: { userId: string | null; name: string };
  proposalId: string | null;
  restores: number | null;
  now: Date;
}

/** Before the first version. */
const NO_VERSION = {
  version: 0,
  at: null,
  author: null,
  proposalId: null,
  restores: null,
} as const;

const toFacts = ({ version, created_at, author, proposal_id, restores }: VersionRow) => ({
  version,
  at: toIsoTime(created_at.getTime()),
  author,
  proposalId: proposal_id,
  restores,
});

/** In the order of code units, as the paths of layers are sorted. */
const sortFiles = (files: Manifest): OverlayVersion['files'] =>
  Object.entries(files)
    .map(([path, file]) => ({ path, ...file }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));

/** The newest version; version 0 without files where the team has none. */
export async function readNewestVersion(
  sql: Sql | TransactionSql,
  teamId: string,
): Promise<OverlayVersion> {
  const [row] = await sql<VersionRow[]>`
    select version, files, created_at, author, proposal_id, restores from overlay_versions
    where team_id = ${teamId} order by version desc limit 1`;
  return row === undefined
    ? { ...NO_VERSION, files: [] }
    : { ...toFacts(row), files: sortFiles(row.files) };
}

/** Throws SvcError `not-found`. Version 0 is empty. */
export async function readVersion(
  sql: Sql,
  teamId: string,
  version: number,
): Promise<OverlayVersion> {
  if (version === 0) return { ...NO_VERSION, files: [] };
  const [row] = await sql<VersionRow[]>`
    select version, files, created_at, author, proposal_id, restores from overlay_versions
    where team_id = ${teamId} and version = ${version}`;
  if (row === undefined)
    throw new SvcError('not-found', `The team's overlay has no version ${version}.`);
  return { ...toFacts(row), files: sortFiles(row.files) };
}

/** A page of the versions, newest first. */
export async function listVersions(
  sql: Sql,
  teamId: string,
  { limit = DEFAULT_VERSIONS, offset = 0 }: { limit?: number; offset?: number },
): Promise<{ versions: OverlayVersionSummary[]; total: number }> {
  const [rows, [countRow]] = await Promise.all([
    sql<(Omit<VersionRow, 'files'> & { file_count: number; bytes: number })[]>`
      select version, created_at, author, proposal_id, restores, count(file.key)::int as file_count,
        coalesce(sum((file.value ->> 'bytes')::bigint), 0)::bigint as bytes
      from overlay_versions left join lateral jsonb_each(files) file on true
      where team_id = ${teamId}
      group by version, created_at, author, proposal_id, restores
      order by version desc limit ${limit} offset ${offset}`,
    sql`select count(*) as total from overlay_versions where team_id = ${teamId}`,
  ]);
  return {
    versions: rows.map(({ file_count, bytes, ...row }) => ({
      ...toFacts({ ...row, files: {} }),
      fileCount: file_count,
      bytes,
    })),
    total: Number(countRow?.total),
  };
}

/** Whether it was stored: false = the version exists already, made by someone else meanwhile. */
export async function insertVersion(sql: TransactionSql, newVersion: NewVersion): Promise<boolean> {
  const { teamId, version, files, author, proposalId, restores, now } = newVersion;
  const { count } = await sql`
    insert into overlay_versions (team_id, version, files, created_at, created_by, author, proposal_id, restores)
    values (${teamId}, ${version}, ${JSON.stringify(files)}::text::jsonb, ${now}, ${author.userId}, ${author.name},
      ${proposalId}, ${restores})
    on conflict do nothing`;
  if (count === 0) return false;
  await noteOverlayChange(sql, teamId);
  return true;
}

/** The runners of the team look again. */
export const noteOverlayChange = (sql: TransactionSql, teamId: string) =>
  sql`update teams set last_overlay_change = last_overlay_change + 1 where id = ${teamId}`;

export const toManifest = (files: OverlayVersion['files']): Manifest =>
  Object.fromEntries(files.map(({ path, sha256, bytes }) => [path, { sha256, bytes }]));
