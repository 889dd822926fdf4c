import type { GitRunner } from '../loadObjects.ts';
import { showRawPath, splitFields } from '../rawPaths.ts';
import { MAX_SUBMODULE_BYTES } from '../../base/settings/checkouts.ts';
import { SvcError } from '../../base/errors/errors.ts';

const MAX_LIST_BYTES = 64 * 1024 * 1024;
const MAX_FILE_BYTES = 1024 * 1024;
const ENTRY = /^submodule\.(.*)\.(path|url)\n([\s\S]*)$/;

/** A commit of another repository in a tree. */
export interface Submodule {
  /** Raw. */
  path: string;
  commit: string;
  /** As `.gitmodules` has it; null = it does not name the path. */
  url: string | null;
}

/** Addresses by raw path, as the `.gitmodules` of a commit has them; a file that git cannot read has none. */
async function readAddresses(git: GitRunner, commit: string): Promise<Map<string, string>> {
  const { stdout, exitCode } = await git(
    ['config', '--blob', `${commit}:.gitmodules`, '--no-includes', '--null', '--list'],
    { encoding: 'latin1', maxBytes: MAX_FILE_BYTES, answers: [1, 128] },
  );
  if (exitCode !== 0) return new Map();
  const byName = new Map<string, { path?: string; url?: string }>();
  for (const field of splitFields(stdout)) {
    const [, name = '', key = '', value = ''] = ENTRY.exec(field) ?? [];
    if (key !== '') byName.set(name, { ...byName.get(name), [key]: value });
  }
  return new Map(
    [...byName.values()].flatMap(({ path, url }) =>
      path === undefined || url === undefined ? [] : [[path, url] as const],
    ),
  );
}

/**
 * The submodules of a commit, and the bytes of its files.
 */
export async function readSubmodules(
  git: GitRunner,
  commit: string,
): Promise<{ submodules: Submodule[]; bytes: number }> {
  const { stdout } = await git(['ls-tree', '-r', '-z', '--long', '--full-tree', commit], {
    encoding: 'latin1',
    maxBytes: MAX_LIST_BYTES,
  });
  const links: { path: string; commit: string }[] = [];
  let bytes = 0;
  for (const line of splitFields(stdout)) {
    const [, kind, oid = '', size = '', path = ''] =
      /^\d+ (\w+) ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(line) ?? [];
    if (kind === 'commit') links.push({ path, commit: oid });
    else bytes += Number(size) || 0;
  }
  const addresses =
    links.length === 0 ? new Map<string, string>() : await readAddresses(git, commit);
  return {
    bytes,
    submodules: links.map((link) => ({ ...link, url: addresses.get(link.path) ?? null })),
  };
}

export const describeSubmodule = (at: readonly string[]): string => showRawPath(at.join('/'));

export const createTooLargeError = (what: string, bytes: number): SvcError =>
  new SvcError(
    'too-large',
    `With ${what}, the files of submodules take ${bytes} bytes, and svc fetches at most ${MAX_SUBMODULE_BYTES}. Remove it from checkout.repositories[].submodules, and fetch it in the setup.`,
  );
