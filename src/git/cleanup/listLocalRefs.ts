import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcError } from '../../base/errors/errors.ts';
import { runGit } from '../runGit.ts';

/** Most refs of one checkout that are saved. */
const MAX_REFS = 500;
/** Most of a stash's log that is read, bytes. */
const MAX_STASH_LOG = 1024 * 1024;

export interface LocalRef {
  commit: string;
  source: string;
  name: string;
  what: string;
}

const describeRefName = (name: string): string => {
  if (name === 'HEAD') return 'detached HEAD';
  if (name === 'refs/stash') return 'stash';
  const [, kind, rest] = /^refs\/(heads|tags)\/(.+)$/.exec(name) ?? [];
  return kind === undefined ? name : `${kind === 'heads' ? 'branch' : 'tag'} ${rest}`;
};

/** Only the log of the stash names its older entries. */
async function listStashes(checkoutDir: string, newest: string): Promise<LocalRef[]> {
  const log = await readFile(join(checkoutDir, '.git', 'logs', 'refs', 'stash'), 'utf8').catch(
    () => '',
  );
  const commits = new Set(
    log
      .slice(0, MAX_STASH_LOG)
      .split('\n')
      .flatMap((line) => /^[0-9a-f]{40} ([0-9a-f]{40}) /.exec(line)?.[1] ?? []),
  );
  commits.delete(newest);
  return [...commits].map((commit) => ({
    commit,
    source: commit,
    name: 'stash',
    what: 'stash (an older one)',
  }));
}

/**
 * Branches, tags, stashes and HEAD of a checkout, each commit once. Asked of it as a server would
 * be: git promises that this runs nothing that its configuration names. Throws SvcError where git
 * cannot read it.
 */
export async function listLocalRefs(
  checkoutDir: string,
): Promise<{ refs: LocalRef[]; head: string | null }> {
  const { stdout } = await runGit(['ls-remote', '--', join(checkoutDir, '.git')], {
    fileProtocol: true,
  });
  const all = stdout.split('\n').flatMap((line) => {
    const [, commit = '', name = ''] = /^([0-9a-f]{40})\t(\S+)$/.exec(line) ?? [];
    return commit === '' || name.endsWith('^{}') || /^refs\/(remotes|svc)\//.test(name)
      ? []
      : [{ commit, name }];
  });
  const head = all.find(({ name }) => name === 'HEAD')?.commit ?? null;
  // HEAD goes last: it is mostly a branch, whose name is then used.
  const orderedRefs = [
    ...all.filter(({ name }) => name !== 'HEAD'),
    ...all.filter(({ name }) => name === 'HEAD'),
  ];
  const refs: LocalRef[] = orderedRefs.map(({ commit, name }) => ({
    commit,
    source: name,
    name: name.replace(/^refs\//, ''),
    what: describeRefName(name),
  }));
  const stash = all.find(({ name }) => name === 'refs/stash');
  if (stash) refs.push(...(await listStashes(checkoutDir, stash.commit)));
  const once = refs.filter(
    ({ commit }, index) => refs.findIndex((other) => other.commit === commit) === index,
  );
  if (once.length > MAX_REFS)
    throw new SvcError(
      'too-large',
      `it has ${once.length} branches and tags; at most ${MAX_REFS} are saved`,
    );
  return { refs: once, head };
}
