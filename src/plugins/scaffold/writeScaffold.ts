import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import { scaffoldFiles } from './scaffoldFiles.ts';

/**
 * Writes a new plugin into a folder that is not there yet; answers its files. Throws SvcError
 * `conflict` for one that is.
 */
export async function writeScaffold(id: string, kind: string, dir: string): Promise<string[]> {
  const files = scaffoldFiles(id, kind);
  try {
    await mkdir(dir);
  } catch (error) {
    throw new SvcError(
      'conflict',
      `The folder ${dir} cannot be created: ${toErrorMessage(error)}. Name another one with --dir.`,
    );
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text, { flag: 'wx' });
  }
  return Object.keys(files);
}
