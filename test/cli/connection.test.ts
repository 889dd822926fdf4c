import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { resolveConnection } from '../../cli/remote/resolveConnection.ts';
import { readHomeIdentity, writeRunnerInfo } from '../../src/host/config/home/runnerInfo.ts';
import { SvcError } from '../../src/base/errors/errors.ts';

const token = 'b'.repeat(43);
const test = suite<{ home: string }>('connection');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-connection-'));
  await writeFile(join(context.home, 'runner.token'), token);
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const connect = (home: string, env: Record<string, string> = {}, url?: string) =>
  resolveConnection({ env: { SVC_HOME: home, ...env }, homeDir: home, url });

test('--url comes before SVC_URL, and SVC_URL before the runner of the home', async ({ home }) => {
  await writeFile(
    join(home, 'runner.json'),
    JSON.stringify({ url: 'http://127.0.0.1:4100', pid: 1, startedAt: '2026-01-01T00:00:00.000Z' }),
  );
  assert.equal(await connect(home), { baseUrl: 'http://127.0.0.1:4100', token });
  assert.equal(await connect(home, { SVC_URL: 'http://localhost:4200/svc/' }), {
    baseUrl: 'http://localhost:4200/svc',
    token,
  });
  assert.equal(await connect(home, { SVC_URL: 'http://localhost:4200' }, 'http://[::1]:4300'), {
    baseUrl: 'http://[::1]:4300',
    token,
  });
});

test('a copied home does not talk to the runner of the original; a moved one still does', async ({
  home,
}) => {
  const original = join(home, 'original');
  await mkdir(original);
  const info = {
    url: 'http://127.0.0.1:4100',
    pid: 1,
    startedAt: '2026-01-01T00:00:00.000Z',
    home: await readHomeIdentity(original),
  };
  await writeRunnerInfo(original, info);
  const copy = join(home, 'copy');
  await cp(original, copy, { recursive: true });
  assert.is((await connect(original)).baseUrl, 'http://127.0.0.1:4100');
  const refusal = await connect(copy).catch((thrown: unknown) => thrown);
  assert.instance(refusal, SvcError);
  assert.match(
    refusal instanceof SvcError ? `${refusal.code}: ${refusal.message}` : '',
    `unreachable: ${copy} is a copy of the home ${original}: its runner.json names the runner of that one.`,
  );
  assert.is((await connect(copy, {}, 'http://127.0.0.1:4100')).baseUrl, 'http://127.0.0.1:4100');
  await rename(original, join(home, 'moved'));
  assert.is((await connect(join(home, 'moved'))).baseUrl, 'http://127.0.0.1:4100');
});

test('another machine never gets the token of this home', async ({ home }) => {
  for (const url of [
    'https://example.org',
    'http://127.0.0.1.example.org',
    'http://localhost.example.org:3000',
    'http://10.0.0.7:3000',
  ]) {
    assert.is((await connect(home, {}, url)).token, null, url);
  }
  assert.equal(await connect(home, { SVC_TOKEN: 'theirs' }, 'https://example.org'), {
    baseUrl: 'https://example.org',
    token: 'theirs',
  });
});

test('an address that is none is refused and named', async ({ home }) => {
  const catchConnectError = async (env: Record<string, string>, url?: string) => {
    const error = await connect(home, env, url).catch((thrown: unknown) => thrown);
    return error instanceof SvcError ? `${error.code}: ${error.message}` : String(error);
  };
  const rest = 'but must be a URL such as http://127.0.0.1:3000.';
  assert.is(
    await catchConnectError({}, 'localhost'),
    `bad-argument: --url is "localhost", ${rest}`,
  );
  assert.is(
    await catchConnectError({ SVC_URL: 'file:///etc' }),
    `bad-argument: SVC_URL is "file:///etc", ${rest}`,
  );
  assert.is(
    await catchConnectError({}),
    `unreachable: No runner is running for the home ${home}. Start one with: svc start. Or name one with --url or SVC_URL.`,
  );
});

test('a token that this user cannot read is an error that says whose runner it is and what else to do', async ({
  home,
}) => {
  const url = 'http://127.0.0.1:4100';
  await rm(join(home, 'runner.token'));
  // A folder cannot be read as a file, by root either.
  await mkdir(join(home, 'runner.token'));
  const error = await connect(home, {}, url).catch((thrown: unknown) => thrown);
  assert.instance(error, SvcError);
  assert.is((error as SvcError).code, 'forbidden');
  assert.match((error as SvcError).message, /runner\.token cannot be read\. .* SVC_TOKEN\.$/);
  assert.is((await connect(home, { SVC_TOKEN: 'mine' }, url)).token, 'mine');
});

test.run();
