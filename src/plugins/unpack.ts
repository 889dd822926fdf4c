import { createReadStream } from 'node:fs';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { toErrorMessage, SvcError } from '../base/errors/errors.ts';
import { MAX_FILES, MAX_UNPACKED_BYTES, readTarFiles } from './readTarFiles.ts';

/** Largest packed tarball, bytes. */
export const MAX_PACKED_BYTES = 20 * 1024 * 1024;
/** Most files of a plugin with all its dependencies. */
const MAX_INSTALLED_FILES = 10 * MAX_FILES;

const createUnpackRefusal = (what: string): SvcError =>
  new SvcError('invalid', `The archive is refused: ${what} Nothing was installed.`);

/** Unpacks in memory up to the limit: a small archive may expand without end. */
async function gunzipBounded(file: string): Promise<Buffer> {
  const gunzip = createGunzip();
  const source = createReadStream(file);
  source.on('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of gunzip) {
      size += part.length;
      if (size > MAX_UNPACKED_BYTES)
        throw createUnpackRefusal(`unpacked it is larger than ${MAX_UNPACKED_BYTES} bytes.`);
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof SvcError) throw error;
    throw createUnpackRefusal(`it is not a gzipped tar (${toErrorMessage(error)}).`);
  } finally {
    source.destroy();
  }
  return Buffer.concat(parts);
}

/**
 * Writes the files of a packed npm package below `target`, which it creates. Checks every entry
 * before writing the first.
 */
export async function unpack(tarball: string, target: string): Promise<void> {
  const { size } = await stat(tarball);
  if (size > MAX_PACKED_BYTES)
    throw createUnpackRefusal(`it is larger than ${MAX_PACKED_BYTES} bytes.`);
  const files = readTarFiles(await gunzipBounded(tarball));
  await mkdir(target, { recursive: true, mode: 0o700 });
  for (const { path, bytes } of files) {
    const file = join(target, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes, { flag: 'wx', mode: 0o600 });
  }
}

/** Checks what npm wrote: only files and folders, and not too many. */
export async function checkTree(dir: string): Promise<void> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  if (entries.length > MAX_INSTALLED_FILES)
    throw createUnpackRefusal(
      `with its dependencies it has more than ${MAX_INSTALLED_FILES} files.`,
    );
  const odd = entries.find((entry) => !entry.isFile() && !entry.isDirectory());
  if (odd)
    throw createUnpackRefusal(
      `${join(odd.parentPath, odd.name).slice(dir.length + 1)} is a link or a special file.`,
    );
}
