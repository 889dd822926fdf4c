import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GitRunner } from './loadObjects.ts';
import { toRawPathBytes, splitFields } from './rawPaths.ts';

const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
const FOLDER = 'svc-index-';

function parseFilterAttributes(output: string): Map<string, string> {
  const fields = splitFields(output);
  const filters = new Map<string, string>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', , value = ''] = fields.slice(at, at + 3);
    if (!['unspecified', 'unset', 'set', ''].includes(value)) filters.set(path, value);
  }
  return filters;
}

/**
 * The filters that the attribute files of a commit give to these raw paths, by path; paths without
 * a filter are left out. Nothing is run, and no file of a working tree is read.
 */
export async function readFilterAttributes(
  git: GitRunner,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  const dir = await mkdtemp(join(tmpdir(), FOLDER));
  try {
    const env = { GIT_INDEX_FILE: join(dir, 'index') };
    await git(['read-tree', commit], { env });
    const { stdout } = await git(['check-attr', '--cached', '--stdin', '-z', 'filter'], {
      env,
      input: toRawPathBytes(paths.map((path) => `${path}\0`).join('')),
      encoding: 'latin1',
      maxBytes: MAX_ANSWER_BYTES,
    });
    return parseFilterAttributes(stdout);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
