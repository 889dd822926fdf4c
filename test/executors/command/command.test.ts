import { readFile, stat, symlink, writeFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCommandExecutor } from '../../../src/executors/command/createCommandExecutor.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { isAlive, prepare } from '../../support/agents/sessionRequest.ts';
import { createHeldClock, HELD_MS } from '../../support/heldClock.ts';

const test = suite('executor command');

const executor = createCommandExecutor({ clock: systemClock, graceMs: 200 });
const sh = (script: string) => ['sh', '-c', script];

test('exit 0 ends the turn, 75 pauses it; output becomes log lines in order, of terminal escapes only colours are kept', async () => {
  await using run = await prepare(
    sh("printf 'one\\r\\n\\033[31mtwo\\033[0m\\n10%%\\r100%%\\nno newline'; echo oops >&2"),
  );
  const session = await executor.run(run.request);
  assert.equal(await session.result, { stopReason: 'end_turn', error: null, usage: null });
  assert.equal(run.lines('stdout'), ['one', '\u001b[31mtwo\u001b[0m', '100%', 'no newline']);
  assert.equal(run.lines('stderr'), ['oops']);

  await using paused = await prepare(sh('exit 75'));
  assert.equal(await (await executor.run(paused.request)).result, {
    stopReason: 'pause_turn',
    error: null,
    usage: null,
  });
});

test('the error of a program that prints it to stdout is in the report too (JOB-5)', async () => {
  await using failing = await prepare(
    sh('echo "error: could not resolve dependency"; echo "see the log"; exit 1'),
  );
  const { error } = await (await executor.run(failing.request)).result;
  assert.is(
    error,
    'sh ended with exit code 1. Last output:\nerror: could not resolve dependency\nsee the log',
  );
});

test('any other exit is an error with the last output; a program that is killed has died', async () => {
  await using failing = await prepare(
    sh('for i in $(seq 1 30); do echo "line $i" >&2; done; exit 3'),
  );
  const { stopReason, error } = await (await executor.run(failing.request)).result;
  assert.is(stopReason, 'error');
  const last = Array.from({ length: 20 }, (_, index) => `line ${index + 11}`).join('\n');
  assert.is(error, `sh ended with exit code 3. Last output:\n${last}`);

  await using killed = await prepare(sh('kill -SEGV $$'));
  const crash = await (await executor.run(killed.request)).result;
  assert.equal(crash, {
    stopReason: 'died',
    error: 'sh was killed by SIGSEGV. It wrote no output.',
    usage: null,
  });

  await using wordy = await prepare(
    sh('head -c 30000 /dev/zero | tr "\\0" x | fold -w 3000 >&2; exit 1'),
  );
  const long = await (await executor.run(wordy.request)).result;
  assert.ok(Buffer.byteLength(long.error ?? '') < 4_300, 'the quoted end is bounded');
});

const report = (text: string, exit = 0) =>
  sh(`printf '%s' '${text}' > "$SVC_SESSION_DIR/report.json"; exit ${exit}`);

test('a program tells its tokens in report.json of its session folder (JOB-11)', async () => {
  await using run = await prepare(
    report('{"usage":{"inputTokens":1200,"outputTokens":80},"model":"m-1"}'),
  );
  const usage = { inputTokens: 1200, outputTokens: 80, cachedInputTokens: 0 };
  assert.equal(await (await executor.run(run.request)).result, {
    stopReason: 'end_turn',
    error: null,
    usage,
  });
  assert.equal(
    run.events.filter(({ type }) => type === 'usage'),
    [{ type: 'usage', usage, model: 'm-1' }],
  );
});

