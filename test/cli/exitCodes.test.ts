import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import ExitCodesCommand from '../../cli/commands/exit-codes.ts';
import LogsCommand from '../../cli/commands/logs.ts';
import PauseCommand from '../../cli/commands/pause.ts';
import { EXIT_CODES } from '../../cli/exitCodes.ts';
import { toFailure } from '../../cli/failure.ts';
import { ClientError } from '../../src/api/client/problem.ts';
import { ERROR_CODES, type ErrorCode, SvcError } from '../../src/base/errors/errors.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { fakeRunner, type Reply } from '../support/http/fakeRunner.ts';

const test = suite<{ home: string }>('exit codes');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-exit-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const problem = (code: ErrorCode, more: object = {}): Reply => {
  const [status, title] = ERROR_CODES[code];
  return [
    status,
    {
      type: `urn:svc:problem:${code}`,
      title,
      status,
      detail: `It is ${code}.`,
      code,
      requestId: 'r1',
      ...more,
    },
  ];
};

const PATH = 'POST /jobs/shop-job-1/pause';
const ARGV = ['--job', 'shop-job-1'];

const CASES: [what: string, exitCode: number, reply: Reply, text: string][] = [
  ['not-found', 3, problem('not-found'), 'Error: It is not-found.\n'],
  [
    'unauthorized',
    4,
    problem('unauthorized'),
    'Error: It is unauthorized.\n  svc commands send SVC_TOKEN, else runner.token of SVC_HOME (default ~/.svc).\n',
  ],
  ['foreign-host', 4, problem('foreign-host'), 'Error: It is foreign-host.\n'],
  ['malformed', 2, problem('malformed'), 'Error: It is malformed.\n'],
  ['internal', 1, problem('internal'), 'Error: It is internal.\n'],
  ['stopping', 5, problem('stopping', { reason: 'stopping' }), 'Error: It is stopping.\n'],
  [
    'a state in which it is not possible',
    1,
    problem('not-possible-now', { state: ['working.inSession'], accepts: ['cancel', 'message'] }),
    'Error: It is not-possible-now.\n  The job is at work.\n  Possible now: cancel, message\n',
  ],
  [
    'fields that are wrong',
    2,
    problem('invalid', {
      errors: [{ pointer: '/params/repoSlug', message: 'is\u001B[2J unknown\nhere' }],
    }),
    'Error: It is invalid.\n  /params/repoSlug  is unknown here\n',
  ],
  [
    'an unknown code of a newer runner',
    3,
    [404, { code: 'brand-new', title: 'New', detail: 'Something new.', status: 404 }],
    'Error: Something new.\n',
  ],
];
for (const [what, exitCode, reply, text] of CASES) {
  test(`${what}: ${exitCode}, with and without --json (CLI-6)`, async ({ home }) => {
    const runner = await fakeRunner({ [PATH]: reply });
    try {
      const line = new CommandLine({ SVC_HOME: home, SVC_URL: runner.url });
      assert.equal(await line.run(PauseCommand, ARGV), { code: exitCode, out: '', err: text });
      const json = await line.run(PauseCommand, [...ARGV, '--json']);
      const { type: _type, status: _status, ...members } = reply[1] as Record<string, unknown>;
      assert.equal(json.code, exitCode);
      assert.equal(JSON.parse(json.out), { error: members });
      assert.equal(json.err, '');
    } finally {
      await runner.close();
    }
  });
}

test('no runner, a closed port and something that is no runner (CLI-6)', async ({ home }) => {
  const runner = await fakeRunner({ [PATH]: [502, '<html>Bad gateway</html>'] });
  const line = new CommandLine({ SVC_HOME: home, SVC_URL: runner.url });
  for (const json of [[], ['--json']])
    assert.is((await line.run(PauseCommand, [...ARGV, ...json])).code, 1);
  await runner.close();
  for (const command of [PauseCommand, LogsCommand]) {
    for (const json of [[], ['--json']])
      assert.is((await line.run(command, [...ARGV, ...json])).code, 5);
  }
  assert.is((await new CommandLine({ SVC_HOME: home }).run(PauseCommand, ARGV)).code, 5);
});

