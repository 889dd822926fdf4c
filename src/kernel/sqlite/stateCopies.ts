import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Copies of the state that are kept, newest first; making one removes others. */
export const KEPT_COPIES = 2;

/** Copy of the state from a release: `state.db.0.2.0`. */
export const toReleaseCopyPath = (file: string, release: string): string => `${file}.${release}`;

/** Copy of a state without a named release, by schema version: `state.db.v24`. */
export const toVersionCopyPath = (file: string, version: number): string => `${file}.v${version}`;

/**
 * Where an older release's or schema's state is copied before `release` runs; null = no copy.
 * `last`: the release that last ran, null = unknown.
 */
export function resolveCopyPath(
  file: string,
  { last, version }: { last: string | null; version: number },
  { release, known }: { release: string; known: number },
): string | null {
  if (version === 0 || version > known) return null;
  if (last === release) return version < known ? toVersionCopyPath(file, version) : null;
  return last === null ? toVersionCopyPath(file, version) : toReleaseCopyPath(file, last);
}

/** The copy that a release with this schema version can start from; null = none exists. */
export const findReadableCopy = (file: string, release: string, version: number): string | null =>
  [toReleaseCopyPath(file, release), toVersionCopyPath(file, version)].find((copy) =>
    existsSync(copy),
  ) ?? null;

/** Whether a copy is as new as the state, last written at `writtenAt` (ms). */
export const isCopyCurrent = (copy: string, writtenAt: number): boolean =>
  existsSync(copy) && statSync(copy).mtimeMs >= writtenAt;

export function pruneCopies(file: string): void {
  const folder = dirname(file);
  const copies = readdirSync(folder)
    .filter(
      (name) => name.startsWith(`${basename(file)}.`) && /\.(v\d+|\d+\.\d+\.\d+[^/]*)$/.test(name),
    )
    .map((name) => join(folder, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const copy of copies.slice(KEPT_COPIES)) rmSync(copy, { force: true });
}
