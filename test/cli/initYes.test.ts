import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import InitCommand from '../../cli/commands/init.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { longLane } from '../support/longLane.ts';

interface Context {
  dir: string;
  file: string;
  server: Server;
  /** Address of an endpoint that lists `models`. */
  url: string;
  models: string[];
  /** Keys that it was asked with. */
  keys: (string | undefined)[];
}

const test = suite<Context>('svc init without questions');
const long = longLane(test);

const CAPS = { job: { usd: 10 }, campaign: { usd: 50 }, day: { usd: 50 }, headlessFactor: 0.5 };

test.before.each(async (context) => {
  context.dir = await realpath(await mkdtemp(join(tmpdir(), 'svc-init-yes-')));
  context.file = join(context.dir, 'home', 'config.json');
  context.models = ['qwen3'];
  context.keys = [];
  context.server = createServer(({ headers }, response) => {
    context.keys.push(headers.authorization);
    response.end(JSON.stringify({ data: context.models.map((id) => ({ id })) }));
  });
  await new Promise<void>((ready) => context.server.listen(0, '127.0.0.1', ready));
  context.url = `http://127.0.0.1:${(context.server.address() as AddressInfo).port}/v1`;
});
test.after.each(async ({ dir, server }) => {
  server.closeAllConnections();
  server.close();
  await rm(dir, { recursive: true, force: true });
});

const repository = async (folder: string): Promise<string> => {
  await mkdir(folder, { recursive: true });
  execFileSync('git', ['init', '--quiet', '-b', 'main', folder]);
  const me = ['-c', 'user.name=me', '-c', 'user.email=me@example.org'];
  execFileSync('git', ['-C', folder, ...me, 'commit', '--quiet', '--allow-empty', '-m', 'start']);
  return folder;
};

/** Without a terminal, as in a script. */
const lineIn = (
  { dir }: Context,
  cwd: string,
  env: Record<string, string> = {},
  input = '',
): CommandLine => {
  const line = new CommandLine({ SVC_HOME: join(dir, 'home'), PATH: '/nowhere', ...env }, input);
  line.cwd = cwd;
  line.homeDir = dir;
  line.fetch = fetch;
  return line;
};

const readWrittenConfig = async ({ file }: Context): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(file, 'utf8'));
const reposIn = async (context: Context): Promise<unknown> =>
  Object((await readWrittenConfig(context)).forges).local?.repos;
const builtinIn = async (context: Context): Promise<unknown> =>
  Object((await readWrittenConfig(context)).plugins).installed.builtin.config;

test('one command sets up a model server without a key, and the repository one is in; the second time nothing changes, and this is reported (CLI-2)', async (context) => {
  const shop = await repository(join(context.dir, 'shop'));
  const argv = ['--yes', '--agent', 'builtin', '--base-url', context.url, '--model', 'qwen3'];
  const { code, out, err } = await lineIn(context, shop).run(InitCommand, argv);
  assert.is(`${code}${err}`, '0');
  assert.equal(await readWrittenConfig(context), {
    llm: { defaultProvider: 'builtin' },
    plugins: {
      installed: {
        builtin: { config: { api: 'openai', baseUrl: context.url, model: 'qwen3' } },
      },
    },
    forges: { local: { repos: { shop } } },
    budgets: CAPS,
    retention: { every: '24h' },
  });
  assert.match(out, `Model: Phases run on builtin (qwen3 at ${new URL(context.url).origin})`);

  const before = await readFile(context.file, 'utf8');
  const again = await lineIn(context, shop).run(InitCommand, argv);
  assert.is(again.code, 0);
  assert.match(again.out, `${context.file} is already up to date.`);
  assert.is(await readFile(context.file, 'utf8'), before);
});

