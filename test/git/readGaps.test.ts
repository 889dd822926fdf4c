import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ensureCheckout } from '../../src/git/checkout.ts';
import { readGaps } from '../../src/git/readGaps.ts';
import { listGapLines } from '../../src/sessions/brief/listGapLines.ts';
import { git, makeGitRepository } from '../support/gitRepository.ts';

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 1\n`;

const test = suite('scm: what a checkout lacks');

async function openCheckout(path: string) {
  const dir = mkdtempSync(join(tmpdir(), 'svc-gaps-'));
  const checkout = await ensureCheckout({
    repoPath: path,
    jobDir: dir,
    slug: 'shop',
    baseBranch: 'main',
  });
  return { dir: checkout.absDir, end: () => rmSync(dir, { recursive: true, force: true }) };
}

test('submodules, files of Git LFS and of other filters, and a cut history are named for the agent', async () => {
  const repository = makeGitRepository({
    files: {
      '.gitattributes': '*.bin filter=lfs\n*.key filter=git-crypt\nown.bin -filter\n',
      'a.bin': POINTER,
      'b.bin': POINTER,
      'c.bin': POINTER,
      'd.bin': POINTER,
      'own.bin': 'x',
      'my `odd`.key': 'x',
    },
  });
  const oid = repository.head();
  repository.git('update-index', '--add', '--cacheinfo', `160000,${oid},lib/parts`);
  repository.git('commit', '--quiet', '-m', 'submodule');
  const shallow = `${repository.path}-shallow`;
  git('/', ['clone', '--quiet', '--depth=1', `file://${repository.path}`, shallow]);
  const { dir, end } = await openCheckout(shallow);
  assert.equal(listGapLines(await readGaps(dir)), [
    'Submodules are not fetched, and their folders are empty: `lib/parts`.',
    'Files of Git LFS are pointers here, not their contents: 4 files, such as `a.bin`, `b.bin`, `c.bin`. Leave them as they are: create_pr refuses whole files in their place.',
    "The filter `git-crypt` does not run here, so its files are as the repository stores them: `my 'odd'.key`. Leave them as they are unless the task is about them.",
    'The history is cut, as that of the repository is: older commits are not here.',
  ]);
  end();
  rmSync(shallow, { recursive: true });
  repository.remove();
});

test('a submodule that the setup has fetched is no gap', async () => {
  const repository = makeGitRepository();
  const oid = repository.head();
  repository.git('update-index', '--add', '--cacheinfo', `160000,${oid},parts`);
  repository.git('commit', '--quiet', '-m', 'submodule');
  const { dir, end } = await openCheckout(repository.path);
  assert.is((await readGaps(dir)).submodules.count, 1);
  writeFileSync(join(dir, 'parts', 'file'), 'x');
  const { submodules, copied } = await readGaps(dir);
  assert.is(submodules.count, 0);
  assert.equal(copied, { count: 1, examples: ['parts'] });
  end();
  repository.remove();
});

test('of a plain checkout, and of what is none, nothing is said; nothing of it is run', async () => {
  const repository = makeGitRepository();
  const { dir, end } = await openCheckout(repository.path);
  assert.equal(listGapLines(await readGaps(dir)), []);
  const marker = join(dir, 'ran');
  git(dir, ['config', 'core.fsmonitor', `touch ${marker}`]);
  git(dir, ['config', 'filter.lfs.clean', `touch ${marker}`]);
  writeFileSync(join(dir, '.gitattributes'), '* filter=lfs\n');
  assert.equal(listGapLines(await readGaps(dir)), [], 'what is no pointer is no gap');
  const [file = ''] = readdirSync(dir).filter((name) => !name.startsWith('.'));
  writeFileSync(join(dir, file), POINTER);
  assert.match(listGapLines(await readGaps(dir))[0] ?? '', 'Files of Git LFS are pointers here');
  assert.not.ok(existsSync(marker));
  assert.equal(listGapLines(await readGaps('/nonexistent')), []);
  end();
  repository.remove();
});

test.run();
