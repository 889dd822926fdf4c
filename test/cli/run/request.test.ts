import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import RunCommand from '../../../cli/commands/run.ts';
import {
  findSiteRepository,
  resolveRunRepository,
} from '../../../cli/local/run/resolveRunRepository.ts';
import { withModelFlags } from '../../../cli/local/run/modelFlags.ts';
import { describeSources } from '../../../cli/local/run/runOnce.ts';
import {
  readGivenConfig,
  buildRunConfig,
  listRunSites,
} from '../../../cli/local/run/buildRunConfig.ts';
import { resolveWorkflowChoice } from '../../../cli/local/run/resolveWorkflowChoice.ts';
import { CommandLine } from '../../support/cli/commandLine.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite<{ dir: string }>('svc run: request');

test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'svc-request-'));
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

const GITHUB = [{ forge: 'github', web: 'https://github.com' }];
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=N', '-c', 'user.email=n@svc.invalid', ...args], { cwd });

/** What `--repo` means in a folder, with an account at GitHub. */
const resolveRepository = (cwd: string, repository = '.', forge: string | null = null) =>
  resolveRunRepository(repository, { cwd, homeDir: cwd, forge, sites: GITHUB, slug: null });

function repository(dir: string, origin: string | null = null): string {
  const path = join(dir, 'my shop');
  mkdirSync(join(path, 'src'), { recursive: true });
  git(path, 'init', '--quiet');
  git(path, 'commit', '--quiet', '--allow-empty', '-m', 'first');
  if (origin !== null) git(path, 'remote', 'add', 'origin', origin);
  return path;
}

const FLAGS = { agent: null, model: 'm', baseUrl: 'http://127.0.0.1:9/v1', apiKey: null };
const REFUSING = {
  env: { ANTHROPIC_API_KEY: 'sk-ant', OPENAI_API_KEY: 'sk-oai' },
  fetch: () => Promise.reject(new Error('nothing listens')),
  err: () => {},
};
const readBuiltinConfig = (settings: unknown) =>
  Object(settings).plugins?.installed?.builtin?.config;

test('--base-url and --model set up an endpoint of its own without a file', async () => {
  const settings = await withModelFlags({}, FLAGS, REFUSING);
  assert.equal(readBuiltinConfig(settings), { api: 'openai', baseUrl: FLAGS.baseUrl, model: 'm' });
});

test('a key of a vendor goes to no other endpoint, and one that is given does', async () => {
  const settings = await withModelFlags({}, { ...FLAGS, apiKey: 'own' }, REFUSING);
  assert.is(readBuiltinConfig(settings).apiKey, 'own');
});

test('without an address and a key the configuration stays as it is', async () => {
  const settings = { llm: {} };
  assert.is(await withModelFlags(settings, { ...FLAGS, baseUrl: null }, REFUSING), settings);
});

test('what is no address is refused in the name of its flag', async () => {
  const { code, message } = await catchRefusal(() =>
    withModelFlags({}, { ...FLAGS, baseUrl: 'ftp://x' }, REFUSING),
  );
  assert.is(code, 'bad-argument');
  assert.match(message, /^--base-url /);
});

test('a folder without a bundle is a usage error', async ({ dir }) => {
  const line = new CommandLine({ SVC_HOME: dir });
  assert.is((await line.run(RunCommand, ['--resume', join(dir, 'nothing')])).code, 2);
});

for (const [env, inFile, expected] of [
  [{ ANTHROPIC_API_KEY: 'k' }, {}, 'comes from ANTHROPIC_API_KEY'],
  [{}, {}, 'is not set'],
  [{}, { plugins: { installed: { builtin: { config: { apiKey: 'k' } } } } }, 'is set in svc.json'],
] as const) {
  test(`a reason that names a setting is followed by where it comes from: ${expected}`, () => {
    const sources = { file: 'svc.json', inFile, given: inFile, env };
    const text = describeSources('Check plugins.installed.builtin.config.apiKey.', sources);
    assert.match(text, expected);
  });
}

