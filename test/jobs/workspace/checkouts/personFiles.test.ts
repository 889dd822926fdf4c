import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KnownSecrets } from '../../../../src/base/secrets/knownSecrets.ts';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import { randomIds } from '../../../../src/base/system/ids/ids.ts';
import { readWork } from '../../../../src/git/readWork.ts';
import { takeSnapshot } from '../../../../src/git/cleanup/takeSnapshot.ts';
import { PersonFiles } from '../../../../src/jobs/workspace/checkouts/personFiles.ts';
import { makeGitRepository } from '../../../support/gitRepository.ts';
import { folderWith } from '../../../support/intelligenceFolder.ts';

const test = suite('files of a person in checkouts');

/** A person's folder, and a checkout that has `tracked.txt`. */
function stage(files: Record<string, string>, copyFiles: readonly string[]) {
  const from = folderWith(files);
  const repository = makeGitRepository({ files: { 'tracked.txt': 'in git' } });
  const secrets = new KnownSecrets(['token-of-svc-itself']);
  const rule = { repo: 'shop', copyFiles, copyFrom: from };
  const person = new PersonFiles({ settings: {}, secrets, createDraftName: randomIds.next });
  const bring = (before: string | null = null) => person.bring(rule, repository.path, before);
  return {
    from,
    checkout: repository.path,
    git: repository.git,
    secrets,
    bring,
    refusal: () =>
      bring().then(
        () => 'copied',
        (error: unknown) => (error instanceof SvcError ? error.message : String(error)),
      ),
  };
}

test('a file is copied, its values are screened, and git does not see it', async () => {
  const { checkout, git, secrets, bring } = stage(
    { '.env.local': 'API_TOKEN=canary-value\n', 'deep/er/key.txt': 'x' },
    ['.env.local', 'deep/er/key.txt'],
  );
  const before = await readWork(checkout, null);
  await bring();
  assert.is(readFileSync(join(checkout, '.env.local'), 'utf8'), 'API_TOKEN=canary-value\n');
  assert.is(secrets.screen('got canary-value'), 'got [secret]');
  assert.is(secrets.holdsOwn('canary-value'), false);
  assert.is(git('status', '--porcelain').trim(), '');
  // Neither in what svc compares, nor in what it saves.
  assert.is((await readWork(checkout, null))?.hash, before?.hash);
  const head = git('rev-parse', 'HEAD').trim();
  await using saved = await takeSnapshot({
    checkoutDir: checkout,
    gitDir: join(checkout, '.git'),
    head,
    at: 0,
    message: '',
  });
  assert.equal(saved.refs, []);
});

test("an agent's changes stay until the person changes the file", async () => {
  const { from, checkout, bring } = stage({ '.env': 'A=1\n' }, ['.env']);
  const first = await bring();
  writeFileSync(join(checkout, '.env'), 'A=2\n');
  assert.is(await bring(first), first);
  assert.is(readFileSync(join(checkout, '.env'), 'utf8'), 'A=2\n');
  writeFileSync(join(from, '.env'), 'A=3\n');
  assert.is.not(await bring(first), first);
  assert.is(readFileSync(join(checkout, '.env'), 'utf8'), 'A=3\n');
});

test('a file with a secret of svc itself is refused', async () => {
  assert.match(
    await stage({ '.env': 'T=token-of-svc-itself' }, ['.env']).refusal(),
    'secret that svc itself uses',
  );
});

test('a tracked, missing or too large file and a folder are refused, each with what to do', async () => {
  assert.match(await stage({ 'tracked.txt': 'x' }, ['tracked.txt']).refusal(), 'tracked by git');
  assert.match(await stage({}, ['.env']).refusal(), 'does not exist. Create it');
  assert.match(await stage({ 'a/b': 'x' }, ['a']).refusal(), 'is not a file');
  assert.match(
    await stage({ big: 'x'.repeat(1024 * 1024 + 1) }, ['big']).refusal(),
    'Fetch it in the setup',
  );
});

test('no link is followed: neither in the folder of the person nor in the checkout', async () => {
  const secret = folderWith({ id_rsa: 'private' });
  const linked = stage({}, ['.env', 'dir/id_rsa']);
  symlinkSync(join(secret, 'id_rsa'), join(linked.from, '.env'));
  symlinkSync(secret, join(linked.from, 'dir'));
  assert.match(await linked.refusal(), 'reached by a link');
  const other = stage({ 'dir/id_rsa': 'mine' }, ['dir/id_rsa']);
  symlinkSync(secret, join(other.checkout, 'dir'));
  assert.match(await other.refusal(), 'is not a folder there');
  assert.is(readFileSync(join(secret, 'id_rsa'), 'utf8'), 'private');
  const replaced = stage({ '.env': 'A=1' }, ['.env']);
  symlinkSync(join(secret, 'id_rsa'), join(replaced.checkout, '.env'));
  await replaced.bring();
  assert.is(readFileSync(join(secret, 'id_rsa'), 'utf8'), 'private');
});

test('what is excluded already stays excluded', async () => {
  const { checkout, bring } = stage({ '.env': 'A=1' }, ['.env']);
  mkdirSync(join(checkout, '.git', 'info'), { recursive: true });
  writeFileSync(join(checkout, '.git', 'info', 'exclude'), '*.log');
  chmodSync(join(checkout, '.git', 'info', 'exclude'), 0o644);
  await bring();
  assert.is(readFileSync(join(checkout, '.git', 'info', 'exclude'), 'utf8'), '*.log\n/.env\n');
});

test.run();
