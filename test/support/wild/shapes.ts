import { chmodSync, mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WildRepository } from './wildRepository.ts';

/** A shape of repository on which a whole job has to come to its end. */
export interface WildShape {
  name: string;
  /** Makes it; it begins as an empty repository with a working tree. */
  make(one: WildRepository): void;
  /** Shell that the agent runs in its checkout before it commits. */
  agent?: string;
  /** What a person does while the pull request is open, besides a commit to the default branch. */
  meanwhile?(one: WildRepository): void;
}

const start = (one: WildRepository, files: Record<string, string | Buffer> = {}): void =>
  one.commit('first', { 'a.txt': 'a\n', ...files });

const asBare = (one: WildRepository): void => {
  const bare = join(one.dir, 'shop.git');
  one.person.git(one.dir, 'clone', '--quiet', '--bare', one.path, bare);
  one.path = bare;
  one.tree = null;
};

const cloneRepository = (one: WildRepository, ...how: string[]): void => {
  const clone = join(one.dir, 'clone');
  one.person.git(one.dir, 'clone', '--quiet', ...how, `file://${one.path}`, clone);
  one.path = clone;
  one.tree = clone;
};

const giveOddPlace = (one: WildRepository): void => {
  const odd = join(one.dir, "my shop's größe");
  renameSync(one.path, odd);
  one.path = odd;
  one.tree = odd;
};

const ODD_NAMES = { 'back\\slash': 'x\n', 'ｆｕｌｌ［': 'x\n', '😀': 'x\n' };

const addLatin1 = (one: WildRepository): void => {
  const oid = one.git('hash-object', '-w', 'a.txt');
  one.person.shell(
    one.path,
    `printf '100644 ${oid}\\tcaf\\351\\n' | git update-index --index-info`,
  );
  one.git('commit', '--quiet', '-m', 'Latin-1');
  one.git('checkout', '--quiet', '--', '.');
};

const FILTERED = { '.gitattributes': '*.bin filter=upper\n', 'logo.bin': 'picture' };
const touchFiltered = ({ path }: WildRepository): void =>
  utimesSync(join(path, 'logo.bin'), 1_767_225_600, 1_767_225_600);

/** The short lane: all that has broken before, in one repository. */
export const MIXED_SHAPES: readonly WildShape[] = [
  {
    name: 'shallow, with a filtered file whose times have changed, and names that are not plain text',
    make(one) {
      start(one, { ...FILTERED, ...ODD_NAMES });
      one.commit('second', { 'a.txt': 'b\n' });
      cloneRepository(one, '--depth=1');
      giveOddPlace(one);
      addLatin1(one);
    },
    meanwhile: touchFiltered,
  },
];

export const COMMON_SHAPES: readonly WildShape[] = [
  { name: 'plain', make: start },
  {
    name: 'shallow clone',
    make(one) {
      start(one);
      one.commit('second', { 'a.txt': 'b\n' });
      cloneRepository(one, '--depth=1');
    },
  },
  {
    name: 'filtered file whose times have changed',
    make: (one) => start(one, FILTERED),
    meanwhile: touchFiltered,
  },
  {
    name: 'names that are not plain text, in a path that is not either',
    make(one) {
      giveOddPlace(one);
      start(one, ODD_NAMES);
      addLatin1(one);
    },
  },
];

