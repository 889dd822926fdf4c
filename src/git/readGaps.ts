import { join } from 'node:path';
import { runGit } from './runGit.ts';
import { toRawPathBytes, showRawPath, splitFields } from './rawPaths.ts';
import { readShallow } from './shallow.ts';

/** Most bytes of the list of a checkout's files: 64 MiB. What is beyond is not counted. */
const MAX_LIST_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
export const MAX_NAMED_GAPS = 3;

export interface NamedFiles {
  count: number;
  examples: string[];
}

/** What a checkout lacks compared with that of a person who works on the repository. */
export interface CheckoutGaps {
  /** Folders of submodules, which are empty in the checkout. */
  submodules: NamedFiles;
  /** Files that stay unfiltered, by the filter that a person's git applies. */
  filtered: Map<string, NamedFiles>;
  /** The history is cut because that of the repository is. */
  isShallow: boolean;
}

const toNamedFiles = (paths: readonly string[]): NamedFiles => ({
  count: paths.length,
  examples: paths.slice(0, MAX_NAMED_GAPS).map(showRawPath),
});

const NO_GAPS: CheckoutGaps = {
  submodules: toNamedFiles([]),
  filtered: new Map(),
  isShallow: false,
};

/** `git check-attr -z filter`: path, attribute and value in turn. */
function groupPathsByFilter(output: string): Map<string, NamedFiles> {
  const fields = splitFields(output);
  const paths = new Map<string, string[]>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', , name = ''] = fields.slice(at, at + 3);
    if (['unspecified', 'unset', 'set', ''].includes(name)) continue;
    paths.set(name, [...(paths.get(name) ?? []), path]);
  }
  return new Map([...paths].map(([name, some]) => [name, toNamedFiles(some)]));
}

/**
 * Finds what a checkout lacks: contents of submodules and of files with a filter, and older commits.
 * Runs nothing that the checkout names; never rejects.
 */
export async function readGaps(checkoutDir: string): Promise<CheckoutGaps> {
  const gitDir = join(checkoutDir, '.git');
  const git = (args: readonly string[], input = '') =>
    runGit(['--git-dir', gitDir, '--work-tree', checkoutDir, ...args], {
      cwd: checkoutDir,
      encoding: 'latin1',
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_LIST_BYTES,
      cutOutput: true,
      input: toRawPathBytes(input),
    });
  try {
    const staged = splitFields((await git(['ls-files', '--stage', '-z'])).stdout);
    const submodules = staged.flatMap((line) => /^160000 [^\t]*\t(.*)$/s.exec(line)?.[1] ?? []);
    // Limited to files that have the attribute.
    const { stdout: listed } = await git(['ls-files', '-z', '--', ':(exclude,attr:!filter)']);
    const filtered =
      listed === ''
        ? new Map<string, NamedFiles>()
        : groupPathsByFilter((await git(['check-attr', '--stdin', '-z', 'filter'], listed)).stdout);
    return {
      submodules: toNamedFiles(submodules),
      filtered,
      isShallow: (await readShallow(gitDir)).length > 0,
    };
  } catch {
    return NO_GAPS;
  }
}
