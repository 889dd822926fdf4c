import { isMissingFile } from '../../base/errors/findErrorCode.ts';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack, type Pack } from 'tar-stream';
import {
  type BackupEnd,
  type BackupHeader,
  END,
  HEADER,
  HOME_FOLDER,
  MAX_UNREAD_NAMES,
  STATE,
} from './backupFormat.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { Digest } from './digest.ts';
import { type HomeEntry, type HomeParts, walkHomeEntries } from './walkHomeEntries.ts';

/** Bytes that are read of a file at once. */
const CHUNK_BYTES = 256 * 1024;
/** A job may put a link or a pipe where a file was: neither is opened. */
const ONLY_A_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export interface BackupParts extends Omit<HomeParts, 'onUnread'> {
  header: BackupHeader;
  stateCopy: string;
}

/**
 * The tar of a backup as a stream, which reads the home as fast as it is read itself. It ends in an error
 * where it cannot be completed; destroyed, it stops reading.
 */
export function writeBackup(parts: BackupParts): Readable {
  const tar = pack();
  const out = Readable.from(tar as AsyncIterable<Uint8Array>, { objectMode: false });
  out.once('close', () => tar.destroy());
  fillBackupTar(tar, parts).catch((error: Error) => tar.destroy(error));
  return out;
}

async function fillBackupTar(tar: Pack, parts: BackupParts): Promise<void> {
  const digest = new Digest();
  const unread: string[] = [];
  const onUnread = (path: string): void => void unread.push(path);
  const modifiedAt = new Date(parts.header.createdAt);
  await writeDescriptionEntry(tar, HEADER, parts.header, modifiedAt);
  const path = `${HOME_FOLDER}${STATE}`;
  const state = { source: parts.stateCopy, path, mode: 0o600, modifiedAt };
  await writeFile(tar, { ...state, kind: 'file', target: '' }, digest, (path) => {
    throw new SvcError('store-failed', `${path} cannot be read.`);
  });
  for await (const entry of walkHomeEntries({ ...parts, onUnread })) {
    if (entry.kind === 'file') await writeFile(tar, entry, digest, onUnread);
    else await writeOther(tar, entry, digest);
  }
  const end: BackupEnd = {
    ...digest.end(),
    unread: unread.length,
    unreadNames: unread.slice(0, MAX_UNREAD_NAMES),
  };
  await writeDescriptionEntry(tar, END, end, modifiedAt);
  tar.finalize();
}

async function writeDescriptionEntry(
  tar: Pack,
  name: string,
  value: object,
  mtime: Date,
): Promise<void> {
  const text = Buffer.from(`${JSON.stringify(value)}\n`);
  const sink = tar.entry({ name, type: 'file', size: text.length, mode: 0o600, mtime });
  await pipeline([text], sink);
}

async function writeOther(tar: Pack, entry: HomeEntry, digest: Digest): Promise<void> {
  const { path, kind, mode, target, modifiedAt: mtime } = entry;
  digest.begin({ path, kind, mode, size: 0, target });
  const type = kind === 'link' ? ('symlink' as const) : ('directory' as const);
  const sink = tar.entry({
    name: path,
    type,
    mode,
    mtime,
    ...(target ? { linkname: target } : {}),
  });
  await pipeline([], sink);
}

/** The file has the size that it had when it was opened: what is added meanwhile is left out. */
async function writeFile(
  tar: Pack,
  entry: HomeEntry,
  digest: Digest,
  onUnread: (path: string) => void,
): Promise<void> {
  const file = await open(entry.source, ONLY_A_FILE).catch((error: unknown) => {
    if (!isMissingFile(error)) onUnread(entry.source);
    return null;
  });
  if (file === null) return;
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return onUnread(entry.source);
    const { size } = stats;
    const { path: name, mode, modifiedAt: mtime } = entry;
    digest.begin({ path: name, kind: 'file', mode, size, target: '' });
    const content = async function* () {
      for (let at = 0; at < size; ) {
        const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, size - at));
        const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
        // Zeros if the file was cut meanwhile.
        const chunk = bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead);
        at += chunk.length;
        digest.content(chunk);
        yield chunk;
      }
    };
    await pipeline(content, tar.entry({ name, type: 'file', size, mode, mtime }));
  } finally {
    await file.close();
  }
}