for (const [what, argv, config] of [
  ['the flag agrees to use the login of its program', ['--login-from-cli'], true],
  ['without the flag no login is used', [], false],
] as const)
  test(`${what} (CLI-2, CFG-5)`, async (context) => {
    const { dir } = context;
    await writeFile(join(dir, 'claude'), '#!/bin/sh\necho 2.1.332\n', { mode: 0o755 });
    await writeFile(join(dir, '.credentials.json'), '{}');
    const env = { PATH: dir, CLAUDE_CONFIG_DIR: dir };
    const line = lineIn(context, dir, env);
    const { code } = await line.run(InitCommand, ['--yes', '--agent', 'claude', ...argv]);
    assert.is(code, 0);
    const { plugins } = await readWrittenConfig(context);
    assert.equal(Object(plugins).installed?.claude?.config, config ? { loginDir: dir } : undefined);
  });

test('the flag is refused where the program has no login, and for an agent without one (CLI-2)', async (context) => {
  for (const agent of ['claude', 'acp:gemini', 'builtin']) {
    const line = lineIn(context, context.dir, { PATH: context.dir });
    const { code } = await line.run(InitCommand, ['--yes', '--agent', agent, '--login-from-cli']);
    assert.is(code, 2, agent);
  }
});

test('no flag is needed for the repository one is in, also from a folder within it; a second one is added beside it, with a name of its own (CLI-2)', async (context) => {
  const shop = await repository(join(context.dir, 'shop'));
  await mkdir(join(shop, 'src', 'deep'), { recursive: true });
  assert.is((await lineIn(context, join(shop, 'src', 'deep')).run(InitCommand, [])).code, 0);
  assert.equal(await reposIn(context), { shop });

  const other = await repository(join(context.dir, 'else', 'shop'));
  assert.is((await lineIn(context, other).run(InitCommand, [])).code, 0);
  assert.equal(await reposIn(context), { shop, 'shop-2': other });
});

for (const [folder, name] of [
  ['my repo', 'my-repo'],
  ['.dotfiles', 'dotfiles'],
  ['Caf\u00e9', 'Cafe'],
  ['\u4e2d\u6587', 'repository'],
  ['tool.git', 'tool'],
] as const)
  long(
    `the folder ${JSON.stringify(folder)} becomes the repository ${name} (CLI-2)`,
    async (context) => {
      const path = await repository(join(context.dir, folder));
      const { code, err } = await lineIn(context, path).run(InitCommand, []);
      assert.is(`${code}${err}`, '0');
      assert.equal(await reposIn(context), { [name]: path });
    },
  );

long(
  '--repo-dir names another one; relative folders count from the present one (CLI-2)',
  async (context) => {
    const shop = await repository(join(context.dir, 'shop'));
    const { code } = await lineIn(context, context.dir).run(InitCommand, ['--repo-dir', 'shop']);
    assert.is(code, 0);
    assert.equal(await reposIn(context), { shop });
  },
);

for (const [what, argv, says] of [
  ['a folder that does not exist', ['--repo-dir', 'nope'], '/nope does not exist'],
  ['a folder without a repository', ['--repo-dir', '.'], 'is not a git repository'],
  [
    'the local forge without a repository',
    ['--scm', 'local'],
    'Give its folder with --repo-dir <folder>.',
  ],
  ['two forges', ['--scm', 'github', '--repo-dir', '.'], '--scm github is another forge'],
  ['an address that is none', ['--base-url', 'qwen', '--model', 'a'], '--base-url is "qwen"'],
  [
    'an address with a password',
    ['--base-url', 'http://me:secret@127.0.0.1:1', '--model', 'a'],
    '--base-url must not hold a user name or password',
  ],
  [
    'an endpoint that does not answer and no model',
    ['--base-url', 'http://127.0.0.1:1/v1'],
    'needs --model <model>. http://127.0.0.1:1/v1 cannot be reached',
  ],
] as const)
  test(`${what} is refused, and nothing is written (CLI-2)`, async (context) => {
    const { code, err } = await lineIn(context, context.dir).run(InitCommand, [...argv]);
    assert.is(code, 2);
    assert.match(err, says);
    assert.not.match(err, 'secret@');
    assert.not(existsSync(context.file));
  });

