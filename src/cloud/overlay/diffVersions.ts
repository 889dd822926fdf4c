import { decodeUtf8OrNull } from '../../base/text/decodeUtf8OrNull.ts';
import type { OverlayDiff, OverlayVersion } from '../../contract/schema/cloud/teamOverlay.ts';
import { formatUnifiedDiff } from '../../workflows/proposals/reading/formatUnifiedDiff.ts';
import type { Sql } from '../database/database.ts';
import { readFiles } from './overlayFiles.ts';
import { readVersion } from './versionRows.ts';

/** Most files of an answer; a change by a proposal has fewer. */
const MAX_SHOWN = 100;

type File = OverlayVersion['files'][number];

/** What differs between two versions of a team's overlay. Throws SvcError `not-found`. */
export async function diffVersions(
  sql: Sql,
  teamId: string,
  to: number,
  from: number,
): Promise<OverlayDiff> {
  const [older, newer] = [await readVersion(sql, teamId, from), await readVersion(sql, teamId, to)];
  const before = new Map(older.files.map((file) => [file.path, file]));
  const after = new Map(newer.files.map((file) => [file.path, file]));
  const differing = [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path)?.sha256 !== after.get(path)?.sha256)
    .sort();
  const firstFiles = differing.slice(0, MAX_SHOWN);
  const pick = (files: ReadonlyMap<string, File>): File[] =>
    firstFiles.flatMap((path) => files.get(path) ?? []);
  const [had, has] = [
    await readFiles(sql, teamId, pick(before)),
    await readFiles(sql, teamId, pick(after)),
  ];
  return {
    from,
    to,
    files: firstFiles.map((path) => {
      const [old, now] = [had.get(path), has.get(path)];
      const texts = [old, now].map((bytes) =>
        bytes === undefined ? null : decodeUtf8OrNull(bytes),
      );
      const isText = [old, now].every((bytes, at) => bytes === undefined || texts[at] !== null);
      return {
        path,
        change: old === undefined ? 'added' : now === undefined ? 'removed' : 'changed',
        diff: isText ? formatUnifiedDiff(path, texts[0] ?? null, texts[1] ?? null) : '',
      };
    }),
    isCut: differing.length > firstFiles.length,
  };
}
