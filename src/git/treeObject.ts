import { SvcError } from '../base/errors/errors.ts';
import { showRawPath } from './rawPaths.ts';

export type EntryKind = 'folder' | 'file' | 'executable' | 'link' | 'submodule';

export interface TreeEntry {
  kind: EntryKind;
  oid: string;
}

const OID_BYTES = 20;
const [SPACE, NUL] = [0x20, 0x00];
const [KIND_BITS, RUN_BIT] = [0o170000, 0o100];

/**
 * Reads an octal mode as git does. Old trees hold modes that git no longer writes, such as 100664;
 * the other bits make no difference.
 */
export function parseKind(mode: string): EntryKind {
  const bits = Number.parseInt(mode, 8);
  switch (bits & KIND_BITS) {
    case 0o040000:
      return 'folder';
    case 0o100000:
      return (bits & RUN_BIT) === 0 ? 'file' : 'executable';
    case 0o120000:
      return 'link';
    default:
      return 'submodule';
  }
}

export const isFile = ({ kind }: TreeEntry): boolean => kind === 'file' || kind === 'executable';

/** The entries of a tree object by their raw names, in its order. Throws SvcError `invalid`. */
export function parseTree(bytes: Buffer, oid: string): Map<string, TreeEntry> {
  const createDamageError = (why: string) =>
    new SvcError(
      'invalid',
      `The folder ${oid} of the repository is damaged: ${why}. Run git fsck.`,
    );
  const entries = new Map<string, TreeEntry>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(SPACE, at);
    const end = bytes.indexOf(NUL, space);
    const next = end + 1 + OID_BYTES;
    if (space === -1 || end === -1 || next > bytes.length)
      throw createDamageError('it ends too early');
    const name = bytes.toString('latin1', space + 1, end);
    if (entries.has(name)) throw createDamageError(`it contains ${showRawPath(name)} twice`);
    entries.set(name, {
      kind: parseKind(bytes.toString('latin1', at, space)),
      oid: bytes.toString('hex', end + 1, next),
    });
    at = next;
  }
  return entries;
}
