import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ConfigService } from '../../../src/host/config/configService.ts';
import { loadSettings } from '../../../src/host/config/settings/loadSettings.ts';
import { BUILT_IN_MANIFESTS } from '../../../src/plugins/builtInCatalogue.ts';
import type { SetUpStepName } from '../../../src/base/settings/setUpSteps.ts';
import type { SetUpView } from '../../../src/contract/schema/runner/setUpSteps.ts';
import { STARTER_CLEANUP_NOTE } from '../../../src/host/setUp/starterSettings.ts';
import { Wizard } from '../../../src/host/setUp/setUpWizard.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite<{ dir: string; file: string }>('the setup wizard');

const NOW = Date.UTC(2026, 0, 1);
const TOKEN = 'ghp_an0example0token0of0a0test';

test.before.each(async (context) => {
  context.dir = await mkdtemp(join(tmpdir(), 'svc-wizard-'));
  context.file = join(context.dir, 'config.json');
});
test.after.each(({ dir }) => rm(dir, { recursive: true, force: true }));

/** What GitHub answers to GET /user, by its description: scopes of a classic token in a header. */
const github =
  (scopes: string | null, user: object = { login: 'ana', type: 'User' }): typeof fetch =>
  async (input, init) => {
    assert.is(String(input), 'https://api.github.com/user');
    assert.is(new Headers(init?.headers).get('authorization'), `Bearer ${TOKEN}`);
    return Response.json(user, { headers: scopes === null ? {} : { 'X-OAuth-Scopes': scopes } });
  };

interface Here {
  env?: Record<string, string>;
  fetch?: typeof fetch;
}

const openWizard = (dir: string, { env = {}, fetch = github('repo') }: Here = {}): Wizard => {
  const hostEnv = { SVC_HOME: dir, PATH: '/nowhere', ...env };
  const sources = { env: hostEnv, homeDir: dir, flags: {}, packageRoot: process.cwd() };
  let drafts = 0;
  return new Wizard({
    hostEnv,
    homeDir: dir,
    cwd: null,
    load: () => loadSettings(sources),
    manifests: async () => BUILT_IN_MANIFESTS,
    config: new ConfigService({ sources, createDraftName: () => `draft-${++drafts}` }),
    fetch,
    now: () => NOW,
  });
};

const readWrittenConfig = async (file: string): Promise<Record<string, never>> =>
  JSON.parse(await readFile(file, 'utf8'));
const getStepState = ({ steps }: SetUpView, name: SetUpStepName) =>
  steps.find(({ step }) => step === name)?.state;
const choiceIn = ({ steps }: SetUpView, name: SetUpStepName, id: string) =>
  steps.find(({ step }) => step === name)?.choices.find((choice) => choice.id === id);

test('on a clean home every step is open, and looking writes nothing (CFG-5)', async ({
  dir,
  file,
}) => {
  const view = await openWizard(dir).view();
  assert.equal(
    view.steps.map(({ state }) => state),
    ['open', 'open', 'open', 'open'],
  );
  assert.is(view.newCaps, true);
  await readFile(file).then(
    () => assert.unreachable('the file was made'),
    () => {},
  );
});

test('the first answer brings the caps, and a note (CFG-5)', async ({ dir, file }) => {
  const { notes, setUp } = await openWizard(dir).skipStep('tracker');
  assert.match(notes.join(), 'Jobs stop and ask at $10.00 a job');
  assert.is(setUp.newCaps, false);
  assert.is(getStepState(setUp, 'tracker'), 'skipped');
  assert.equal((await readWrittenConfig(file)).budgets, {
    job: { usd: 10 },
    campaign: { usd: 50 },
    day: { usd: 50 },
    headlessFactor: 0.5,
  });
});

test('the first answer of a new home switches cleanup on, once (CFG-5)', async ({ dir, file }) => {
  const { notes } = await openWizard(dir).skipStep('tracker');
  assert.ok(notes.includes(STARTER_CLEANUP_NOTE));
  assert.equal((await readWrittenConfig(file)).retention, { every: '24h' });
  assert.equal((await openWizard(dir).skipStep('scm')).notes, []);
});

