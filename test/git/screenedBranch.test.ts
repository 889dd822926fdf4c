import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KnownSecrets } from '../../src/lib/knownSecrets.ts';
import { screenedBranch } from '../../src/git/screenedBranch.ts';
import { git as runGit, makeGitRepository } from '../support/gitRepository.ts';
import { refusalOf } from '../support/refusal.ts';

const test = suite('branches are searched for secrets before they are taken');

const git = (cwd: string, ...args: string[]) => runGit(cwd, args);
const SECRET = 'canary-0123456789';
const known = new KnownSecrets([SECRET]);
const dir = mkdtempSync(join(tmpdir(), 'svc-screen-'));
const forge = makeGitRepository({ bare: true });
forge.commit({ 'a.txt': 'one', 'old.env': `KEY=${SECRET}\n` });
const checkout = join(dir, 'checkout');
git(dir, 'clone', '-q', forge.path, checkout);
git(checkout, 'config', 'user.email', 'a@b.c');
git(checkout, 'config', 'user.name', 'a');

let n = 0;
/** Begins a branch at main; `change` commits to it. */
const branch = (change: () => void): string => {
  n += 1;
  git(checkout, 'switch', '-q', '-c', `b${n}`, 'origin/main');
  change();
  return `b${n}`;
};
const commit = (files: Record<string, string | Buffer>, message = 'change', ...more: string[]) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(checkout, name), text);
  git(checkout, 'add', '--all');
  git(checkout, 'commit', '-q', '--allow-empty', '-m', message, ...more);
  return git(checkout, 'rev-parse', 'HEAD').trim().slice(0, 12);
};
const take = (name: string, use = async (path: string) => path) =>
  screenedBranch(
    {
      checkoutDir: checkout,
      branch: name,
      repoPath: forge.path,
      stream: () => known.stream(),
      screen: known.screen,
    },
    use,
  );
const refusal = async (name: string) => {
  const { code, message } = await refusalOf(() => take(name));
  assert.is(code, 'forbidden');
  assert.not.match(message, SECRET);
  return message;
};

test('a branch without a secret is given on as it was searched, and removed afterwards', async () => {
  const name = branch(() => commit({ 'a.txt': 'two' }));
  const tip = git(checkout, 'rev-parse', name).trim();
  const path = await take(name, async (searched) => {
    assert.is(git(searched, 'rev-parse', name).trim(), tip);
    return searched;
  });
  assert.is(existsSync(path), false);
});

test('a secret in a file is refused with commit and file, and how to fix it', async () => {
  let at = '';
  const name = branch(() => {
    at = commit({ 'b.env': `TOKEN=${SECRET}\n` });
  });
  assert.match(await refusal(name), new RegExp(`commit ${at}, file b.env\\).*git commit --amend`));
});

test('a secret that a later commit removes is refused all the same: it stays in the history', async () => {
  const name = branch(() => {
    commit({ 'b.env': SECRET });
    commit({ 'b.env': 'clean' });
  });
  assert.match(await refusal(name), /file b\.env/);
});

test('messages, authors and names of files are searched too', async () => {
  assert.match(await refusal(branch(() => commit({}, `use ${SECRET}`))), /its message or author/);
  assert.match(
    await refusal(branch(() => commit({}, 'x', `--author=${SECRET} <a@b.c>`))),
    /its message or author/,
  );
  assert.match(
    await refusal(branch(() => commit({ [`${SECRET}.txt`]: 'x' }))),
    /the name of a file in the top folder/,
  );
});

test('files that are no text are searched as bytes, in base64 too', async () => {
  const bytes = Buffer.concat([Buffer.from([0, 1, 2, 255]), Buffer.from(SECRET), Buffer.from([0])]);
  assert.match(await refusal(branch(() => commit({ 'x.bin': bytes }))), /file x\.bin/);
  assert.match(
    await refusal(branch(() => commit({ 'y.txt': Buffer.from(`u:${SECRET}`).toString('base64') }))),
    /file y\.txt/,
  );
});

test('a file that held it before the branch began may be changed: the branch brings nothing new', async () => {
  const name = branch(() => commit({ 'old.env': `KEY=${SECRET}\nOTHER=1\n` }));
  assert.type(await take(name), 'string');
});

test.after(() => {
  forge.remove();
  rmSync(dir, { recursive: true, force: true });
});

test.run();
