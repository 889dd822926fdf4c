import { randomBytes } from 'node:crypto';
import { copyFile, rename, rm } from 'node:fs/promises';
import { constants, existsSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { SvcError } from '../../base/errors/errors.ts';
import { openFileWithin, openFolder } from '../../base/system/files/openFolder.ts';
import type { SecretStream } from '../../base/secrets/secretStream.ts';
import type { Blobs } from './blobs.ts';

/** Largest file that post_artifact takes by path, bytes: 25 MiB. */
export const MAX_ARTEFACT_FILE_BYTES = 25 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;
/** Most missing copies restored, of the newest artefacts. */
const MAX_RESTORED = 100;
/** Longest name of a copy without its extension, characters. */
const MAX_NAME_CHARS = 80;
/** Folder in the job's folder that holds tokens of sessions. */
const SESSIONS = '_sessions';

interface JobFolders {
  /** Absolute path of `<workingDir>/<jobId>`. */
  jobDir: string;
  /** Folder name of the checkout; null = none. */
  checkout: string | null;
}

/**
 * Segments of a path below the job's folder. The path is absolute, or relative to the checkout, or
 * without one to the job's folder.
 */
function toJobPathParts({ jobDir, checkout }: JobFolders, path: string): string[] {
  if (path.split(/[/\\]/).includes('..'))
    throw new SvcError('bad-argument', `path ${path} contains "..": name the file directly.`);
  const from = checkout === null ? jobDir : resolve(jobDir, checkout);
  const inside = relative(jobDir, isAbsolute(path) ? path : resolve(from, path));
  const parts = inside.split(sep);
  if (inside === '' || isAbsolute(inside) || parts[0] === '..' || parts[0] === SESSIONS) {
    throw new SvcError(
      'bad-argument',
      `path ${path} is neither in the job's checkout nor in its folder ${jobDir}.`,
    );
  }
  return parts;
}

async function* readFilePieces(
  file: Awaited<ReturnType<typeof openFileWithin>>,
  secrets: SecretStream,
  path: string,
) {
  let size = 0;
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES);
    if (bytesRead === 0) break;
    size += bytesRead;
    // It may grow while it is read.
    if (size > MAX_ARTEFACT_FILE_BYTES) {
      throw new SvcError(
        'too-large',
        `${path} has more than ${MAX_ARTEFACT_FILE_BYTES} bytes (25 MiB), the limit of post_artifact; shorten or split it.`,
      );
    }
    yield secrets.push(buffer.subarray(0, bytesRead));
  }
  yield secrets.end();
}

/**
 * Stores a file of the job's folder, read in pieces and without known secrets. Follows no symbolic
 * link. Throws SvcError `bad-argument`, `not-found`, `too-large`.
 */
export async function storeFile(
  folders: JobFolders,
  path: string,
  { blobs, stream }: { blobs: Blobs; stream(): SecretStream },
): Promise<{ sha256: string; size: number }> {
  const file = await openFileWithin(folders.jobDir, toJobPathParts(folders, path));
  try {
    return await blobs.putPieces(readFilePieces(file, stream(), path));
  } finally {
    await file.close();
  }
}

/** Kind of the write-up of a plan-mode chat; its copy is `plan/findings.md`. */
export const FINDINGS_KIND = 'plan-findings';

const toCopyFolder = (kind: string): string => {
  if (kind.startsWith('plan')) return 'plan';
  if (kind.startsWith('report')) return 'reports';
  return kind.startsWith('test') ? 'test-outputs' : 'artifacts';
};
export const COPY_FOLDERS: ReadonlySet<string> = new Set([
  'plan',
  'reports',
  'test-outputs',
  'artifacts',
]);

const ENDINGS: Readonly<Record<string, string>> = {
  'text/markdown': '.md',
  'text/plain': '.txt',
  'text/uri-list': '.txt',
  'application/json': '.json',
  'text/csv': '.csv',
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/svg+xml': '.svg',
  'application/pdf': '.pdf',
  'text/html': '.html',
};

/**
 * Path of an artefact's copy in the job's folder: `plan/the-plan.md`. The same title replaces the
 * previous one.
 */
export function toCopyPath({
  kind,
  title,
  mime,
}: {
  kind: string;
  title: string;
  mime: string;
}): [folder: string, name: string] {
  const plain = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const ending = ENDINGS[mime] ?? (mime.startsWith('text/') ? '.txt' : '.bin');
  return [toCopyFolder(kind), `${plain.slice(0, MAX_NAME_CHARS) || kind}${ending}`];
}

/**
 * Copies an artefact into the job's folder, for people and agents; the store remains the source.
 * The same content again changes nothing. Returns the path in the job's folder; null if the
 * checkout has the name of its folder, or something that is not a folder is in its place.
 */
export async function copyArtefact(
  { jobDir, checkout }: JobFolders,
  artefact: { kind: string; title: string; mime: string; sha256: string },
  blobs: Pick<Blobs, 'path' | 'bring'>,
): Promise<string | null> {
  const [folder, name] = toCopyPath(artefact);
  if (folder === checkout || !existsSync(jobDir)) return null;
  await blobs.bring(artefact.sha256);
  try {
    const open = await openFolder(jobDir, [folder], true);
    const draft = `.${randomBytes(8).toString('hex')}`;
    try {
      await copyFile(blobs.path(artefact.sha256), open.toPath(draft), constants.COPYFILE_EXCL);
      await rename(open.toPath(draft), open.toPath(name));
    } finally {
      await rm(open.toPath(draft), { force: true });
      await open.close();
    }
    return `${folder}/${name}`;
  } catch (error) {
    if (error instanceof SvcError || Object(error).code === 'EISDIR') return null;
    throw error;
  }
}

/**
 * Restores missing copies, oldest first, as after a crash between an artefact and its copy.
 * Existing ones are not changed.
 */
export async function restoreCopies(
  folders: JobFolders,
  artefacts: readonly { kind: string; title: string; mime: string; sha256: string }[],
  blobs: Pick<Blobs, 'path' | 'bring'>,
): Promise<void> {
  const newest = new Map(
    artefacts.slice(-MAX_RESTORED).map((artefact) => [toCopyPath(artefact).join('/'), artefact]),
  );
  for (const [path, artefact] of newest) {
    if (existsSync(join(folders.jobDir, path))) continue;
    await blobs.bring(artefact.sha256);
    if (existsSync(blobs.path(artefact.sha256))) await copyArtefact(folders, artefact, blobs);
  }
}
