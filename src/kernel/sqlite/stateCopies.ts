import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Copies of the state that are kept, the newest first: further ones go when one is made. */
export const KEPT_COPIES = 2;

/** The copy of the state as a release left it: `state.db.0.2.0`. */
export const toReleaseCopyPath = (file: string, release: string): string => `${file}.${release}`;

/** The copy of a state that names no release, by the version of its schema: `state.db.v24`. */
export const toVersionCopyPath = (file: string, version: number): string => `${file}.v${version}`;

/**
 * Where the state of an older release, or of an older schema, is copied to before `release` runs on
 * it; null = it stays as it is. `last`: the release that ran on it last, null = it does not say.
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

/**
 * The copy that a release with this version of the schema can start from; null = none lies
 * beside the state.
 */
export const findReadableCopy = (file: string, release: string, version: number): string | null =>
  [toReleaseCopyPath(file, release), toVersionCopyPath(file, version)].find((copy) =>
    existsSync(copy),
  ) ?? null;

/** Whether a copy holds what the state held when it was last written, at `writtenAt` (ms). */
export const isCopyCurrent = (copy: string, writtenAt: number): boolean =>
  existsSync(copy) && statSync(copy).mtimeMs >= writtenAt;

/** Removes all copies but the newest ones. */
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
