import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkGuardrails } from '../../cli/doctor/guardrails.ts';

const test = suite<{ home: string }>('doctor: guardrails');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-doctor-rules-'));
  await mkdir(join(context.home, 'guardrails'), { mode: 0o700 });
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const UID = process.getuid?.();
const PATH = '/usr/bin:/bin';

const script = async (
  home: string,
  name: string,
  { text = 'exit 0\n', mode = 0o700, said = '{"when": ["write.before"]}' } = {},
) => {
  const file = join(home, 'guardrails', name);
  await writeFile(file, text);
  await chmod(file, mode);
  await writeFile(join(home, 'guardrails', `${name.split('.')[0]}.json`), said, { mode: 0o600 });
};

test('a script that works is counted', async ({ home }) => {
  await script(home, 'mine.sh');
  assert.equal(await checkGuardrails(home, PATH, UID), {
    status: 'ok',
    detail: '1 script',
    fix: null,
  });
});

test('without scripts there is nothing to check', async ({ home }) => {
  assert.is((await checkGuardrails(home, PATH, UID)).status, 'skipped');
});

const findProblem = async (home: string, uid = UID): Promise<string> => {
  const { status, detail } = await checkGuardrails(home, PATH, uid);
  return `${status}: ${detail}`;
};

test('a script that others can change is an error', async ({ home }) => {
  await script(home, 'mine.sh', { mode: 0o722 });
  assert.match(
    await findProblem(home),
    /^error: mine denies everything: .*can be changed by others/,
  );
});

test('a script of another user is an error', async ({ home }) => {
  await script(home, 'mine.sh');
  await chmod(join(home, 'guardrails', 'mine.sh'), 0o700);
  const other = 4_000_000;
  // Files of root are trusted.
  const expected = UID === 0 ? /^ok/ : /^error: .*belongs to another user/;
  assert.match(await findProblem(home, other), expected);
});

test('a description that is no JSON is an error', async ({ home }) => {
  await script(home, 'mine.sh', { said: '{' });
  assert.match(
    await findProblem(home),
    /^error: mine denies everything: mine\.json cannot be used/,
  );
});

test('a program that is not executable is an error', async ({ home }) => {
  await script(home, 'mine.py', { text: '#!/bin/sh\n', mode: 0o600 });
  assert.match(await findProblem(home), /mine\.py is not executable\. Run: chmod u\+x/);
});

test('an interpreter that is not installed is an error', async ({ home }) => {
  await script(home, 'mine.py', { text: '#!/usr/bin/env no-such-python -u\n' });
  assert.match(
    await findProblem(home),
    /mine\.py cannot be started: the program no-such-python is in no folder/,
  );
  await script(home, 'mine.py', { text: '#!/opt/no/such/python\n' });
  assert.match(await findProblem(home), /\/opt\/no\/such\/python does not exist/);
});

test('a description without a script is a warning', async ({ home }) => {
  await writeFile(join(home, 'guardrails', 'gone.json'), '{}');
  assert.match(await findProblem(home), /^warning: gone\.json describes no script/);
});

test.run();
