import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toLfsObjectPath } from '../../src/git/contents/storedLfsObjects.ts';
import { withScreenedBranch } from '../../src/git/withScreenedBranch.ts';
import { KnownSecrets } from '../../src/base/secrets/knownSecrets.ts';
import { git, makeGitRepository } from '../support/gitRepository.ts';
import { longLane } from '../support/longLane.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite('scm: files that a filter should have written');
const long = longLane(test);

const ATTRIBUTES = [
  '*.bin filter=lfs diff=lfs merge=lfs -text',
  'keep.bin -filter',
  'secret/** filter=git-crypt',
  'team/** filter=git-crypt-team',
  '*.enc filter=crypt',
  '*.ipynb filter=nbstrip',
].join('\n');
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5000\n`;

const dir = mkdtempSync(join(tmpdir(), 'svc-unfiltered-'));
const forge = makeGitRepository({
  files: {
    '.gitattributes': ATTRIBUTES,
    'old.bin': 'a whole file from before\n',
    'a.bin': POINTER,
  },
});
const checkout = join(dir, 'checkout');
git(dir, ['clone', '--quiet', forge.path, checkout]);
test.after(() => {
  rmSync(dir, { recursive: true, force: true });
  forge.remove();
});

const known = new KnownSecrets(['canary-0123456789']);
let count = 0;

/** Opens a branch with these files, as create_pr does. */
async function bring(files: Record<string, string>): Promise<void> {
  count += 1;
  const branch = `b${count}`;
  git(checkout, ['switch', '--quiet', '-c', branch, 'origin/main']);
  for (const [path, text] of Object.entries(files)) {
    const oid = git(checkout, ['hash-object', '-w', '--stdin'], {
      input: Buffer.from(text, 'latin1'),
    });
    git(checkout, ['update-index', '--add', '--cacheinfo', `100644,${oid},${path}`]);
  }
  git(checkout, ['commit', '--quiet', '-m', 'change']);
  git(checkout, ['reset', '--quiet', '--hard']);
  await withScreenedBranch(
    {
      checkoutDir: checkout,
      branch,
      repoPath: forge.path,
      findTokens: () => [],
      stream: () => known.stream(),
      screen: known.screen,
    },
    async () => undefined,
  );
}

test('whole files where pointers of Git LFS belong are refused, with what to do', async () => {
  const refusal = await catchRefusal(() =>
    bring({ 'a.bin': 'x'.repeat(5000), 'new/b.bin': 'small', 'c.txt': 'c\n' }),
  );
  assert.is(refusal.code, 'conflict');
  assert.equal(refusal.data, { files: ['a.bin', 'new/b.bin'] });
  assert.is(
    refusal.message,
    'The branch b1 holds whole files where .gitattributes asks for pointers of Git LFS (filter=lfs): a.bin, new/b.bin. svc checkouts contain the pointers and run no Git LFS filter. Take them out of the branch (`git checkout origin/<base> -- <file>`, or `git rm --cached <file>` for a new one, then `git commit --amend`), and call create_pr again. If the task needs them changed, ask a person to commit them: the contents belong on the LFS server.',
  );
});

test('text that looks like a pointer and is none is a whole file', async () => {
  const lookalikes = [
    POINTER.replace('sha256:', 'md5:'),
    POINTER.replace(/size.*\n/, ''),
    `${POINTER}${'x'.repeat(1024)}`,
    'version 2\n',
  ];
  const files = Object.fromEntries(lookalikes.map((text, n) => [`a${n}.bin`, text]));
  assert.equal((await catchRefusal(() => bring(files))).data, { files: Object.keys(files) });
});

for (const [path, filter, lane] of [
  ['secret/key.txt', 'git-crypt', test],
  ['team/key.txt', 'git-crypt', long],
  ['token.enc', 'crypt', long],
] as const)
  lane(`plain text where encrypted files belong is refused: ${path}`, async () => {
    const refusal = await catchRefusal(() => bring({ [path]: 'password\n' }));
    assert.match(
      refusal.message,
      `plain text where .gitattributes asks for encrypted files (filter=${filter}): ${path}`,
    );
  });

test('what the filters themselves write passes, and so does what no known filter writes', async () => {
  await bring({
    'a.bin': POINTER.replace('size 5000', 'size 6000'),
    'empty.bin': '',
    'keep.bin': 'whole, as the attributes ask',
    'secret/key.txt': `\0GITCRYPT\0${'\x9c'.repeat(4000)}`,
    'token.enc': 'U2FsdGVkX1+abc\n',
    'n.ipynb': '{}',
  });
});

test('whole files that the repository had before are not held against a branch', async () => {
  await bring({ 'c.txt': 'c\n', 'copy.bin': 'a whole file from before\n' });
});

test('attributes that the branch itself brings count', async () => {
  const { data } = await catchRefusal(() =>
    bring({ '.gitattributes': `${ATTRIBUTES}\n*.psd filter=lfs\n`, 'art.psd': 'layers' }),
  );
  assert.equal(data, { files: ['art.psd'] });
});

test('a pointer whose contents only the checkout has is refused, since svc uploads none', async () => {
  const oid = 'b'.repeat(64);
  const place = join(checkout, '.git', toLfsObjectPath(oid));
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, 'new contents');
  const refusal = await catchRefusal(() =>
    bring({ 'new.bin': POINTER.replace('a'.repeat(64), oid), 'other.bin': POINTER }),
  );
  assert.is(refusal.code, 'conflict');
  assert.equal(refusal.data.files, ['new.bin']);
});

test.run();
