import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collectCheckoutFacts } from '../../../src/jobs/workspace/collectCheckoutFacts.ts';

const test = suite('what svc finds out about a checkout');

async function collectFacts(files: Record<string, string>, links: Record<string, string> = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'svc-checkout-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await writeFile(join(dir, path), text);
    }
    for (const [path, target] of Object.entries(links)) await symlink(target, join(dir, path));
    return await collectCheckoutFacts(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const scripts = (all: Record<string, unknown>) => JSON.stringify({ scripts: all });

test('scripts that check a package are named by the program that its lock file is of', async () => {
  const all = { test: 'node --test', lint: 'biome check', start: 'node .', 'test`; rm': 'x' };
  const npm = await collectFacts({ 'package.json': scripts(all) });
  assert.equal(npm.checks, ['npm test', 'npm run lint']);
  const pnpm = await collectFacts({ 'package.json': scripts(all), 'pnpm-lock.yaml': '' });
  assert.equal(pnpm.checks, ['pnpm test', 'pnpm lint']);
});

test('the script that npm init writes is no test, and a broken file is none either', async () => {
  const none = scripts({ test: 'echo "Error: no test specified" && exit 1' });
  assert.equal((await collectFacts({ 'package.json': none })).checks, []);
  for (const text of ['{', 'null', '{"scripts":[1]}', '{"scripts":{"test":1}}'])
    assert.equal((await collectFacts({ 'package.json': text })).checks, [], text);
});

test('other projects are known by their files', async () => {
  const of = async (files: Record<string, string>) => (await collectFacts(files)).checks;
  assert.equal(await of({ Makefile: 'all:\n\ntest: all\n\tgo\nlint:\n' }), [
    'make test',
    'make lint',
  ]);
  assert.equal(await of({ 'Cargo.toml': '' }), ['cargo test']);
  assert.equal(await of({ 'go.mod': '' }), ['go test ./...']);
  assert.equal(await of({ 'pyproject.toml': '[tool.pytest.ini_options]' }), ['pytest']);
  assert.equal(await of({ 'pyproject.toml': '[project]' }), []);
  assert.equal(await of({}), []);
});

test('the branch is read and not asked for; a detached commit, an odd name or a link is none', async () => {
  const branch = async (head: string) => (await collectFacts({ '.git/HEAD': head })).branch;
  assert.is(await branch('ref: refs/heads/svc/retry-on-503\n'), 'svc/retry-on-503');
  assert.is(await branch(`${'a'.repeat(40)}\n`), null);
  assert.is(await branch('ref: refs/heads/x`\n## y\n'), null);
  const linked = await collectFacts(
    { 'real.json': scripts({ test: 'x' }) },
    { 'package.json': 'real.json' },
  );
  assert.equal(linked, { branch: null, checks: [] });
});

test.run();
