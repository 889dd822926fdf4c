import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findBranches, MAX_SINGLE_READS } from '../../src/git/history.ts';
import { readPlainRef } from '../../src/git/readPlainRef.ts';
import { findRef, openRepository } from '../../src/git/openRepository.ts';
import { countProcesses } from '../support/countProcesses.ts';
import { git, makeGitRepository } from '../support/gitRepository.ts';

const test = suite('readPlainRef');

const BRANCH = 'refs/heads/work';

const original = makeGitRepository({ bare: true });
const first = original.head();
const second = original.commit({ 'a.txt': 'a' }, { branch: 'work' });
const copies = mkdtempSync(join(tmpdir(), 'svc-refs-'));
test.after(() => {
  original.remove();
  rmSync(copies, { recursive: true });
});

interface Place {
  gitDir: string;
  repository: { git(...args: string[]): string };
}

/** A bare repository whose branch `work` is at the second of its two commits. */
function makePlace(): Place {
  const gitDir = mkdtempSync(join(copies, 'copy-'));
  cpSync(original.path, gitDir, { recursive: true });
  return { gitDir, repository: { git: (...args) => git(gitDir, args) } };
}

/** What git prints for the ref; null where it refuses. */
function askGit(gitDir: string, ref: string): string | null {
  const env = { PATH: process.env.PATH ?? '', GIT_CONFIG_GLOBAL: '/dev/null' };
  const args = ['--git-dir', gitDir, 'rev-parse', '--verify', '--quiet', ref];
  try {
    return execFileSync('git', args, { env, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return null;
  }
}

type Prepare = (place: Place) => string | undefined;

const PLAIN: Record<string, Prepare> = {
  'a loose branch': () => undefined,
  'a packed branch': ({ repository }) => {
    repository.git('pack-refs', '--all');
    return undefined;
  },
  'a branch that moved after it was packed': ({ repository }) => {
    repository.git('pack-refs', '--all');
    repository.git('update-ref', BRANCH, first);
    return undefined;
  },
  'packed refs with tags that have their own objects': ({ repository }) => {
    repository.git('tag', '-a', '-m', 'x', 'v1', 'main');
    repository.git('tag', '-a', '-m', 'x', 'v2', 'main');
    repository.git('pack-refs', '--all');
    return undefined;
  },
  'a name with levels': ({ repository }) => {
    repository.git('update-ref', 'refs/heads/svc/a_b-1.2+c@d', first);
    return 'refs/heads/svc/a_b-1.2+c@d';
  },
  'replaced objects, grafts, borrowed objects, a cut history': ({ gitDir, repository }) => {
    repository.git('replace', second, first);
    mkdirSync(join(gitDir, 'info'), { recursive: true });
    writeFileSync(join(gitDir, 'info/grafts'), `${second}\n`);
    writeFileSync(join(gitDir, 'objects/info/alternates'), '/nonexistent/objects\n');
    writeFileSync(join(gitDir, 'shallow'), `${second}\n`);
    return undefined;
  },
};

for (const [what, prepare] of Object.entries(PLAIN))
  test(`reads as git does, without a process: ${what}`, async () => {
    const place = makePlace();
    const ref = prepare(place) ?? BRANCH;
    const right = askGit(place.gitDir, ref);
    assert.match(String(right), /^[0-9a-f]{40}$/);
    const { result, processes } = await countProcesses(() =>
      findRef(openRepository(place.gitDir), ref),
    );
    assert.is(result, right);
    assert.is(processes, 0);
  });

const loose = (gitDir: string) => join(gitDir, BRANCH);
const packed = (gitDir: string) => join(gitDir, 'packed-refs');

/** What isomorphic-git reads in another way than git, or does not read. */
const ODD: Record<string, Prepare> = {
  'a symbolic ref': ({ repository }) => {
    repository.git('symbolic-ref', 'refs/heads/alias', BRANCH);
    return 'refs/heads/alias';
  },
  'symbolic refs in a cycle': ({ gitDir }) => {
    writeFileSync(join(gitDir, 'refs/heads/one'), 'ref: refs/heads/two\n');
    writeFileSync(join(gitDir, 'refs/heads/two'), 'ref: refs/heads/one\n');
    return 'refs/heads/one';
  },
  'a link, beside an older packed branch': ({ gitDir, repository }) => {
    repository.git('update-ref', 'refs/heads/alias', first);
    repository.git('pack-refs', '--all');
    symlinkSync('refs/heads/work', join(gitDir, 'refs/heads/alias'));
    return 'refs/heads/alias';
  },
  'an empty file, beside an older packed branch': ({ gitDir, repository }) => {
    repository.git('pack-refs', '--all');
    writeFileSync(loose(gitDir), '');
    return undefined;
  },
  'a file of zeros': ({ gitDir }) => {
    writeFileSync(loose(gitDir), `${'0'.repeat(40)}\n`);
    return undefined;
  },
  'capital letters': ({ gitDir }) => {
    writeFileSync(loose(gitDir), `${second.toUpperCase()}\n`);
    return undefined;
  },
  'blanks before the id': ({ gitDir }) => {
    writeFileSync(loose(gitDir), `  ${second}\n`);
    return undefined;
  },
  'a comment after the id': ({ gitDir }) => {
    writeFileSync(loose(gitDir), `${second} of mine\n`);
    return undefined;
  },
  'an id of SHA-256': ({ gitDir }) => {
    writeFileSync(loose(gitDir), `${'a1'.repeat(32)}\n`);
    return undefined;
  },
  'a pipe': ({ gitDir, repository }) => {
    repository.git('pack-refs', '--all');
    // Asking git for it would wait until another process writes.
    execFileSync('mkfifo', [join(gitDir, 'refs/heads/pipe')]);
    return 'refs/heads/pipe';
  },
  'a folder, beside a packed branch': ({ gitDir, repository }) => {
    repository.git('pack-refs', '--all');
    mkdirSync(loose(gitDir), { recursive: true });
    return undefined;
  },
  'a packed branch below the file of another one': ({ gitDir, repository }) => {
    repository.git('update-ref', 'refs/heads/a/b', first);
    repository.git('pack-refs', '--all');
    rmSync(join(gitDir, 'refs/heads/a'), { recursive: true, force: true });
    writeFileSync(join(gitDir, 'refs/heads/a'), `${first}\n`);
    return 'refs/heads/a/b';
  },
  'packed refs as a link': ({ gitDir, repository }) => {
    repository.git('pack-refs', '--all');
    renameSync(packed(gitDir), join(gitDir, 'elsewhere'));
    symlinkSync('elsewhere', packed(gitDir));
    return undefined;
  },
  'packed refs that name a branch twice': ({ gitDir, repository }) => {
    repository.git('pack-refs', '--all');
    appendFileSync(packed(gitDir), `${first} ${BRANCH}\n`);
    return undefined;
  },
  'packed refs without their last line end': ({ gitDir, repository }) => {
    repository.git('pack-refs', '--all');
    writeFileSync(packed(gitDir), readFileSync(packed(gitDir), 'utf8').trimEnd());
    return undefined;
  },
  'packed refs with the line ends of Windows': ({ gitDir, repository }) => {
    repository.git('pack-refs', '--all');
    const text = readFileSync(packed(gitDir), 'utf8').replaceAll('\n', '\r\n');
    writeFileSync(packed(gitDir), text);
    return undefined;
  },
  'a name that is not ASCII': ({ repository }) => {
    repository.git('update-ref', 'refs/heads/größe', first);
    return 'refs/heads/größe';
  },
  'a branch that only exists as a tag with this name': ({ repository }) => {
    repository.git('update-ref', 'refs/tags/refs/heads/only', first);
    return 'refs/heads/only';
  },
  'a branch that does not exist': () => 'refs/heads/none',
  'an extension that git does not know': ({ repository }) => {
    repository.git('config', 'extensions.fromTheFuture', 'true');
    repository.git('config', 'core.repositoryFormatVersion', '1');
    return undefined;
  },
  'a version that git does not know': ({ gitDir }) => {
    appendFileSync(join(gitDir, 'config'), '[core]\n\trepositoryFormatVersion = 99\n');
    return undefined;
  },
  'settings that git cannot read': ({ gitDir }) => {
    appendFileSync(join(gitDir, 'config'), '[core\n');
    return undefined;
  },
  'a HEAD that git cannot read': ({ gitDir }) => {
    writeFileSync(join(gitDir, 'HEAD'), 'nonsense\n');
    return undefined;
  },
  'a repository without a folder of refs': ({ gitDir, repository }) => {
    repository.git('pack-refs', '--all');
    rmSync(join(gitDir, 'refs'), { recursive: true });
    return undefined;
  },
};

for (const [what, prepare] of Object.entries(ODD))
  test(`leaves to git, and answers as git does: ${what}`, async () => {
    const place = makePlace();
    const ref = prepare(place) ?? BRANCH;
    assert.is(await readPlainRef(place.gitDir, ref), undefined);
    if (what !== 'a pipe') {
      const result = await Promise.resolve()
        .then(() => findRef(openRepository(place.gitDir), ref))
        .catch(() => null);
      assert.is(result ?? null, askGit(place.gitDir, ref));
    }
  });

test('a branch that git moves and packs meanwhile never goes back', async () => {
  const { gitDir } = makePlace();
  const commits = [first];
  for (let at = 1; at <= 20; at += 1)
    commits.push(git(gitDir, ['commit-tree', '-p', first, '-m', String(at), `${first}^{tree}`]));
  git(gitDir, ['update-ref', BRANCH, first]);
  const move = `for id in ${commits.join(' ')}; do git update-ref ${BRANCH} $id; git pack-refs --all; done`;
  const mover = spawn('sh', ['-c', move], { cwd: gitDir, stdio: 'ignore' });
  const moved = once(mover, 'exit');
  let [newest, steps] = [0, 0];
  const watch = async () => {
    while (mover.exitCode === null) {
      const before = newest;
      const at = commits.indexOf((await readPlainRef(gitDir, BRANCH)) ?? '');
      if (at === -1) continue;
      assert.ok(at >= before, `${at} after ${before}`);
      newest = Math.max(newest, at);
      steps += 1;
    }
  };
  await Promise.all([watch(), watch(), watch(), moved]);
  assert.is(mover.exitCode, 0);
  assert.ok(steps > 0);
});

test('several branches need no process; with an odd or missing one, and above the limit, one', async () => {
  const { repository, gitDir } = makePlace();
  const opened = openRepository(gitDir);
  const plain = await countProcesses(() => findBranches(opened, ['main', 'work', 'main']));
  const both = [
    ['main', first],
    ['work', second],
  ];
  assert.equal([...plain.result].sort(), both);
  assert.is(plain.processes, 0);
  const odd = await countProcesses(() => findBranches(opened, ['work', 'none', 'main']));
  assert.equal([...odd.result].sort(), both);
  assert.is(odd.processes, 1);
  const names = Array.from({ length: MAX_SINGLE_READS + 1 }, (_, at) => `b${at}`);
  for (const name of names) repository.git('update-ref', `refs/heads/${name}`, first);
  const many = await countProcesses(() => findBranches(opened, names));
  assert.is(many.result.size, names.length);
  assert.is(many.processes, 1);
});

test.run();