for (const [wrong, says] of [
  ['{"inputTokens":9007199254740991,"outputTokens":9007199254740991}', '18014398509481982 tokens'],
  ['{"inputTokens":-5000,"outputTokens":-100}', 'input tokens: -5000, output tokens: -100'],
  ['{"inputTokens":0.4,"outputTokens":1e999}', 'input tokens: 0.4, output tokens: Infinity'],
  ['{"inputTokens":"12","outputTokens":null}', 'input tokens: "12"'],
  ['{"inputTokens":12}', 'outputTokens is missing'],
  ['"many"', 'is missing'],
] as const)
  test(`a report of ${wrong} is estimated from the characters, with a line in the log (JOB-11)`, async () => {
    await using run = await prepare(
      sh(
        `echo a line of its work; printf '%s' '{"usage":${wrong}}' > "$SVC_SESSION_DIR/report.json"`,
      ),
    );
    const { stopReason, usage } = await (await executor.run(run.request)).result;
    assert.equal({ stopReason, usage }, { stopReason: 'end_turn', usage: null });
    const [report] = run.events.flatMap((event) => (event.type === 'usage' ? [event] : []));
    assert.is(report?.source, 'estimated');
    assert.ok((report?.usage.inputTokens ?? 0) > 0 && (report?.usage.outputTokens ?? 0) > 0);
    assert.match(run.lines('control').join(), says);
  });

test('a part of the tokens that is larger than its whole is left out of a report alone', async () => {
  await using run = await prepare(
    report('{"usage":{"inputTokens":10,"outputTokens":5,"cachedInputTokens":11}}'),
  );
  const { usage } = await (await executor.run(run.request)).result;
  assert.equal(usage, { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0 });
});

test('a program that has asked no model reports 0 tokens, which is no estimate', async () => {
  await using run = await prepare(
    sh(
      `echo done; printf '{"usage":{"inputTokens":0,"outputTokens":0}}' > $SVC_SESSION_DIR/report.json`,
    ),
  );
  const { usage } = await (await executor.run(run.request)).result;
  assert.equal(usage, { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 });
});

test('a program that fails tells there that its model has a limit, with the time of its reset', async () => {
  await using limited = await prepare(
    report(
      '{"usage":{"inputTokens":5,"outputTokens":0},"quota":{"resetsAt":"2030-01-01T00:00:00Z"}}',
      1,
    ),
  );
  const { stopReason, usage, resetsAt } = await (await executor.run(limited.request)).result;
  assert.equal(stopReason, 'quota');
  assert.equal(usage?.inputTokens, 5);
  assert.equal(resetsAt, Date.UTC(2030, 0, 1));
  const quotaReport = '{"quota":{"kind":"throttled","window":"tokens"}}';
  await using throttled = await prepare(report(quotaReport, 1));
  const { quota } = await (await executor.run(throttled.request)).result;
  assert.equal(quota, { kind: 'throttled', window: 'tokens' });
  await using paused = await prepare(report('{"quota":{}}', 75));
  const later = await (await executor.run(paused.request)).result;
  assert.equal(later.stopReason, 'quota');
  assert.equal(later.resetsAt, null);
  await using run = await prepare(report('{"quota":{}}'));
  assert.is(
    (await (await executor.run(run.request)).result).stopReason,
    'end_turn',
    'exit code 0 is the end of the turn',
  );
});

test('an unreadable report is reported and ignored; no link is followed and no pipe is waited for', async () => {
  for (const [script, says] of [
    ["printf 'nonsense' > $SVC_SESSION_DIR/report.json", /^report\.json: .*JSON/],
    ["printf '[1]' > $SVC_SESSION_DIR/report.json", /^report\.json: it is not a JSON object/],
    ["printf 'null' > $SVC_SESSION_DIR/report.json", /^report\.json: it is not a JSON object/],
    [
      `printf '{"usage":{"inputTokens":-1}}' > $SVC_SESSION_DIR/report.json`,
      /^report\.json: usage needs inputTokens and outputTokens/,
    ],
    ['ln -s /etc/passwd $SVC_SESSION_DIR/report.json', /^report\.json: .*ELOOP/],
    ['mkfifo $SVC_SESSION_DIR/report.json', /^report\.json: /],
    [
      'head -c 20000 /dev/zero > $SVC_SESSION_DIR/report.json',
      /^report\.json: it has 20000 bytes, at most 16384 are read/,
    ],
  ] as const) {
    await using bad = await prepare(sh(script));
    assert.equal(await (await executor.run(bad.request)).result, {
      stopReason: 'end_turn',
      error: null,
      usage: null,
    });
    assert.match(bad.lines('control')[0] ?? '', says);
  }
});

