import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { prepareAgentEnvironment } from '../../../src/executors/process/prepareAgentEnvironment.ts';

const test = suite('executor environment');

const git = {
  GIT_AUTHOR_NAME: 'svc agent',
  GIT_AUTHOR_EMAIL: 'agent@svc.invalid',
  GIT_COMMITTER_NAME: 'svc agent',
  GIT_COMMITTER_EMAIL: 'agent@svc.invalid',
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

const inJobDir = async (run: (jobDir: string) => Promise<void>) => {
  const jobDir = await mkdtemp(join(tmpdir(), 'svc-environment-'));
  try {
    await run(jobDir);
  } finally {
    await rm(jobDir, { recursive: true, force: true });
  }
};

test('an agent gets the variables of the list, the proxy without its login, and nothing else of the host', () =>
  inJobDir(async (jobDir) => {
    const hostEnv = {
      PATH: '/usr/bin',
      LANG: 'de_DE.UTF-8',
      LC_ALL: 'C',
      TZ: 'Europe/Berlin',
      USER: 'ann',
      HOME: '/home/ann',
      GITHUB_TOKEN: 'canary',
      ANTHROPIC_API_KEY: 'canary',
      SVC_TOKEN: 'canary',
      SVC_HOME: 'canary',
      HTTPS_PROXY: 'http://user:canary@proxy:3128',
      NO_PROXY: 'intern.example',
      NODE_EXTRA_CA_CERTS: '/etc/ssl/own.pem',
      NODE_OPTIONS: 'canary',
      GIT_ASKPASS: 'canary',
      SSH_AUTH_SOCK: 'canary',
    };
    assert.equal(await prepareAgentEnvironment({ hostEnv, jobDir, binDir: '/svc/bin' }), {
      ...git,
      PATH: '/svc/bin:/usr/bin',
      LANG: 'de_DE.UTF-8',
      LC_ALL: 'C',
      TZ: 'Europe/Berlin',
      USER: 'ann',
      HOME: join(jobDir, 'home'),
      TMPDIR: join(jobDir, 'tmp'),
      TERM: 'dumb',
      https_proxy: 'http://proxy:3128/',
      HTTPS_PROXY: 'http://proxy:3128/',
      no_proxy: 'intern.example,localhost,127.0.0.1,::1',
      NO_PROXY: 'intern.example,localhost,127.0.0.1,::1',
      NODE_EXTRA_CA_CERTS: '/etc/ssl/own.pem',
    });
  }));

test('an empty host gives a usable environment; HOME and TMPDIR exist and are private', () =>
  inJobDir(async (jobDir) => {
    const env = await prepareAgentEnvironment({
      hostEnv: {},
      jobDir,
      binDir: '/svc/bin',
      extra: { MODEL_URL: 'http://127.0.0.1:1', TERM: 'xterm' },
    });
    assert.equal(env, {
      ...git,
      PATH: '/svc/bin:/usr/local/bin:/usr/bin:/bin',
      LANG: 'C.UTF-8',
      USER: 'svc',
      HOME: join(jobDir, 'home'),
      TMPDIR: join(jobDir, 'tmp'),
      TERM: 'xterm',
      MODEL_URL: 'http://127.0.0.1:1',
    });
    for (const dir of [env.HOME, env.TMPDIR])
      assert.is((await stat(dir ?? '')).mode & 0o777, 0o700);
  }));

test.run();