test('a home with caps of its own keeps what it keeps (CFG-5)', async ({ dir, file }) => {
  await writeFile(file, '{ "budgets": { "week": { "usd": 5 } } }');
  await openWizard(dir).skipStep('tracker');
  assert.is((await readWrittenConfig(file)).retention, undefined);
});

test('keys of the environment are named, not shown, and taken when chosen (CFG-5)', async ({
  dir,
  file,
}) => {
  const wizard = openWizard(dir, { env: { ANTHROPIC_API_KEY: 'sk-ant-of-the-environment' } });
  const view = await wizard.view();
  assert.not.match(JSON.stringify(view), 'sk-ant-of');
  assert.match(view.steps[0]?.found.join() ?? '', 'a key in ANTHROPIC_API_KEY');
  const { setUp } = await wizard.answer('llm', { choice: 'builtin', values: { model: 'm' } });
  assert.is(getStepState(setUp, 'llm'), 'saved');
  assert.not.match(JSON.stringify(setUp), 'sk-ant-of');
  const { plugins } = await readWrittenConfig(file);
  assert.equal(plugins, {
    installed: { builtin: { config: { model: 'm', apiKey: 'sk-ant-of-the-environment' } } },
  });
});

test('a login of an installed agent is seen without being read (CFG-5)', async ({ dir }) => {
  await writeFile(join(dir, 'codex'), '#!/bin/sh\necho codex-cli 1.2.3\n');
  await chmod(join(dir, 'codex'), 0o755);
  await writeFile(join(dir, 'auth.json'), 'not even JSON');
  const before = (await openWizard(dir, { env: { PATH: dir } }).view()).steps[0]?.found;
  assert.equal(before, ['codex 1.2.3, no login seen']);
  const env = { PATH: dir, CODEX_HOME: dir };
  const after = (await openWizard(dir, { env }).view()).steps[0]?.found;
  assert.equal(after, [`codex 1.2.3, login in ${join(dir, 'auth.json')}`]);
});

for (const [id, program, variable, file, key] of [
  ['claude', 'claude', 'CLAUDE_CONFIG_DIR', '.credentials.json', 'loginDir'],
  ['acp:codex', 'codex', 'CODEX_HOME', 'auth.json', 'codexLoginDir'],
] as const)
  test(`a login of ${program} is used with consent alone, and a key is then not taken (CFG-5)`, async ({
    dir,
    file: written,
  }) => {
    await writeFile(join(dir, program), '#!/bin/sh\necho 2.1.332\n');
    await chmod(join(dir, program), 0o755);
    await writeFile(join(dir, file), '{}');
    const env = { PATH: dir, [variable]: dir, ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '' };
    const wizard = openWizard(dir, { env });
    assert.is(choiceIn(await wizard.view(), 'llm', id)?.loginIn, dir);
    const [plugin = ''] = id.split(':');
    await wizard.answer('llm', { choice: id });
    assert.is((await readWrittenConfig(written)).plugins?.['installed']?.[plugin], undefined);
    await wizard.answer('llm', { choice: id, useLogin: true });
    const { plugins } = await readWrittenConfig(written);
    assert.equal(plugins?.['installed']?.[plugin]?.['config'], { [key]: dir });
  });

test('a login that is not there is refused (CFG-5)', async ({ dir }) => {
  const wizard = openWizard(dir);
  for (const choice of ['claude', 'builtin']) {
    const { code } = await catchRefusal(() =>
      wizard.answer('llm', { choice, values: { model: 'm', baseUrl: '' }, useLogin: true }),
    );
    assert.is(code, 'bad-argument');
  }
});