test('the program finds its prompts, its job and the tool server in a folder that only we can read', async () => {
  await using run = await prepare(
    sh(
      'pwd; cat "$SVC_SESSION_DIR/system.md" "$SVC_SESSION_DIR/kickoff.md"; cat "$SVC_SESSION_DIR/session.json"',
    ),
  );
  await (await executor.run(run.request)).result;
  assert.equal(run.lines('stdout'), [
    run.dir,
    `You are careful.Begin.${JSON.stringify({ jobId: 'shop-job-1', visit: 2, session: 1, phase: 'coding', llm: run.request.llm })}`,
  ]);
  const mcp = join(run.request.sessionDir, 'mcp.json');
  assert.equal(JSON.parse(await readFile(mcp, 'utf8')), {
    url: 'http://127.0.0.1:1/mcp/x',
    token: 'tool-token',
    headers: { Authorization: 'Bearer tool-token' },
    mcpServers: {
      svc: {
        type: 'http',
        url: 'http://127.0.0.1:1/mcp/x',
        headers: { Authorization: 'Bearer tool-token' },
      },
    },
  });
  assert.is((await stat(mcp)).mode & 0o777, 0o600);
  assert.is((await stat(run.request.sessionDir)).mode & 0o777, 0o700);
});

test('external servers are in the same file, in the form that agent hosts read, and nowhere else (TOOL-10)', async () => {
  const server = {
    origin: 'config' as const,
    env: {},
    headers: {},
    args: [],
    command: null,
    url: null,
    disallowedTools: [],
  };
  await using run = await prepare(sh('echo $0 "$@"; env'), {
    mcpServers: [
      {
        ...server,
        id: 'own',
        transport: 'stdio',
        command: 'own',
        env: { KEY: 'canary' },
        allowedTools: ['find'],
      },
      {
        ...server,
        id: 'far',
        transport: 'sse',
        url: 'https://far',
        headers: { A: 'canary' },
        allowedTools: null,
      },
    ],
  });
  await (await executor.run(run.request)).result;
  const { mcpServers } = JSON.parse(
    await readFile(join(run.request.sessionDir, 'mcp.json'), 'utf8'),
  );
  assert.equal(mcpServers, {
    svc: {
      type: 'http',
      url: 'http://127.0.0.1:1/mcp/x',
      headers: { Authorization: 'Bearer tool-token' },
    },
    own: {
      type: 'stdio',
      command: 'own',
      args: [],
      env: { KEY: 'canary' },
      allowedTools: ['find'],
    },
    far: { type: 'sse', url: 'https://far', headers: { A: 'canary' } },
  });
  assert.not.ok(run.lines('stdout').join('\n').includes('canary'));
});

test('a link that an earlier attempt left in the session folder is replaced, not followed', async () => {
  await using run = await prepare(sh('true'));
  const victim = join(run.dir, 'victim');
  await writeFile(victim, 'precious');
  await mkdir(run.request.sessionDir);
  await symlink(victim, join(run.request.sessionDir, 'mcp.json'));
  await (await executor.run(run.request)).result;
  assert.is(await readFile(victim, 'utf8'), 'precious');
});

test('the program sees the environment of the request, the session folder and the marker, and nothing else', async () => {
  process.env.SVC_TEST_CANARY = 'canary-secret';
  await using run = await prepare([process.execPath, '-p', 'JSON.stringify(process.env)'], {
    env: { PATH: '/usr/bin:/bin', LANG: 'C' },
  });
  await (await executor.run(run.request)).result;
  delete process.env.SVC_TEST_CANARY;
  assert.equal(JSON.parse(run.lines('stdout')[0] ?? '{}'), {
    PATH: '/usr/bin:/bin',
    LANG: 'C',
    SVC_SESSION_DIR: run.request.sessionDir,
    SVC_MARKER: run.request.marker,
  });
});

test('the token of the tool server does not get into the log, however it is printed', async () => {
  await using run = await prepare(
    sh('cat "$SVC_SESSION_DIR/mcp.json"; echo; echo "401 for tool-token" >&2; exit 1'),
  );
  const { error } = await (await executor.run(run.request)).result;
  assert.is(JSON.stringify(run.events).includes('tool-token'), false);
  assert.match(error ?? '', /^sh ended with exit code 1\. Last output:\n/);
  assert.match(error ?? '', '401 for [token]');
});

test('stdin is closed: a program that asks a question reads the end at once', async () => {
  await using run = await prepare(sh('read answer || echo "no answer"'));
  await (await executor.run(run.request)).result;
  assert.equal(run.lines('stdout'), ['no answer']);
});

