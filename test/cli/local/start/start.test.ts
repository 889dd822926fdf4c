import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RunnerModule } from '../../../../cli/local/start/runnerModule.ts';
import { runStart } from '../../../../cli/local/start/start.ts';
import { START_HELP } from '../../../../cli/input/parseStartFlags.ts';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import type { Settings } from '../../../../src/contract/schema/runner/settings.ts';

const test = suite<{ home: string }>('svc start');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-start-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

/** A start whose runner is a puppet: what it was given, what was written, and signals by hand. */
class Start {
  out = '';
  err = '';
  settings: Settings | null = null;
  stops = 0;
  terminal = false;
  readonly #env: Record<string, string>;
  #onStop: ((signal: 'SIGINT' | 'SIGTERM') => void) | null = null;
  #listening: () => void = () => {};
  readonly listening = new Promise<void>((resolve) => {
    this.#listening = resolve;
  });
  /** What `stop` of the runner waits for. */
  stopped: Promise<void> = Promise.resolve();
  fails: Error | null = null;

  constructor(home: string, env: Record<string, string> = {}) {
    this.#env = { SVC_HOME: home, CI: 'true', ...env };
  }

  run(argv: string[]): Promise<number> {
    const main: RunnerModule = {
      storeVersion: 1,
      startRunner: async (settings, { inspect }) => {
        if (this.fails) throw this.fails;
        this.settings = settings;
        const stop = () => {
          this.stops += 1;
          return this.stopped;
        };
        return {
          url: 'http://127.0.0.1:4711',
          loginUrl: () => 'http://127.0.0.1:4711/login/once',
          inspectUrl: inspect ? 'ws://127.0.0.1:4712/inspect/secret' : null,
          stop,
          reload: async () => {},
          [Symbol.asyncDispose]: stop,
        };
      },
    };
    const streams = {
      out: (text: string) => {
        this.out += text;
        if (text.startsWith('In another terminal') || text.startsWith('{')) this.#listening();
      },
      err: (text: string) => {
        this.err += text;
      },
      terminal: this.terminal,
      onStop: (run: (signal: 'SIGINT' | 'SIGTERM') => void) => {
        this.#onStop = run;
        return () => {
          this.#onStop = null;
        };
      },
    };
    return runStart(argv, this.#env, streams, async () => main);
  }

  signal(name: 'SIGINT' | 'SIGTERM'): void {
    this.#onStop?.(name);
  }
}

test('it starts the runner with the settings, says where it listens, and leaves its address in the home (RUN-1, CLI-1)', async ({
  home,
}) => {
  await writeFile(
    join(home, 'config.json'),
    '{ "server": { "port": 4100 }, "forges": { "local": { "repos": { "shop": "/not/there" } } } }',
  );
  const start = new Start(home);
  const code = start.run(['--host', '127.0.0.2']);
  await start.listening;
  assert.equal(start.settings?.home, home);
  assert.equal(start.settings?.server, { host: '127.0.0.2', port: 4100, auth: 'auto' });
  assert.is(
    start.out.replace(/svc \d+\.\d+\.\d+/, 'svc VERSION'),
    `svc VERSION listening on http://127.0.0.1:4711 (home ${home})\nIn another terminal, svc job starts a job and svc jobs lists them. Press Ctrl-C to stop the runner.\n`,
  );
  assert.is(start.err, 'Warning: forges.local.repos.shop: the folder /not/there does not exist\n');
  const { url, pid } = JSON.parse(await readFile(join(home, 'runner.json'), 'utf8'));
  assert.equal(url, 'http://127.0.0.1:4711');
  assert.equal(pid, process.pid);

  start.signal('SIGTERM');
  assert.is(await code, 0);
  assert.is(start.stops, 1);
  assert.equal(await readdir(home), ['config.json']);
});

test('with --json it prints one line once it listens, and an error is JSON too (CLI-6)', async ({
  home,
}) => {
  const start = new Start(home);
  const code = start.run(['--json']);
  await start.listening;
  const { url, pid, home: at } = JSON.parse(start.out);
  assert.equal(url, 'http://127.0.0.1:4711');
  assert.equal(pid, process.pid);
  assert.equal(at, home);
  start.signal('SIGTERM');
  await code;
  const broken = new Start(home);
  broken.fails = new SvcError('locked', 'Another runner has this home.');
  assert.is(await broken.run(['--json']), 1);
  assert.equal(JSON.parse(broken.out).error.code, 'locked');
  assert.equal(broken.err, '');
});

test('only a terminal sees the link that lets its first user in', async ({ home }) => {
  for (const terminal of [true, false]) {
    const start = new Start(home);
    start.terminal = terminal;
    const code = start.run([]);
    await start.listening;
    start.signal('SIGINT');
    await code;
    assert.is(start.out.includes('/login/once'), terminal);
  }
});

test('a second signal does not wait for the graceful stop (RUN-6)', async ({ home }) => {
  for (const [signal, exit] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const start = new Start(home);
    start.stopped = new Promise(() => {});
    const code = start.run([]);
    await start.listening;
    start.signal('SIGTERM');
    start.signal(signal);
    assert.is(await code, exit);
    assert.is(start.stops, 1);
    assert.match(start.err, 'Stopping.');
  }
});

const FAILURES: [what: string, argv: string[], fails: Error | null, code: number, err: string][] = [
  [
    'an unknown flag',
    ['--prot', '1'],
    null,
    2,
    "Error: Unknown option '--prot'. See svc start --help.\n",
  ],
  ['an argument', ['now'], null, 2, "Error: Unexpected argument 'now'. See svc start --help.\n"],
  [
    'a port that is none',
    ['--port', '70000'],
    null,
    2,
    'Error: --port is "70000", but must be a whole number from 0 to 65535.\n',
  ],
  [
    'both ways to open',
    ['--open', '--no-open'],
    null,
    2,
    'Error: --open and --no-open cannot be combined. Give one.\n',
  ],
  [
    'a port in use',
    [],
    Object.assign(new Error('listen'), { code: 'EADDRINUSE' }),
    1,
    'Error: Port 3000 of 127.0.0.1 is in use. Choose another one with --port, or any free one with --port 0.\n',
  ],
  [
    'a port that needs more rights',
    ['--port', '80'],
    Object.assign(new Error('listen'), { code: 'EACCES' }),
    2,
    'Error: svc cannot listen on port 80 of 127.0.0.1 (EACCES). Choose others with --port and --host.\n',
  ],
  [
    'another runner on this home',
    [],
    new SvcError('locked', 'Runner 17 holds it.'),
    1,
    'Error: Runner 17 holds it.\n',
  ],
];
for (const [what, argv, fails, code, err] of FAILURES) {
  test(`${what}: exit code ${code}`, async ({ home }) => {
    const start = new Start(home);
    start.fails = fails;
    assert.equal(await start.run(argv), code);
    assert.equal(start.out, '');
    assert.equal(start.err, err);
    assert.equal(await readdir(home), []);
  });
}

test('an error in the config file stops the start and is reported with its place (CFG-1)', async ({
  home,
}) => {
  await writeFile(join(home, 'config.json'), '{\n  "server": { "prot": 1 }\n}');
  const start = new Start(home);
  assert.is(await start.run([]), 2);
  assert.is(
    start.err,
    `Error: The configuration file ${home}/config.json has an error. It was not changed.\n  ${home}/config.json:2:15  Unknown key "prot" in server. Did you mean "port"?\n`,
  );
  assert.is(start.settings, null);
});

test('--help starts nothing', async ({ home }) => {
  const start = new Start(home);
  assert.equal(await start.run(['--help']), 0);
  assert.equal(start.out, START_HELP);
  assert.equal(start.settings, null);
});

test('--inspect streams the jobs at an address that is only shown on a terminal; without it nothing is served (JOB-15)', async ({
  home,
}) => {
  for (const [argv, terminal, line] of [
    [
      ['--inspect'],
      true,
      'Inspection, for createWebSocketReceiver({ server }): ws://127.0.0.1:4712/inspect/secret',
    ],
    [
      ['--inspect'],
      false,
      'Inspection, for createWebSocketReceiver({ server }): its address is a secret and is only shown on a terminal',
    ],
    [[], true, undefined],
  ] as const) {
    const start = new Start(home);
    start.terminal = terminal;
    const exit = start.run([...argv]);
    await start.listening;
    assert.is(
      start.out.split('\n').find((one) => one.startsWith('Inspection')),
      line,
    );
    start.signal('SIGINT');
    assert.is(await exit, 0);
  }
});

test.run();
