import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ensureCheckout } from '../../../src/git/checkout.ts';
import { GithubStage, REPO, TOKEN } from '../../support/forges/githubStage.ts';

const test = suite('scm github: mirrors and checkouts');

const filesIn = (dir: string): string[] =>
  readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/**
 * A job that has a checkout, has committed to it and has opened a pull request; then the mirror is
 * brought up to date.
 */
async function workInCheckout(
  run: (it: { stage: GithubStage; mirror: string; checkout: string }) => void,
): Promise<void> {
  const stage = await GithubStage.open();
  try {
    const source = await stage.forge.source(REPO, { fresh: true });
    assert.ok(source);
    const jobDir = join(stage.dir, 'job');
    mkdirSync(jobDir);
    const { absDir } = await ensureCheckout({
      repoPath: source.path,
      jobDir,
      slug: REPO,
      baseBranch: 'main',
    });
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: absDir, stdio: 'pipe', encoding: 'utf8' });
    git('switch', '--quiet', '-c', 'change');
    writeFileSync(join(absDir, 'note.txt'), 'new\n');
    git('add', '--all');
    git('commit', '--quiet', '-m', 'A change');
    const actor = { author: 'svc:job', at: Date.now(), operationId: 'op' };
    const creation = {
      repo: REPO,
      head: 'change',
      base: '',
      title: 'A change',
      body: '',
      checkoutDir: absDir,
      workItem: null,
    };
    await stage.forge.write('create_pr', creation, actor);
    await stage.forge.source(REPO, { fresh: true });
    git('fetch', '--quiet', 'origin');
    run({ stage, mirror: source.path, checkout: absDir });
  } finally {
    await stage.end();
  }
}

test('the token is in no file of either: not in .git/config, not in FETCH_HEAD, not in a reflog', () =>
  workInCheckout(({ mirror, checkout }) => {
    const secrets = [TOKEN, Buffer.from(`x-access-token:${TOKEN}`).toString('base64')];
    const all = [...filesIn(mirror), ...filesIn(checkout)];
    assert.ok(
      all.some((file) => file.endsWith('.git/config')) &&
        all.some((file) => file.includes('/logs/')),
      'reflogs exist',
    );
    assert.equal(
      all.filter((file) => secrets.some((secret) => readFileSync(file, 'latin1').includes(secret))),
      [],
    );
  }));

test('a checkout shares nothing with the mirror: no object is borrowed, no file is linked, so neither can damage the other', () =>
  workInCheckout(({ mirror, checkout }) => {
    assert.not.ok(existsSync(join(checkout, '.git', 'objects', 'info', 'alternates')));
    const inodes = new Set(filesIn(mirror).map((file) => statSync(file).ino));
    assert.equal(
      filesIn(checkout).filter((file) => inodes.has(statSync(file).ino)),
      [],
    );
  }));

test.run();