test('a token of an account that a person may use sets selfIsPerson, with a note (CFG-5)', async ({
  dir,
  file,
}) => {
  const values = { token: TOKEN };
  const { notes, setUp } = await openWizard(dir).answer('scm', { choice: 'github', values });
  assert.match(notes.join(), 'The token belongs to the account ana');
  assert.match(notes.join(), 'plugins.installed.github.config.selfIsPerson is set to true');
  assert.not.match(JSON.stringify([notes, setUp]), TOKEN);
  assert.equal((await readWrittenConfig(file)).plugins, {
    installed: { github: { config: { token: TOKEN, selfIsPerson: true } } },
  });
});

test('a token of a bot does not (CFG-5)', async ({ dir, file }) => {
  const fetch = github('repo', { login: 'svc-bot', type: 'Bot' });
  const values = { token: TOKEN };
  await openWizard(dir, { fetch }).answer('scm', { choice: 'github', values });
  assert.equal((await readWrittenConfig(file)).plugins, {
    installed: { github: { config: { token: TOKEN } } },
  });
});

for (const [what, fetch, says] of [
  ['lacks', github('gist, read:org'), /has no repo scope on github\.com, so svc cannot push/],
  ['has for public repositories alone', github('public_repo'), /cannot work on private repos/],
  ['does not say', github(null), /github\.com does not report this token's permissions\. It needs/],
  ['could not be asked for', async () => Response.error(), /could not be checked at github/],
] as const)
  test(`scopes that a token ${what} are named, and it is saved (CFG-5)`, async ({ dir }) => {
    const values = { token: TOKEN };
    const { notes, setUp } = await openWizard(dir, { fetch }).answer('scm', {
      choice: 'github',
      values,
    });
    assert.match(notes.join(), says);
    assert.is(getStepState(setUp, 'scm'), 'saved');
  });

test('GitLab describes a token to itself (CFG-5)', async ({ dir }) => {
  const urls: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    urls.push(String(input));
    return String(input).endsWith('/user')
      ? Response.json({ username: 'ana', bot: false })
      : Response.json({ scopes: ['read_api'] });
  };
  const values = { token: TOKEN, baseUrl: 'https://git.example.org' };
  const { notes } = await openWizard(dir, { fetch }).answer('scm', { choice: 'gitlab', values });
  assert.equal(urls, [
    'https://git.example.org/api/v4/user',
    'https://git.example.org/api/v4/personal_access_tokens/self',
  ]);
  assert.match(notes.join(), 'has no api scope on git.example.org');
});

test('a token that is refused is not saved (CFG-5)', async ({ dir, file }) => {
  const fetch: typeof globalThis.fetch = async () => new Response('{}', { status: 401 });
  const wizard = openWizard(dir, { fetch });
  const values = { token: TOKEN };
  const error = await catchRefusal(() => wizard.answer('scm', { choice: 'github', values }));
  assert.match(error.message, 'github.com rejects this token. Nothing was saved');
  assert.not.match(error.message, TOKEN);
  await readFile(file).then(
    () => assert.unreachable('something was saved'),
    () => {},
  );
});

test('the token of gh is taken with consent alone (CFG-5)', async ({ dir, file }) => {
  const gh = `#!/bin/sh
case "$*" in
  "auth token --hostname github.com") echo ${TOKEN} ;;
  --version) echo gh version 2.82.1 ;;
  *) exit 1 ;;
esac
`;
  await writeFile(join(dir, 'gh'), gh);
  await chmod(join(dir, 'gh'), 0o755);
  const env = { PATH: `${dir}:/usr/bin:/bin` };
  const wizard = openWizard(dir, { env, fetch: async () => Response.error() });
  const view = await wizard.view();
  assert.is(choiceIn(view, 'scm', 'github')?.tokenFrom, 'gh');
  const error = await catchRefusal(() => wizard.answer('scm', { choice: 'github' }));
  assert.match(error.message, 'github needs token');
  // Also where GitHub does not say whose it is.
  await wizard.answer('scm', { choice: 'github', takeToken: true });
  assert.equal((await readWrittenConfig(file)).plugins, {
    installed: { github: { config: { token: TOKEN, selfIsPerson: true } } },
  });
});