/** The others: what people, tools and git's own tests make of repositories. */
export const RARE_SHAPES: readonly WildShape[] = [
  {
    name: 'bare',
    make(one) {
      start(one);
      asBare(one);
    },
  },
  {
    name: 'linked working tree',
    make(one) {
      start(one);
      one.git('switch', '--quiet', '-c', 'elsewhere');
      const linked = join(one.dir, 'linked');
      one.git('worktree', 'add', '--quiet', linked, 'main');
      one.path = linked;
      one.tree = linked;
    },
  },
  {
    name: 'bare with a linked working tree',
    make(one) {
      start(one);
      asBare(one);
      const linked = join(one.dir, 'linked');
      one.person.git(one.path, 'worktree', 'add', '--quiet', linked, 'main');
      one.tree = linked;
    },
  },
  {
    name: 'core.worktree',
    make(one) {
      start(one);
      const gitDir = join(one.dir, 'elsewhere.git');
      renameSync(join(one.path, '.git'), gitDir);
      one.person.git(one.dir, '--git-dir', gitDir, 'config', 'core.worktree', one.path);
      writeFileSync(join(one.path, '.git'), `gitdir: ${gitDir}\n`);
      one.path = gitDir;
    },
  },
  {
    name: 'a submodule of another repository',
    make(one) {
      start(one);
      const above = join(one.dir, 'above');
      one.person.git(one.dir, 'init', '--quiet', above);
      one.person.git(above, 'submodule', '--quiet', 'add', one.path, 'sub');
      one.path = join(above, 'sub');
      one.tree = one.path;
    },
  },
  {
    name: 'with a submodule whose commit moves while the pull request is open',
    make(one) {
      const part = join(one.dir, 'part');
      one.person.git(one.dir, 'init', '--quiet', part);
      one.person.git(part, 'commit', '--quiet', '--allow-empty', '-m', 'part');
      start(one);
      one.git('submodule', '--quiet', 'add', part, 'part');
      one.commit('submodule');
    },
    meanwhile(one) {
      one.person.git(join(one.path, 'part'), 'commit', '--quiet', '--allow-empty', '-m', 'more');
      one.git('commit', '--quiet', '-m', 'bump', 'part');
    },
  },
  {
    name: 'sparse checkout with a sparse index',
    make(one) {
      start(one, { 'in/a': 'a\n', 'out/b': 'b\n' });
      one.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'in');
    },
    agent: 'echo c > out/b; echo d > in/a',
  },
  {
    name: 'split index, untracked cache and fsmonitor',
    make(one) {
      start(one);
      one.git('config', 'core.splitIndex', 'true');
      // Only where it is svc's git that runs it.
      const ran = `test -z "$GIT_ALLOW_PROTOCOL" || touch ${join(one.dir, 'ran')}; false`;
      one.git('config', 'core.fsmonitor', ran);
      one.git('update-index', '--split-index', '--untracked-cache');
    },
  },
  {
    name: 'index of version 4, packed refs, commit graph and multi-pack index',
    make(one) {
      start(one);
      one.git('update-index', '--index-version', '4');
      one.git('repack', '-adq', '--write-midx');
      one.git('commit-graph', 'write', '--reachable');
      one.git('pack-refs', '--all');
    },
  },
  {
    name: 'hidden changes of the person (assume-unchanged, skip-worktree)',
    make(one) {
      start(one, { 'mine.cfg': 'x\n', 'yours.cfg': 'x\n' });
      one.git('update-index', '--assume-unchanged', 'mine.cfg');
      one.git('update-index', '--skip-worktree', 'yours.cfg');
      one.write('mine.cfg', 'secret\n');
      one.write('yours.cfg', 'secret\n');
    },
  },
  {
    name: 'CRLF files, autocrlf of the repository and eol=crlf',
    make(one) {
      one.git('config', 'core.autocrlf', 'true');
      start(one, { '.gitattributes': '*.bat text eol=crlf\n', 'w.bat': 'x\r\n', 'u.txt': 'u\r\n' });
    },
    agent: "printf 'y\\r\\n' > w.bat; printf 'v\\n' > u.txt",
  },
  {
    name: 'working-tree-encoding and ident',
    make: (one) =>
      start(one, {
        '.gitattributes': 'u.txt working-tree-encoding=UTF-16LE\ni.txt ident\n',
        'u.txt': Buffer.from('one\n', 'utf16le'),
        'i.txt': '$Id$\n',
      }),
    agent: "printf 'two\\n' | iconv -t UTF-16LE > u.txt; echo '$Id$ more' > i.txt",
  },
  {
    name: 'names that differ only in case, and a rename of case alone',
    make: (one) => start(one, { Readme: 'x\n', README: 'y\n', lower: 'z\n' }),
    agent: 'git mv lower Lower',
  },
  {
    name: 'modes, links and dangling links',
    make(one) {
      one.write('run.sh', '#!/bin/sh\n');
      chmodSync(join(one.path, 'run.sh'), 0o755);
      symlinkSync('a.txt', join(one.path, 'link'));
      symlinkSync('/nowhere', join(one.path, 'dangling'));
      start(one);
    },
    agent: 'chmod -x run.sh; ln -sf run.sh link; rm dangling',
  },
  {
    name: 'a file that becomes a folder',
    make: (one) => start(one, { conf: 'x\n' }),
    agent: 'git rm -q conf; mkdir conf; echo y > conf/a',
  },
  {
    name: 'a folder renamed against an edit in it',
    make: (one) => start(one, { 'src/util.txt': '1\n2\n3\n4\n5\n', 'src/other.txt': 'o\n' }),
    agent: 'git mv src lib',
    meanwhile: (one) => one.commit('edit', { 'src/util.txt': '1\n2\n3\n4\nfive\n' }),
  },
  {
    name: 'default branch with a slash, a plus and a hash',
    make(one) {
      one.branch = 'rel/v1.0+β#1';
      one.git('symbolic-ref', 'HEAD', `refs/heads/${one.branch}`);
      start(one);
    },
  },
  {
    name: 'tags and remote branches that are named like the branches',
    make(one) {
      start(one);
      for (const name of ['main', 'change', 'heads/main']) one.git('tag', name);
      one.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    },
  },
  {
    name: 'a default branch that is another name of the one that is checked out',
    make(one) {
      start(one);
      one.git('branch', '--move', 'trunk');
      one.git('symbolic-ref', 'refs/heads/main', 'refs/heads/trunk');
    },
  },
  {
    name: 'a path through a link',
    make(one) {
      start(one);
      const link = join(one.dir, 'link');
      symlinkSync(one.path, link);
      one.path = link;
    },
  },
  {
    name: 'hooks of the repository and of the team that all fail',
    make(one) {
      one.write('.husky/pre-commit', '#!/bin/sh\nexit 1\n');
      chmodSync(join(one.path, '.husky', 'pre-commit'), 0o755);
      start(one);
      for (const hook of ['pre-receive', 'update', 'reference-transaction', 'post-checkout'])
        writeFileSync(join(one.path, '.git', 'hooks', hook), '#!/bin/sh\nexit 1\n', {
          mode: 0o755,
        });
      one.git('config', 'core.hooksPath', '.husky');
    },
  },
  {
    name: 'signing with a program that is broken',
    make(one) {
      start(one);
      one.git('config', 'commit.gpgSign', 'true');
      one.git('config', 'gpg.program', '/bin/false');
    },
  },
  {
    name: 'objects borrowed from another repository',
    make(one) {
      start(one);
      const clone = join(one.dir, 'clone');
      one.person.git(one.dir, 'clone', '--quiet', '--shared', one.path, clone);
      one.path = clone;
      one.tree = clone;
    },
  },
  {
    name: 'replaced objects and notes',
    make(one) {
      start(one);
      one.commit('second', { 'a.txt': 'b\n' });
      one.git('replace', 'HEAD~1', one.git('commit-tree', '-m', 'other', 'HEAD~1^{tree}'));
      one.git('notes', 'add', '-m', 'note', 'HEAD');
    },
  },
  {
    name: 'a partial clone that lacks nothing',
    make(one) {
      start(one);
      one.git('config', 'uploadpack.allowFilter', 'true');
      cloneRepository(one, '--filter=blob:limit=1m');
    },
  },
  {
    name: 'five hundred branches, one of which begins like ours',
    make(one) {
      start(one);
      const head = one.git('rev-parse', 'HEAD');
      const lines = Array.from(
        { length: 500 },
        (_, n) => `create refs/heads/changes/${n} ${head}\n`,
      );
      one.person.shell(one.path, `printf '%s' '${lines.join('')}' | git update-ref --stdin`);
    },
  },
  {
    name: 'a repository and untracked files inside of the working tree',
    make(one) {
      start(one, { '.gitignore': 'ignored\n' });
      mkdirSync(join(one.path, 'inner'));
      one.person.git(join(one.path, 'inner'), 'init', '--quiet');
      one.write('inner/x', 'x\n');
      one.write('ignored', 'mine\n');
      one.write('notes.txt', 'mine\n');
    },
  },
];
