import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { toErrorMessage } from '../../base/errors/errors.ts';
import type { LeftFolder, RemovedFolder } from '../../contract/schema/runner/gc.ts';
import { surveyTree, removeTree } from './tree.ts';

/** Age from which a temporary folder counts as unused: a day. */
const OLD_MS = 86_400_000;
/** Folders deep in which half-made mirrors are looked for: forge, owner, further levels. */
const MIRROR_DEPTH = 6;

/** Names of svc's temporary folders. */
const TEMPORARY = /^svc-(gc|work|index|merge|branch|settings|conformance|doctor)-[A-Za-z0-9]{6}$/;
const HALF_MADE_MIRROR = /^\.making-/;

export interface LeftoverPlaces {
  /** The system's folder for temporary files. */
  tmpDir: string;
  mirrorsDir: string;
  /** Epoch ms. */
  now: number;
  dryRun: boolean;
}

async function findHalfMadeMirrors(dir: string, depth = MIRROR_DEPTH): Promise<string[]> {
  const entries = (await readdir(dir, { withFileTypes: true }).catch(() => [])).filter((entry) =>
    entry.isDirectory(),
  );
  const leftovers = await Promise.all(
    entries.map(async ({ name }) => {
      if (HALF_MADE_MIRROR.test(name)) return [join(dir, name)];
      return name.endsWith('.git') || depth === 0
        ? []
        : findHalfMadeMirrors(join(dir, name), depth - 1);
    }),
  );
  return leftovers.flat();
}

/** True only for old folders of this user: another runner of this machine may be at work. */
async function isOld(path: string, now: number): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  if (!stats?.isDirectory()) return false;
  return stats.uid === process.getuid?.() && now - stats.mtimeMs > OLD_MS;
}

export async function clearLeftovers({ tmpDir, mirrorsDir, now, dryRun }: LeftoverPlaces): Promise<{
  removed: RemovedFolder[];
  left: LeftFolder[];
}> {
  const temporary = (await readdir(tmpDir).catch(() => []))
    .filter((name) => TEMPORARY.test(name))
    .map((name) => join(tmpDir, name));
  const [removed, left]: [RemovedFolder[], LeftFolder[]] = [[], []];
  for (const path of [...temporary, ...(await findHalfMadeMirrors(mirrorsDir))].sort()) {
    if (!(await isOld(path, now))) continue;
    const { bytes } = await surveyTree(path);
    try {
      if (!dryRun) await removeTree(path);
      removed.push({ kind: 'leftovers', jobId: null, path, bytes });
    } catch (error) {
      left.push({ jobId: null, path, reason: `it cannot be removed: ${toErrorMessage(error)}` });
    }
  }
  return { removed, left };
}