test('what is saved is kept unless another value is given (CFG-5)', async ({ dir, file }) => {
  const saved = { token: 'ghp_saved', workspace: 'acme', selfIsPerson: false };
  await writeFile(
    file,
    JSON.stringify({
      plugins: { installed: { github: { config: saved } } },
      budgets: { week: { usd: 5 } },
    }),
  );
  const wizard = openWizard(dir, { env: { GITHUB_TOKEN: 'ghp_of_the_environment' } });
  await wizard.answer('scm', { choice: 'github', values: { token: '', workspace: 'other' } });
  const { plugins, budgets } = await readWrittenConfig(file);
  assert.equal(plugins, { installed: { github: { config: { ...saved, workspace: 'other' } } } });
  assert.equal(budgets, { week: { usd: 5 } });
});

test('a skipped step with something saved stays saved, and a skipped decision leaves no trace (CFG-5)', async ({
  dir,
  file,
}) => {
  const config = { decision: { apiKey: 'dec-a-saved-key' }, llm: { defaultProvider: 'claude' } };
  await writeFile(file, JSON.stringify(config));
  const wizard = openWizard(dir);
  await wizard.skipStep('llm');
  const { setUp } = await wizard.skipStep('decision');
  assert.equal([getStepState(setUp, 'llm'), getStepState(setUp, 'decision')], ['saved', 'saved']);
  const { decision, setup } = await readWrittenConfig(file);
  assert.equal([decision, setup], [config.decision, undefined]);
});

test('a step that was skipped can be answered after all (CFG-5)', async ({ dir, file }) => {
  const shop = join(dir, 'shop');
  execFileSync('git', ['init', '--quiet', shop]);
  const wizard = openWizard(dir);
  await wizard.skipStep('scm');
  const { setUp } = await wizard.answer('scm', { choice: 'local', values: { folder: shop } });
  assert.is(getStepState(setUp, 'scm'), 'saved');
  assert.equal(setUp.repositories, ['shop']);
  assert.equal((await readWrittenConfig(file)).setup, { skipped: [] });
});

for (const [what, step, answer, says] of [
  ['an unknown choice', 'llm', { choice: 'abacus' }, /Unknown choice "abacus"/],
  [
    'a value that the choice lacks',
    'tracker',
    { choice: 'linear', values: { no: '1' } },
    /no value no/,
  ],
  ['a missing value', 'tracker', { choice: 'linear' }, /linear needs apiKey/],
  ['no folder', 'scm', { choice: 'local' }, /local needs folder/],
  [
    'a folder that is not there',
    'scm',
    { choice: 'local', values: { folder: '/no' } },
    /does not exist/,
  ],
  ['a relative folder', 'scm', { choice: 'local', values: { folder: 'no' } }, /the absolute path/],
  [
    'a token without a program',
    'scm',
    { choice: 'github', takeToken: true },
    /No program that has a token/,
  ],
  [
    'an address without https',
    'scm',
    { choice: 'gitlab', values: { token: 't', baseUrl: 'http://x.example' } },
    /must be the https/,
  ],
] as const)
  test(`${what} is refused with what to do (CFG-5)`, async ({ dir }) => {
    const error = await catchRefusal(() => openWizard(dir).answer(step, answer));
    assert.match(error.message, says);
  });

test('the end remembers what was left open, once (CFG-5)', async ({ dir, file }) => {
  const wizard = openWizard(dir);
  await wizard.answer('tracker', { choice: 'linear', values: { apiKey: 'lin_api_key' } });
  const { setUp } = await wizard.complete();
  assert.is(setUp.completedAt, '2026-01-01T00:00:00.000Z');
  assert.equal((await readWrittenConfig(file)).setup, {
    skipped: ['llm', 'scm'],
    completedAt: '2026-01-01T00:00:00.000Z',
  });
  const before = await readFile(file, 'utf8');
  await wizard.complete();
  assert.is(await readFile(file, 'utf8'), before);
});

test.run();
