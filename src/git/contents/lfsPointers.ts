import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type GitRunner, loadObjects } from '../loadObjects.ts';
import { splitFields, toRawPathBytes } from '../rawPaths.ts';

/** Longest pointer of Git LFS, bytes; see its specification. */
export const MAX_POINTER_BYTES = 1024;
const MAX_LIST_BYTES = 256 * 1024 * 1024;

/** A file whose contents Git LFS holds. */
export interface LfsPointer {
  /** Raw. */
  path: string;
  /** SHA-256 of the contents. */
  oid: string;
  /** Bytes of the contents. */
  size: number;
}

/** The text of a pointer in its only canonical form. */
export const formatPointer = ({ oid, size }: Pick<LfsPointer, 'oid' | 'size'>): string =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;

export function parsePointer(bytes: Buffer): Pick<LfsPointer, 'oid' | 'size'> | null {
  if (bytes.length >= MAX_POINTER_BYTES) return null;
  const text = bytes.toString('latin1');
  if (!/^version https?:\/\/[^\n]+\n/.test(text)) return null;
  const [, oid] = /^oid sha256:([0-9a-f]{64})$/m.exec(text) ?? [];
  const [, size] = /^size (\d{1,15})$/m.exec(text) ?? [];
  return oid === undefined || size === undefined ? null : { oid, size: Number(size) };
}

/**
 * The pointers in an index, of files that the attributes of the working tree give to a filter. `git` knows that
 * tree. Runs no filter.
 */
export async function listLfsPointers(git: GitRunner): Promise<LfsPointer[]> {
  const { stdout } = await git(['ls-files', '--stage', '-z', '--', ':(exclude,attr:!filter)'], {
    encoding: 'latin1',
    maxBytes: MAX_LIST_BYTES,
  });
  const files = splitFields(stdout).flatMap((line) => {
    const [, blob = '', path = ''] = /^100\d+ ([0-9a-f]+) 0\t(.*)$/s.exec(line) ?? [];
    return blob === '' ? [] : [{ path, blob }];
  });
  if (files.length === 0) return [];
  const sizes = await git(['cat-file', '--batch-check'], {
    input: [...new Set(files.map(({ blob }) => blob))].map((blob) => `${blob}\n`).join(''),
    maxBytes: MAX_LIST_BYTES,
  });
  const small = sizes.stdout.split('\n').flatMap((line) => {
    const [, blob = '', size = ''] = /^([0-9a-f]+) blob (\d+)$/.exec(line) ?? [];
    return blob !== '' && Number(size) < MAX_POINTER_BYTES ? [blob] : [];
  });
  const pointers = new Map(
    [...(await loadObjects(git, small))].map(([blob, { bytes }]) => [blob, parsePointer(bytes)]),
  );
  return files.flatMap(({ path, blob }) => {
    const pointer = pointers.get(blob);
    return pointer ? [{ path, ...pointer }] : [];
  });
}

/** Whether a file of a checkout has exactly the contents that a pointer names. A link has not. */
export async function hasLfsContents(
  checkoutDir: string,
  { path, oid, size }: LfsPointer,
): Promise<boolean> {
  const place = toRawPathBytes(`${Buffer.from(checkoutDir).toString('latin1')}/${path}`);
  const stats = await lstat(place).catch(() => null);
  if (!stats?.isFile() || stats.size !== size) return false;
  const hash = createHash('sha256');
  return pipeline(createReadStream(place), hash).then(
    () => hash.digest('hex') === oid,
    () => false,
  );
}
