import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { START_HELP } from '../../cli/input/parseStartFlags.ts';
import { type FakeRunner, fakeRunner, logEvent } from '../support/http/fakeRunner.ts';

const dev = fileURLToPath(new URL('../../cli/bin/dev.mjs', import.meta.url));
const runJs = fileURLToPath(new URL('../../cli/bin/run.js', import.meta.url));

const test = suite<{ home: string; runner: FakeRunner; children: ChildProcess[] }>(
  'the svc program',
);

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-process-'));
  context.runner = await fakeRunner({
    'GET /jobs': [200, []],
    'GET /jobs/shop-job-1/stream': { stream: [logEvent('hello'), null] },
  });
  context.children = [];
});
test.after.each(async ({ home, runner, children }) => {
  for (const child of children) child.kill('SIGKILL');
  await runner.close();
  await rm(home, { recursive: true, force: true });
});

interface ProcessResult {
  code: number | null;
  out: string;
  err: string;
}

/**
 * Starts the program without a terminal and with an environment of its own; `onOutput` may talk
 * back to it.
 */
function svc(
  context: { home: string; runner: FakeRunner; children: ChildProcess[] },
  argv: string[],
  {
    env = {},
    bin = runJs,
    onOutput = () => {},
  }: {
    env?: Record<string, string>;
    bin?: string;
    onOutput?: (out: string, child: ChildProcess) => void;
  } = {},
): Promise<ProcessResult> {
  const base = {
    PATH: process.env.PATH ?? '',
    HOME: context.home,
    SVC_HOME: context.home,
    SVC_URL: context.runner.url,
  };
  const child = spawn(process.execPath, [bin, ...argv], {
    env: { ...base, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  context.children.push(child);
  let out = '';
  let err = '';
  child.stdout.on('data', (part) => {
    out += part;
    onOutput(out, child);
  });
  child.stderr.on('data', (part) => {
    err += part;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

test('Ctrl-C on a log ends the program with 130, and the job continues (CLI-1, CLI-6)', async (context) => {
  let isSent = false;
  const onOutput = (out: string, child: ChildProcess) => {
    if (!isSent && out.includes('hello')) isSent = child.kill('SIGINT');
  };
  const { code, out, err } = await svc(context, ['logs', '--job', 'shop-job-1'], { onOutput });
  assert.not.match(out, '\u001B', 'no colours: there is no terminal');
  assert.equal(code, 130);
  assert.equal(err, 'Detached. The job continues. Follow it again: svc logs --job shop-job-1\n');
});

test('who stops reading a log ends the program, not the job', async (context) => {
  // More than what fits between the two processes: the program is still writing when its reader
  // goes.
  const lines = Array.from({ length: 5000 }, () => logEvent('x'.repeat(1000)));
  const runner = await fakeRunner({ 'GET /jobs/shop-job-1/stream': { stream: [...lines, null] } });
  try {
    const onOutput = (_: string, child: ChildProcess) => void child.stdout?.destroy();
    const { code, err } = await svc({ ...context, runner }, ['logs', '--job', 'shop-job-1'], {
      onOutput,
    });
    assert.equal(code, 0);
    assert.equal(err, '');
  } finally {
    await runner.close();
  }
});

test('an exit code is the same with --json (CLI-6)', async (context) => {
  const [text, json] = await Promise.all([
    svc(context, ['status', '--job', 'x']),
    svc(context, ['status', '--job', 'x', '--json']),
  ]);
  assert.equal(text.code, 3);
  assert.equal(text.out, '');
  assert.equal(text.err, 'Error: There is no /jobs/x.\n');
  assert.equal(json.code, 3);
  assert.equal(JSON.parse(json.out).error.code, 'not-found');
  assert.equal(json.err, '');
});

test('colours are for terminals, NO_COLOR forbids them and FORCE_COLOR demands them (CLI-6)', async (context) => {
  const [forbidden, forced] = await Promise.all(
    [{ NO_COLOR: '1' }, { FORCE_COLOR: '1' }].map((env) => {
      const onOutput = (out: string, child: ChildProcess) =>
        void (out.includes('hello') && child.kill('SIGINT'));
      return svc(context, ['logs', '--job', 'shop-job-1'], { env, onOutput });
    }),
  );
  assert.match(forbidden?.out ?? '', 'hello');
  assert.not.match(forbidden?.out ?? '', '\u001B');
  assert.match(forced?.out ?? '', '\u001B[');
});

test('a command that does not exist is 127 with a hint, one that takes no argument 2, and nothing prompts without a terminal (CLI-5, CLI-6)', async (context) => {
  const runSvc = async (...argv: string[]) => {
    const { code, out, err } = await svc(context, argv);
    return [code, out, err];
  };
  const all = 'All commands: svc help';
  assert.equal(await runSvc('jobz'), [
    127,
    '',
    `Error: jobz is not an svc command. Did you mean: svc job? ${all}\n`,
  ]);
  assert.equal(await runSvc('qqqqqqq', 'x'), [
    127,
    '',
    `Error: qqqqqqq x is not an svc command. ${all}\n`,
  ]);
  assert.equal(await runSvc('campaing', 'lst'), [
    127,
    '',
    `Error: campaing lst is not an svc command. Did you mean: svc campaign list? ${all}\n`,
  ]);
  assert.equal(await runSvc('gc', 'now'), [
    2,
    '',
    'Error: svc gc takes no argument now. See svc gc --help.\n',
  ]);
  for (const [word, ...expected] of [
    ['jobz', 127, 'no-command'],
    ['gc now', 2, 'bad-argument'],
  ] as const) {
    const { code, out, err } = await svc(context, [...word.split(' '), '--json']);
    assert.equal([code, JSON.parse(out).error.code, err], [...expected, '']);
  }
});

test('a flag that does not exist is a usage error that names the nearest one (CLI-5)', async (context) => {
  const { code, out, err } = await svc(context, ['jobs', '--tipe', 'job']);
  assert.equal(code, 2);
  assert.equal(out, '');
  assert.match(err, /^Error: Unknown flag --tipe\. Did you mean --type\? See svc jobs --help\.\n$/);
});

test('an unknown command is answered alike by svc, svc help and --help (CLI-5)', async (context) => {
  const commands = [['nope'], ['help', 'nope'], ['nope', '--help']];
  const answers = await Promise.all(commands.map((argv) => svc(context, argv)));
  const expected = {
    code: 127,
    out: '',
    err: 'Error: nope is not an svc command. All commands: svc help\n',
  };
  assert.equal(answers, [expected, expected, expected]);
});

test('a usage line shows the arguments first and the flags of every command last, and breaks between flags only (CLI-5)', async (context) => {
  const { out } = await svc(context, ['message', '--help'], { env: { COLUMNS: '80' } });
  const lines = out.split('USAGE\n')[1]?.split('\n\n')[0]?.split('\n');
  assert.equal(lines, [
    '  $ svc message <job> <text> [--team <slug>] [--replace <id>] [-w|--wait]',
    '      [-t|--timeout <time>] [--json] [--url <url>]',
  ]);
  const local = await svc(context, ['config', 'path', '--help']);
  assert.not.match(local.out, '--url');
});

test('svc help exit-codes tells them all, also from the sources (CLI-6)', async (context) => {
  for (const bin of [runJs, dev]) {
    const { code, out } = await svc(context, ['help', 'exit-codes'], { bin });
    assert.is(code, 0);
    assert.match(out, '7    The job waits for a person:');
  }
});

test('svc start --help comes from the start itself, also from the sources', async (context) => {
  for (const bin of [runJs, dev]) {
    const { code, out } = await svc(context, ['start', '--help'], { bin });
    assert.equal(code, 0);
    assert.equal(
      out.split('\n')[0],
      'Start the runner and its dashboard, and keep running until Ctrl-C.',
    );
  }
});

test('svc runner start is svc start (CLI-2)', async (context) => {
  for (const bin of [runJs, dev]) {
    const { out } = await svc(context, ['runner', 'start', '--help'], { bin });
    assert.is(out, START_HELP);
  }
});

test('a Node that is too old is refused with the version that svc needs', () => {
  const older =
    "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.18.3'}})";
  const result = spawnSync(process.execPath, ['--import', older, runJs, '--version'], {
    encoding: 'utf8',
  });
  assert.is(result.status, 1);
  assert.is(result.stdout, '');
  assert.is(
    result.stderr,
    `svc needs Node 20.19 or newer; this is Node 20.18.3 (${process.execPath}). Install a newer one: https://nodejs.org/en/download\n`,
  );
});

test('the installed program hands start and tool over without oclif, knows its version, and says when it is not built', async (context) => {
  const bin = join(context.home, 'cli/bin/run.js');
  await mkdir(join(context.home, 'cli/bin'), { recursive: true });
  for (const name of ['run.js', 'package.json'])
    await copyFile(join(dirname(runJs), name), join(dirname(bin), name));
  await writeFile(join(context.home, 'package.json'), '{ "type": "module", "version": "9.8.7" }');
  assert.equal(await svc(context, ['--version'], { bin }), {
    code: 0,
    out: 'svc 9.8.7\n',
    err: '',
  });
  for (const argv of [['start'], ['tool', '--list'], ['jobs'], []]) {
    assert.equal(await svc(context, argv, { bin }), {
      code: 1,
      out: '',
      err: 'svc is not built yet. Run: npm run build\n',
    });
  }

  await mkdir(join(context.home, 'dist/cli'), { recursive: true });
  const echo = (name: string) =>
    `(argv, env, streams) => { process.stdout.write(${JSON.stringify(name)} + JSON.stringify(argv)); return 5; }`;
  await writeFile(join(context.home, 'dist/cli/package.json'), '{ "type": "commonjs" }');
  await writeFile(join(context.home, 'dist/cli/start.js'), '');
  await writeFile(
    join(context.home, 'dist/cli/startFrom.js'),
    `exports.startFrom = async (root, argv, env) => (${echo('start')})(argv, env);`,
  );
  await writeFile(
    join(context.home, 'dist/cli/tool.js'),
    `exports.runTool = async ${echo('tool')};`,
  );
  assert.equal(await svc(context, ['start', '--port', '0'], { bin }), {
    code: 5,
    out: 'start["--port","0"]',
    err: '',
  });
  assert.equal(await svc(context, ['tool', 'log', '{}'], { bin }), {
    code: 5,
    out: 'tool["log","{}"]',
    err: '',
  });
});

/** Runs a line of a shell, in which "$SVC" is the program; what it answers and says on standard error. */
const runShell = ({ home }: { home: string }, line: string) => {
  const { status, stderr } = spawnSync('sh', ['-c', line], {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, SVC: `${process.execPath} ${runJs}` },
    encoding: 'utf8',
  });
  return { status, stderr };
};

test('output that a full disk does not take is an error, not a short file', (context) => {
  const { status, stderr } = runShell(context, '$SVC help exit-codes > /dev/full');
  assert.is(status, 1);
  assert.match(stderr, /^Error: The output could not be written: ENOSPC/);
});

test('a current folder that is gone is named, without a stack trace', (context) => {
  const { status, stderr } = runShell(context, 'mkdir a && cd a && rmdir ../a && $SVC jobs');
  assert.is(status, 1);
  assert.is(stderr, 'Error: The current folder does not exist any more. Change to another one.\n');
});

test('an empty HOME is none: nothing is looked for below the current folder', (context) => {
  const { stderr } = runShell(context, 'HOME= $SVC jobs');
  assert.match(stderr, /No runner is running for the home \//);
});

test.run();