test('the one model of an endpoint is chosen (CLI-2)', async (context) => {
  context.models = ['nomic-embed-text', 'qwen3'];
  const { code, err } = await lineIn(context, context.dir).run(InitCommand, [
    '--base-url',
    context.url,
  ]);
  assert.is(code, 0);
  assert.is(err, `qwen3 is the one model at ${context.url}.\n`);
  assert.equal(await builtinIn(context), {
    api: 'openai',
    baseUrl: context.url,
    model: 'qwen3',
  });
});

test('of several models none is guessed: they are named (CLI-2)', async (context) => {
  context.models = ['qwen3', 'llama4'];
  const { code, err } = await lineIn(context, context.dir).run(InitCommand, [
    '--base-url',
    context.url,
  ]);
  assert.is(code, 2);
  assert.match(err, `needs --model <model>. ${context.url} lists: qwen3, llama4.`);
  assert.not(existsSync(context.file));
});

long('a model that the endpoint does not list is written with a note (CLI-2)', async (context) => {
  const argv = ['--base-url', context.url, '--model', 'qwen4'];
  const { code, err } = await lineIn(context, context.dir).run(InitCommand, argv);
  assert.is(code, 0);
  assert.match(err, 'does not list a model qwen4. It lists: qwen3.');
});

long('an endpoint that does not answer yet is written with a note (CLI-2)', async (context) => {
  const argv = ['--base-url', 'http://127.0.0.1:1/v1', '--model', 'qwen3'];
  const { code, err } = await lineIn(context, context.dir).run(InitCommand, argv);
  assert.is(code, 0);
  assert.match(err, 'http://127.0.0.1:1/v1 cannot be reached');
});

long('an operation of the API as address is the endpoint (CLI-2)', async (context) => {
  const argv = ['--base-url', `${context.url}/chat/completions`, '--model', 'qwen3'];
  assert.is((await lineIn(context, context.dir).run(InitCommand, argv)).code, 0);
  assert.is(Object(await builtinIn(context)).baseUrl, context.url);
});

test('the key of one vendor is not sent to, or kept for, another address (CLI-2)', async (context) => {
  const argv = ['--yes', '--base-url', context.url, '--model', 'qwen3'];
  const env = { ANTHROPIC_API_KEY: 'sk-ant-env', OPENAI_API_KEY: 'sk-env' };
  await lineIn(context, context.dir, {}, 'sk-ant-saved').run(InitCommand, [
    '--api-key',
    '-',
    '--model',
    'claude-x',
  ]);
  assert.is(Object(await builtinIn(context)).apiKey, 'sk-ant-saved');
  const { code, out, err } = await lineIn(context, context.dir, env).run(InitCommand, argv);
  assert.is(code, 0);
  assert.match(err, 'The saved key was for another address and was removed.');
  assert.not.match(out + err, 'sk-');
  assert.equal(context.keys, [undefined]);
  assert.not.match(await readFile(context.file, 'utf8'), 'sk-');
});

test('a key from standard input is sent to the endpoint of the flag (CLI-2)', async (context) => {
  const argv = ['--base-url', context.url, '--api-key', '-'];
  const { code, out, err } = await lineIn(context, context.dir, {}, 'a-key\n').run(
    InitCommand,
    argv,
  );
  assert.is(code, 0);
  assert.equal(context.keys, ['Bearer a-key']);
  assert.not.match(out + err, 'a-key');
  assert.is(Object(await builtinIn(context)).apiKey, 'a-key');
});