test('origins are recognised in every form of address', () => {
  const shop = { forge: 'github', slug: 'acme/shop' };
  assert.equal(findSiteRepository('https://github.com/acme/shop.git', GITHUB), shop);
  assert.equal(findSiteRepository('https://x-access-token:t@github.com/acme/shop', GITHUB), shop);
  assert.equal(findSiteRepository('git@github.com:acme/shop.git', GITHUB), shop);
  assert.equal(findSiteRepository('ssh://git@github.com/acme/shop.git', GITHUB), shop);
  assert.is(findSiteRepository('https://github.com.example/acme/shop', GITHUB), null);
  assert.is(findSiteRepository('/srv/git/shop.git', GITHUB), null);
});

test('a folder below a repository stands for it, under a slug of its name', async ({ dir }) => {
  const path = repository(dir);
  const { slug, forge, path: at } = await resolveRepository(join(path, 'src'));
  assert.equal({ slug, forge, at }, { slug: 'my-shop', forge: 'local', at: path });
});

test('a repository is known by its first commit wherever it is', async ({ dir }) => {
  const path = repository(dir);
  const copy = join(dir, 'copy');
  execFileSync('git', ['clone', '--quiet', path, copy]);
  assert.is((await resolveRepository(copy)).identity, (await resolveRepository(path)).identity);
});

test('a folder with its origin at a forge is worked on there, unless the local forge is named', async ({
  dir,
}) => {
  const path = repository(dir, 'git@github.com:acme/shop.git');
  const { slug, forge, path: at } = await resolveRepository(path);
  assert.equal({ slug, forge, at }, { slug: 'acme/shop', forge: 'github', at: null });
  assert.is((await resolveRepository(path, '.', 'local')).forge, 'local');
});

