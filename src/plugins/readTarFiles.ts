import { listFoldersAbove } from '../base/text/folderPaths.ts';
import { SvcError } from '../base/errors/errors.ts';

export interface TarFile {
  /** Path within the package, without the first folder of the archive. */
  path: string;
  bytes: Buffer;
}

export const MAX_FILES = 5_000;
/** Largest package, bytes, unpacked. */
export const MAX_UNPACKED_BYTES = 100 * 1024 * 1024;
/** Longest path within the package, characters. */
const MAX_PATH_CHARS = 500;

const BLOCK = 512;
/** Accepted kinds of entries; every other one is refused. */
const KINDS = { file: ['0', '\0'], folder: '5', pax: 'x', globalPax: 'g', longName: 'L' } as const;

const createTarRefusal = (what: string): SvcError =>
  new SvcError('invalid', `The archive is refused: ${what} Nothing was installed.`);

const decodeTarText = (bytes: Buffer): string => {
  const end = bytes.indexOf(0);
  return bytes.subarray(0, end === -1 ? bytes.length : end).toString('utf8');
};

function parseTarNumber(field: Buffer): number {
  const text = decodeTarText(field).trim();
  if (!/^[0-7]*$/.test(text)) throw createTarRefusal('a number in it cannot be read.');
  return text === '' ? 0 : Number.parseInt(text, 8);
}

function checkSum(header: Buffer): void {
  const writtenSum = parseTarNumber(header.subarray(148, 156));
  let sum = 8 * 0x20;
  for (let at = 0; at < BLOCK; at += 1) if (at < 148 || at >= 156) sum += header[at] ?? 0;
  if (sum !== writtenSum) throw createTarRefusal('it is damaged (a checksum is wrong).');
}

/** `<length> <name>=<value>\n`, length in bytes of the whole line. */
function parsePaxMembers(bytes: Buffer): Map<string, string> {
  const members = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const blank = bytes.indexOf(0x20, at);
    const length = Number(bytes.subarray(at, blank).toString('latin1'));
    if (blank === -1 || !Number.isInteger(length) || length < 5 || at + length > bytes.length)
      throw createTarRefusal('an extended header in it cannot be read.');
    const line = bytes.subarray(blank + 1, at + length - 1).toString('utf8');
    const equals = line.indexOf('=');
    members.set(line.slice(0, equals), line.slice(equals + 1));
    at += length;
  }
  return members;
}

/**
 * The path below the first folder. Throws for one that would leave it, or that is ambiguous between
 * systems.
 */
function checkTarPath(raw: string): string {
  const shownName = JSON.stringify(raw.slice(0, 200));
  if (/^(?:[/\\]|[A-Za-z]:)/.test(raw))
    throw createTarRefusal(`it contains the absolute path ${shownName}.`);
  const parts = raw.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..'))
    throw createTarRefusal(`it contains the path ${shownName}, which leaves the package.`);
  if (/[\\\p{Cc}]/u.test(raw) || raw.length > MAX_PATH_CHARS)
    throw createTarRefusal(`it holds the path ${shownName}, which is not plain.`);
  return parts.slice(1).join('/');
}

/**
 * The files of an uncompressed tar. Accepts only files and folders; refuses links, devices, unknown
 * kinds, paths that leave the package, duplicates, and more than {@link MAX_FILES} entries.
 */
export function readTarFiles(tar: Buffer): TarFile[] {
  const { file, folder, pax, globalPax, longName } = KINDS;
  const files = new Map<string, TarFile>();
  let entries = 0;
  let nextPath: string | null = null;
  let nextSize: number | null = null;
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const header = tar.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) break;
    checkSum(header);
    entries += 1;
    if (entries > MAX_FILES) throw createTarRefusal(`it contains more than ${MAX_FILES} entries.`);
    const kind = String.fromCharCode(header[156] ?? 0);
    const meta = kind === pax || kind === globalPax || kind === longName;
    const size: number = (meta ? null : nextSize) ?? parseTarNumber(header.subarray(124, 136));
    const bytes = tar.subarray(at + BLOCK, at + BLOCK + size);
    if (bytes.length !== size) throw createTarRefusal('it is truncated in the middle of a file.');
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    if (kind === longName) nextPath = decodeTarText(bytes);
    else if (kind === pax) {
      const members = parsePaxMembers(bytes);
      if (members.has('linkpath')) throw createTarRefusal('it holds a link.');
      nextPath = members.get('path') ?? nextPath;
      const sizeMember = members.get('size');
      if (sizeMember !== undefined && !/^\d{1,12}$/.test(sizeMember))
        throw createTarRefusal('a size in it cannot be read.');
      nextSize = sizeMember === undefined ? nextSize : Number(sizeMember);
    } else if (!meta) {
      const isUstar = header.subarray(257, 262).toString('latin1') === 'ustar';
      const prefix = isUstar ? decodeTarText(header.subarray(345, 500)) : '';
      const raw: string =
        nextPath ?? (prefix === '' ? '' : `${prefix}/`) + decodeTarText(header.subarray(0, 100));
      nextPath = null;
      nextSize = null;
      if (kind === '1' || kind === '2')
        throw createTarRefusal(`${JSON.stringify(raw.slice(0, 200))} in it is a link.`);
      const path = checkTarPath(raw);
      if (kind === folder) continue;
      if (!file.some((fileKind) => fileKind === kind))
        throw createTarRefusal(`${JSON.stringify(raw.slice(0, 200))} in it is not a regular file.`);
      if (path === '')
        throw createTarRefusal(
          `the file ${JSON.stringify(raw.slice(0, 200))} is outside the package's folder.`,
        );
      // File systems that ignore case would overwrite one with the other.
      const key = path.toLowerCase();
      if (files.has(key)) throw createTarRefusal(`it contains ${JSON.stringify(path)} twice.`);
      // npm reads programs and addresses from it, even with scripts switched off.
      if (key.split('/').at(-1) === '.npmrc')
        throw createTarRefusal(`it contains ${JSON.stringify(path)}, which configures npm.`);
      files.set(key, { path, bytes });
    }
  }
  if (files.size === 0) throw createTarRefusal('it contains no files.');
  for (const [key, { path }] of files) {
    if (listFoldersAbove(key).some((one) => files.has(one)))
      throw createTarRefusal(`it contains ${JSON.stringify(path)} inside of what is also a file.`);
  }
  return [...files.values()];
}