test('what is not set is added to a configuration without --yes; what is set is not changed (CLI-2)', async (context) => {
  const argv = ['--base-url', context.url, '--model'];
  await lineIn(context, context.dir).run(InitCommand, []);
  assert.is((await lineIn(context, context.dir).run(InitCommand, [...argv, 'qwen3'])).code, 0);
  const other = await lineIn(context, context.dir).run(InitCommand, [...argv, 'qwen4']);
  assert.is(other.code, 1);
  assert.match(other.err, 'plugins.installed.builtin.config.model  qwen3 would become qwen4');
  assert.is(Object(await builtinIn(context)).model, 'qwen3');
  const agreed = await lineIn(context, context.dir).run(InitCommand, ['--yes', ...argv, 'qwen4']);
  assert.is(agreed.code, 0);
  assert.is(Object(await builtinIn(context)).model, 'qwen4');
});

long(
  'a model server that answers is taken without a flag, and with --skip it is not (CLI-2)',
  async (context) => {
    const env = { OLLAMA_HOST: new URL(context.url).host };
    await lineIn(context, context.dir, env).run(InitCommand, ['--skip', 'llm']);
    assert.equal((await readWrittenConfig(context)).plugins, undefined);
    await rm(join(context.dir, 'home'), { recursive: true });
    await lineIn(context, context.dir, env).run(InitCommand, []);
    assert.equal((await readWrittenConfig(context)).llm, { defaultProvider: 'builtin' });
  },
);

test('no key or token of the environment is copied without a flag (CLI-2)', async (context) => {
  const env = { ANTHROPIC_API_KEY: 'sk-ant-env', GITHUB_TOKEN: 'ghp_env' };
  const { code } = await lineIn(context, context.dir, env).run(InitCommand, ['--yes']);
  assert.is(code, 0);
  assert.not.match(await readFile(context.file, 'utf8'), /sk-ant|ghp_/);
});

long(
  'a home folder that is a repository, and what is in the home of svc, are not taken (CLI-2)',
  async (context) => {
    await repository(context.dir);
    await repository(join(context.dir, 'home', 'work', 'checkout'));
    await lineIn(context, context.dir).run(InitCommand, []);
    await lineIn(context, join(context.dir, 'home', 'work', 'checkout')).run(InitCommand, []);
    assert.is(await reposIn(context), undefined);
  },
);

test('a repository that svc cannot read is left out with the reason; the caps are written (CLI-2)', async (context) => {
  const odd = await repository(join(context.dir, 'odd'));
  await writeFile(join(odd, '.git', 'config'), '[extensions]\n\tobjectformat = sha256\n');
  const { code, err } = await lineIn(context, odd).run(InitCommand, []);
  assert.is(code, 0);
  assert.match(err, 'This repository was left out: ');
  assert.match(err, 'SHA-1');
  assert.equal(await readWrittenConfig(context), {
    budgets: CAPS,
    retention: { every: '24h' },
  });
});

long(
  'a repository without a commit is taken, and what the first job needs is named (CLI-2)',
  async (context) => {
    const empty = join(context.dir, 'empty');
    execFileSync('git', ['init', '--quiet', '-b', 'main', empty]);
    const { code, err } = await lineIn(context, empty).run(InitCommand, []);
    assert.is(code, 0);
    assert.match(err, /^Before the first job: .*no commit/);
  },
);

for (const [agent, flags, config] of [
  [
    'acp:opencode',
    ['--base-url', 'http://127.0.0.1:1/v1', '--model', 'qwen3'],
    { opencodeBaseUrl: 'http://127.0.0.1:1/v1', opencodeModel: 'qwen3' },
  ],
  ['acp:codex', ['--model', 'gpt'], { codexModel: 'gpt' }],
] as const)
  long(`--model and --base-url are settings of ${agent} (CLI-2)`, async (context) => {
    const line = lineIn(context, context.dir);
    const { code, err } = await line.run(InitCommand, ['--agent', agent, ...flags]);
    assert.is(`${code}${err}`, '0');
    const { llm, plugins } = await readWrittenConfig(context);
    assert.equal(llm, { defaultProvider: agent });
    assert.equal(Object(plugins).installed.acp.config, config);
  });

test.run();