test('what is no repository, has no commit, or is shallow is refused with the reason', async ({
  dir,
}) => {
  const catchResolveError = async (cwd: string, repository = '.') =>
    (await catchRefusal(() => resolveRepository(cwd, repository))).message;
  assert.match(await catchResolveError(dir, './none'), 'is not a folder');
  assert.match(await catchResolveError(dir), 'is not a git repository');
  const empty = join(dir, 'empty');
  mkdirSync(empty);
  git(empty, 'init', '--quiet');
  assert.match(await catchResolveError(empty), 'has no commit yet');
  const path = repository(dir);
  git(path, 'checkout', '--quiet', '--detach');
  assert.match(await catchResolveError(path), 'is detached');
  git(path, 'switch', '--quiet', '-');
  git(path, 'commit', '--quiet', '--allow-empty', '-m', 'second');
  const shallow = join(dir, 'shallow');
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${path}`, shallow]);
  assert.match(await catchResolveError(shallow), 'fetch-depth: 0');
});

test('a workflow is a name, a path in the overlay, or a file with the layer around it', async ({
  dir,
}) => {
  const resolveChoice = (workflow: string) =>
    resolveWorkflowChoice(workflow, { cwd: dir, homeDir: dir });
  assert.equal(await resolveChoice('job'), { path: 'workflows/job.md', layer: null });
  assert.equal(await resolveChoice('workflows/x.md'), { path: 'workflows/x.md', layer: null });
  mkdirSync(join(dir, 'ci', 'workflows'), { recursive: true });
  writeFileSync(join(dir, 'ci', 'workflows', 'fix.md'), '');
  const file = { path: 'workflows/fix.md', layer: join(dir, 'ci') };
  assert.equal(await resolveChoice('./ci/workflows/fix.md'), file);
  writeFileSync(join(dir, 'fix.md'), '');
  assert.match(
    (await catchRefusal(() => resolveChoice('./fix.md'))).message,
    'in no folder workflows/',
  );
  assert.match((await catchRefusal(() => resolveChoice('./none.md'))).message, 'is not a file');
});

const LOCAL = { slug: 'shop', forge: 'local', path: '/src/shop', identity: 'first commit a' };
const REMOTE = { slug: 'acme/shop', forge: 'github', path: null, identity: 'acme/shop' };
const config = (more: object = {}) =>
  Object(
    buildRunConfig({
      given: {},
      env: { PATH: '' },
      home: '/tmp/home',
      repository: LOCAL,
      layer: null,
      agent: null,
      model: null,
      ...more,
    }),
  );

test('a local repository needs no account, even where the environment holds a token', () => {
  const { forges, plugins, llm } = config({ env: { PATH: '', GITHUB_TOKEN: 'ghp_1' } });
  assert.equal(forges.local.repos, { shop: '/src/shop' });
  assert.equal(plugins.installed, {});
  assert.equal(llm, {});
});

test('a repository at a forge takes the token and the server of the pipeline', () => {
  const env = { PATH: '', GITHUB_TOKEN: 'ghp_1', GITHUB_SERVER_URL: 'https://git.example' };
  const { github } = config({ env, repository: REMOTE }).plugins.installed;
  assert.equal(github.config, { token: 'ghp_1', baseUrl: 'https://git.example' });
  assert.equal(listRunSites({}, env), [{ forge: 'github', web: 'https://git.example' }]);
});

test('what --config says of a plugin is not replaced', () => {
  const given = { plugins: { installed: { github: { config: { token: 'mine' } } } } };
  const env = { PATH: '', GITHUB_TOKEN: 'ghp_1' };
  const { github } = config({ env, given, repository: REMOTE }).plugins.installed;
  assert.equal(github.config, { token: 'mine' });
});

test('a model and a key of the environment are an agent', () => {
  const env = { PATH: '', ANTHROPIC_API_KEY: 'sk-1' };
  const { llm, plugins } = config({ env, model: 'claude-x' });
  const alias = { model: 'claude-x', provider: 'builtin' };
  assert.equal(llm, { defaultProvider: 'builtin', aliases: { planning: alias, coding: alias } });
  assert.equal(plugins.installed.builtin.config, { apiKey: 'sk-1' });
});

test('a key of the environment goes to no server that --config names', () => {
  const env = { PATH: '', ANTHROPIC_API_KEY: 'sk-1' };
  const of = (own: object) =>
    config({ env, given: { plugins: { installed: { builtin: { config: own } } } } }).plugins
      .installed.builtin.config;
  assert.equal(of({ baseUrl: 'http://127.0.0.1:1' }), { baseUrl: 'http://127.0.0.1:1' });
  assert.equal(of({ model: 'm' }), { model: 'm', apiKey: 'sk-1' });
});

test('of --config, folders become absolute, and what makes other jobs is left out', async ({
  dir,
}) => {
  const text = {
    triggers: [],
    paths: { workingDir: 'work' },
    tenant: { overlay: { kind: 'localDir', path: 'team' } },
    forges: { local: { repos: { shop: 'shop' } } },
  };
  writeFileSync(join(dir, 'config.json'), JSON.stringify(text));
  assert.equal(await readGivenConfig(join(dir, 'config.json'), dir), {
    tenant: { overlay: { kind: 'localDir', path: join(dir, 'team') } },
    forges: { local: { repos: { shop: join(dir, 'shop') } } },
  });
});

/** What the command says that is refused, with exit code 2. */
async function refusedArgv(...argv: string[]): Promise<string> {
  const { code, err } = await new CommandLine({}).run(RunCommand, argv);
  assert.is(code, 2, err);
  return err;
}

test('flags of a new job do not go with --resume, nor a message without it', async () => {
  assert.match(await refusedArgv('--resume', 'kept', '--description', 'x'), 'cannot');
  assert.match(await refusedArgv('--message', 'x'), '--resume');
});

test('a repository that does not exist is refused before anything is made', async () => {
  assert.match(await refusedArgv('--repo', '/nowhere/shop', '-d', 'x'), 'is not a folder');
});

test.run();
