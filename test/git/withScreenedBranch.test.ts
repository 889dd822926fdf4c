import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findSecretTokens } from '../../src/base/secrets/secretPatterns.ts';
import { KnownSecrets } from '../../src/base/secrets/knownSecrets.ts';
import type { TokenPlace } from '../../src/git/findSecrets.ts';
import { withScreenedBranch } from '../../src/git/withScreenedBranch.ts';
import { git as runGit, makeGitRepository } from '../support/gitRepository.ts';
import { catchRefusal } from '../support/refusal.ts';

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
type Request = Parameters<typeof withScreenedBranch>[0];
const take = <T = string>(
  name: string,
  use: (path: string, tokens: readonly TokenPlace[]) => Promise<T> = async (path) => path as T,
  more: Partial<Request> = {},
) =>
  withScreenedBranch(
    {
      checkoutDir: checkout,
      branch: name,
      repoPath: forge.path,
      stream: () => known.stream(),
      findTokens: findSecretTokens,
      screen: known.screen,
      ...more,
    },
    use,
  );
/** Places of tokens that a rule is asked about, without the hashes of commits. */
const tokensIn = (name: string) =>
  take(name, async (_path, tokens) =>
    tokens.map(({ kind, place }) => `${kind}: ${place.replace(/[0-9a-f]{12}/, '<commit>')}`),
  );
/** Put together here, so that this file holds no token. */
const TOKEN = ['ghp', 'a1B2'.repeat(9)].join('_');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const refusal = async (name: string) => {
  const { code, message } = await catchRefusal(() => take(name));
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

test('known secrets in UTF-16 are found, in both byte orders, with and without a mark', async () => {
  const big = utf16(`x${SECRET}`).swap16();
  const files = {
    'little.txt': utf16(`key=${SECRET}`),
    'big.txt': big,
    'little-mark.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), utf16(SECRET)]),
    'big-mark.txt': Buffer.concat([Buffer.from([0xfe, 0xff]), big]),
  };
  const message = await refusal(branch(() => commit(files)));
  for (const name of Object.keys(files)) assert.match(message, `file ${name}`);
});

test('the name of the branch is searched', async () => {
  git(checkout, 'switch', '-q', '-c', `b-${SECRET}`, 'origin/main');
  assert.match(await refusal(`b-${SECRET}`), /the name of the branch/);
  git(checkout, 'switch', '-q', '-c', `b-${TOKEN}`, 'origin/main');
  assert.equal(await tokensIn(`b-${TOKEN}`), ['a token of GitHub: the name of the branch']);
});

test('a token that a later commit removes is found in the commit that added it', async () => {
  const name = branch(() => {
    commit({ 't.env': `t=${TOKEN}` });
    commit({ 't.env': 'clean' });
  });
  assert.equal(await tokensIn(name), ['a token of GitHub: commit <commit>, file t.env']);
});

test('tokens are found in messages, authors, names, paths, binary files and UTF-16', async () => {
  const hook = ['hooks.slack.com', 'services', 'TABCDEFGH', 'BABCDEFGH'];
  const name = branch(() => {
    mkdirSync(join(checkout, ...hook), { recursive: true });
    commit(
      {
        'raw.bin': Buffer.from(`\0\x01${TOKEN}\0`),
        'little.txt': utf16(`a ${TOKEN} b`),
        'big.txt': utf16(`a ${TOKEN} b`).swap16(),
        'late.bin': Buffer.concat([Buffer.alloc(70_000, 'a '), utf16(TOKEN)]),
        [TOKEN]: 'x',
        [`${hook.join('/')}/${'a1B2'.repeat(6)}`]: 'x',
      },
      `use ${TOKEN}`,
    );
    commit({}, 'x', `--author=${TOKEN} <a@b.c>`);
  });
  assert.equal((await tokensIn(name)).sort(), [
    'a token of GitHub: commit <commit>, file big.txt',
    'a token of GitHub: commit <commit>, file late.bin',
    'a token of GitHub: commit <commit>, file little.txt',
    'a token of GitHub: commit <commit>, file raw.bin',
    'a token of GitHub: commit <commit>, its message or author',
    'a token of GitHub: commit <commit>, its message or author',
    'a token of GitHub: commit <commit>, the name of a file in the top folder',
    'a webhook of Slack: commit <commit>, the name of a file in hooks.slack.com/services/TABCDEFGH/BABCDEFGH',
  ]);
});

test('targets of links and addresses of submodules are searched', async () => {
  const name = branch(() => {
    symlinkSync(`/x/${TOKEN}`, join(checkout, 'link'));
    commit({ '.gitmodules': `[submodule "s"]\n\turl = https://x:${TOKEN}@host/s.git\n` });
  });
  assert.equal((await tokensIn(name)).sort(), [
    'a token of GitHub: commit <commit>, file .gitmodules',
    'a token of GitHub: commit <commit>, file link',
  ]);
});

test('commits of a branch that was merged, and what a merge itself brings, are searched', async () => {
  const side = branch(() => {
    commit({ 's.env': TOKEN });
    commit({ 's.env': 'clean' });
  });
  const name = branch(() => {
    commit({ 'm.txt': 'm' });
    git(checkout, 'merge', '-q', '--no-ff', '--no-commit', side);
    commit({ 'evil.env': TOKEN.replace('a1', 'c3') }, 'merge');
    commit({ 'evil.env': 'clean' });
  });
  assert.equal((await tokensIn(name)).sort(), [
    'a token of GitHub: commit <commit>, file evil.env',
    'a token of GitHub: commit <commit>, file s.env',
  ]);
});

test('an amended commit leaves nothing: what no branch reaches does not go out', async () => {
  const name = branch(() => {
    commit({ 'am.env': TOKEN });
    commit({ 'am.env': 'clean' }, 'change', '--amend');
  });
  assert.equal(await tokensIn(name), []);
});

test('a token that the file held before is not new; another one in it is', async () => {
  const other = TOKEN.replace('a1', 'd4');
  forge.commit({ 'fixture.txt': `t=${TOKEN}`, [`${TOKEN}.txt`]: 'named' });
  git(checkout, 'fetch', '-q');
  assert.equal(await tokensIn(branch(() => commit({ 'fixture.txt': `t=${TOKEN}\nmore` }))), []);
  assert.equal(await tokensIn(branch(() => commit({ 'fixture.txt': `t=${TOKEN}\nu=${other}` }))), [
    'a token of GitHub: commit <commit>, file fixture.txt',
  ]);
});

test('a branch over a limit is refused with the limit', async () => {
  const name = branch(() => commit({ 'big.txt': 'x'.repeat(2_000) }));
  const expectTooLarge = async (more: Partial<Request>) => {
    const { code, message } = await catchRefusal(() => take(name, undefined, more));
    assert.is(code, 'too-large');
    return message;
  };
  assert.match(
    await expectTooLarge({ limits: { bytes: 1_000, objects: 9 } }),
    'The branch adds more than 1000 bytes to search for secrets',
  );
  assert.match(
    await expectTooLarge({ limits: { bytes: 9_000, objects: 2 } }),
    'The branch adds more than 2 commits, folders and files to search',
  );
  assert.match(await expectTooLarge({ timeoutMs: 1 }), 'took longer than 0.001 s');
});

test.after(() => {
  forge.remove();
  rmSync(dir, { recursive: true, force: true });
});

test.run();