test('a command that a shell does not find, or may not execute, is a program that is gone; another exit code is its own', async () => {
  const CODES = { 3: 'own-exit', 126: 'not-started', 127: 'not-started' };
  for (const [code, fault] of Object.entries(CODES)) {
    await using one = await prepare(['sh', '-c', `exit ${code}`]);
    assert.is((await (await executor.run(one.request)).result).fault, fault, code);
  }
});

test('a script whose interpreter is missing is no exit code of its own, and the error says what to check', async () => {
  await using script = await prepare(['./agent']);
  const file = join(script.request.cwd, 'agent');
  await writeFile(file, '#!/no/such/interpreter\n', { mode: 0o755 });
  const { error, fault } = await (await executor.run(script.request)).result;
  assert.match(error ?? '', /first line \(#!\)/);
  assert.is(fault, 'not-started');
});

test('a program that cannot be started is a result that says why', async () => {
  await using unknown = await prepare(['no-such-program-here']);
  assert.equal(await (await executor.run(unknown.request)).result, {
    stopReason: 'error',
    error:
      "no-such-program-here could not be started: it was not found on the agents' PATH. Check `command:` of the agent markdown.",
    fault: 'not-started',
    usage: null,
  });
  await using nowhere = await prepare(['sh'], { cwd: '/no/such/folder' });
  const { error } = await (await executor.run(nowhere.request)).result;
  assert.is(
    error,
    'sh could not be started: its working directory /no/such/folder does not exist.',
  );
  await using plain = await prepare(['./notes.txt']);
  await writeFile(join(plain.dir, 'notes.txt'), 'x');
  const { error: notExecutable } = await (await executor.run(plain.request)).result;
  assert.is(
    notExecutable,
    './notes.txt could not be started: it is not executable. Check `command:` of the agent markdown.',
  );
});

test('an agent without a command is refused, with how to fix it', async () => {
  for (const command of [null, []]) {
    await using none = await prepare(command);
    try {
      await executor.run(none.request);
      assert.unreachable('it must not start');
    } catch (error) {
      assert.is(error instanceof Error && 'code' in error ? error.code : '', 'bad-argument');
      assert.match(
        error instanceof Error ? error.message : '',
        /Phase coding .* Add `command: \[program, argument, …\]` .* another provider/,
      );
    }
  }
});

test('an interrupt ends the whole group and the result reports it', async () => {
  await using running = await prepare(sh('sleep 100 & echo "child $!"; wait'));
  const session = await executor.run(running.request);
  await running.said(/^child/);
  const child = Number(running.lines('stdout')[0]?.slice(6));
  assert.is(await isAlive(child), true);
  await session.end(5_000);
  assert.is(await isAlive(child), false);
  assert.equal(await session.result, { stopReason: 'interrupted', error: null, usage: null });
  await session.end(0);
});

test('who ignores SIGTERM is killed after the grace, the children too', async () => {
  await using stubborn = await prepare(
    sh(
      "trap '' TERM; (trap '' TERM; while :; do sleep 0.05; done) & echo \"child $!\"; while :; do sleep 0.05; done",
    ),
  );
  const session = await executor.run(stubborn.request);
  await stubborn.said(/^child/);
  const child = Number(stubborn.lines('stdout')[0]?.slice(6));
  await session.end(50);
  assert.is(await isAlive(child), false);
  assert.is((await session.result).stopReason, 'interrupted');
});

test('a stopped process is asked politely too: it gets the signal', async () => {
  await using frozen = await prepare(
    sh(
      'trap \'echo polite; exit\' TERM; echo "me $$"; kill -STOP $$; while :; do sleep 0.05; done',
    ),
  );
  const session = await executor.run(frozen.request);
  await frozen.said(/^me/);
  const stat = `/proc/${frozen.lines('stdout')[0]?.slice(3)}/stat`;
  while (!(await readFile(stat, 'utf8')).includes(') T ')) await new Promise(setImmediate);
  await session.end(10_000);
  assert.is((await session.result).stopReason, 'interrupted');
  assert.equal(frozen.lines('stdout').slice(1), ['polite']);
});

test('children that outlive the program are ended: in its group, deaf to SIGTERM, or in a group of their own', async () => {
  await using forking = await prepare(
    sh(
      "sleep 100 & echo $!; (trap '' TERM; while :; do sleep 0.05; done) & echo $!; setsid sleep 100 & echo $!; sleep 0.1",
    ),
  );
  const session = await executor.run(forking.request);
  assert.is((await session.result).stopReason, 'end_turn');
  const children = forking.lines('stdout').map(Number);
  assert.is(children.length, 3);
  assert.equal(await Promise.all(children.map(isAlive)), [false, false, false]);
});

test('the time limit ends a program that hangs', async () => {
  const { clock, release } = createHeldClock();
  await using hanging = await prepare(sh('echo begun; sleep 100'), {
    limits: { timeMs: HELD_MS, outputBytes: 1_000 },
  });
  const session = await createCommandExecutor({ clock, graceMs: 200 }).run(hanging.request);
  await hanging.said(/^begun$/);
  release();
  const error = 'The time limit of 86400 s is over. The session was ended.';
  assert.equal(await session.result, { stopReason: 'limit', error, usage: null });
  assert.equal(hanging.lines('control'), [error]);
});

test('one that has written nothing by then is an error for a person, not a limit', async () => {
  await using hanging = await prepare(sh('sleep 100'), {
    limits: { timeMs: 100, outputBytes: 1_000 },
  });
  const { stopReason, fault } = await (await executor.run(hanging.request)).result;
  assert.equal([stopReason, fault], ['error', 'unknown']);
});

test('the output limit ends a program that floods, with and without newlines, and what is kept is bounded', async () => {
  for (const flood of ['yes', 'cat /dev/zero', 'yes >&2']) {
    await using flooding = await prepare(sh(flood), {
      limits: { timeMs: 30_000, outputBytes: 50_000 },
    });
    const session = await executor.run(flooding.request);
    assert.equal(await session.result, {
      stopReason: 'limit',
      error: 'The output limit of 50000 bytes is reached. The session was ended.',
      usage: null,
    });
    const output = [...flooding.lines('stdout'), ...flooding.lines('stderr')].join('\n');
    assert.ok(output.length <= 50_000, flood);
  }
});

test('a program that writes faster than its lines can be kept has to wait: no more is read meanwhile', async () => {
  let lines = 0;
  let keep = () => {};
  const keeping = new Promise<void>((resolve) => {
    keep = resolve;
  });
  let first = () => {};
  const firstLine = new Promise<void>((resolve) => {
    first = resolve;
  });
  await using fast = await prepare(sh('yes "a line of some length" | head -n 100000; echo done'), {
    limits: { timeMs: 30_000, outputBytes: 100_000_000 },
    onEvent(event) {
      if (event.type === 'log') {
        lines += 1;
        first();
      }
      return keeping;
    },
  });
  const session = await executor.run(fast.request);
  await firstLine;
  // Turns of the event loop in which all of it would have come.
  for (let turn = 0; turn < 1_000; turn++) await new Promise(setImmediate);
  assert.ok(lines < 20_000, `${lines} lines were read while none was kept`);
  keep();
  assert.is((await session.result).stopReason, 'end_turn');
  assert.is(lines, 100_001);
});

test('short lines count more than their bytes: each is kept as a row of its own', async () => {
  await using flooding = await prepare(sh('yes'), {
    limits: { timeMs: 30_000, outputBytes: 66_000 },
  });
  assert.is((await (await executor.run(flooding.request)).result).stopReason, 'limit');
  assert.is(flooding.lines('stdout').length, 1_000);
});

test('lines whose keeping fails end the session, not the runner', async () => {
  await using full = await prepare(sh('echo hello; sleep 100'), {
    onEvent: () => Promise.reject(new Error('the disk is full')),
  });
  const { stopReason, error } = await (await executor.run(full.request)).result;
  assert.equal(stopReason, 'error');
  assert.equal(error, 'The output could not be kept: the disk is full');
});

test('a log that cannot be kept ends the session, not the runner', async () => {
  await using full = await prepare(sh('echo hello; sleep 100'), {
    onEvent() {
      throw new Error('the disk is full');
    },
  });
  const session = await executor.run(full.request);
  assert.equal(await session.result, {
    stopReason: 'error',
    error: 'The output could not be kept: the disk is full',
    fault: 'not-written',
    usage: null,
  });
});

test.run();