test('flags that are wrong or missing: 2, with and without --json (CLI-6)', async ({ home }) => {
  const line = new CommandLine({ SVC_HOME: home });
  for (const argv of [
    [],
    ['--job'],
    [...ARGV, '--bogus'],
    [...ARGV, 'extra'],
    [...ARGV, '--url', 'nonsense'],
  ]) {
    assert.is((await line.run(PauseCommand, argv)).code, 2, argv.join(' '));
    const json = await line.run(PauseCommand, ['--json', ...argv]);
    assert.equal(json.code, 2, argv.join(' '));
    assert.equal(JSON.parse(json.out).error.code, 'bad-argument', argv.join(' '));
    assert.equal(json.err, '', argv.join(' '));
  }
});

test('every code of the table of errors is an exit code that is documented', () => {
  const documented: number[] = EXIT_CODES.map(([code]) => code);
  for (const code of Object.keys(ERROR_CODES) as ErrorCode[]) {
    assert.ok(documented.includes(toFailure(new SvcError(code, 'x')).exitCode), code);
  }
});

test('an error of the runner bundle counts as what it is, though its class is another one', () => {
  const foreign = Object.assign(new Error('Runner 17 holds it.'), {
    name: 'SvcError',
    code: 'locked',
    errors: [],
    data: { pid: 17 },
  });
  assert.equal(toFailure(foreign), {
    exitCode: 1,
    problem: {
      code: 'locked',
      title: 'Another runner is using this home',
      detail: 'Runner 17 holds it.',
      pid: 17,
    },
    text: 'Error: Runner 17 holds it.\n',
  });
});

test('what the sentence says already is not said again below it', () => {
  const errors = [{ pointer: '/unattended/until', message: 'is more than 30 days away' }];
  const { text } = toFailure(new SvcError('invalid', '31d is more than 30 days away.', { errors }));
  assert.is(text, 'Error: 31d is more than 30 days away.\n');
});

test('what the linter of the runner found is said with its place, as svc workflow lint says it', () => {
  const finding = {
    file: 'workflows/bad.md',
    line: 6,
    column: 85,
    code: 'unknown-alias',
    severity: 'error',
  };
  const diagnostics = [
    {
      ...finding,
      message: 'The alias plannning\u001b[2J is unknown.',
      hint: 'Did you mean planning?',
    },
    { line: 'x' },
  ];
  const problem = {
    type: '',
    title: 'No',
    status: 422,
    detail: 'It has 1 mistake.',
    code: 'workflow-invalid',
    requestId: '',
  };
  assert.equal(toFailure(new ClientError({ ...problem, diagnostics })), {
    exitCode: 2,
    problem: {
      code: 'workflow-invalid',
      title: 'No',
      detail: 'It has 1 mistake.',
      diagnostics,
      requestId: '',
    },
    text: 'Error: It has 1 mistake.\nworkflows/bad.md:6:85 error The alias plannning is unknown. [unknown-alias]\n  Did you mean planning?\n',
  });
});

test('an unexpected error is 1 and is named an internal error', () => {
  assert.equal(toFailure(new Error('boom')), {
    exitCode: 1,
    problem: { code: 'internal', title: 'Internal error', detail: 'Internal error in svc: boom' },
    text: 'Error: Internal error in svc: boom\n',
  });
});

test('a full disk is no internal error, and what to do is named', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
  });
  const { exitCode, problem, text } = toFailure(full);
  assert.is(exitCode, 1);
  assert.is(problem.code, 'store-failed');
  assert.is(
    text,
    'Error: The disk is full: ENOSPC: no space left on device, write. Free some space and run the command again; no acknowledged change is lost.\n',
  );
});

test('svc exit-codes prints the table (CLI-6)', async ({ home }) => {
  const line = new CommandLine({ SVC_HOME: home });
  const { out } = await line.run(ExitCodesCommand, []);
  assert.is(out.split('\n')[0], '0    Done.');
  assert.is(out.split('\n').length, EXIT_CODES.length + 1);
  const json = JSON.parse((await line.run(ExitCodesCommand, ['--json'])).out);
  assert.equal(json[0], { code: 0, meaning: 'Done.' });
});

test.run();
