import { replaceControlRuns } from '../../../src/base/text/boundedText.ts';
import {
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type AgentTool,
  Arguments,
  ToolFault,
  type ToolResult,
} from '../../../src/executors/builtin/agentTool.ts';
import { createFileTools } from '../../../src/executors/builtin/tools/createFileTools.ts';
import { Places } from '../../../src/executors/builtin/tools/places.ts';
import { createSearchTools } from '../../../src/executors/builtin/tools/createSearchTools.ts';
import { createShellTool } from '../../../src/executors/builtin/tools/createShellTool.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { isAlive } from '../../support/agents/sessionRequest.ts';

const test = suite('builtin tools');

async function prepare(files: Record<string, string> = {}) {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'svc-tools-')));
  for (const [index, [path, text]] of Object.entries(files).entries()) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
    await utimes(join(dir, path), 1_000 + index, 1_000 + index);
  }
  const places = await Places.open(dir, []);
  const place = {
    clock: systemClock,
    env: { PATH: process.env.PATH ?? '', LANG: 'C' },
    marker: `tools-${process.pid}`,
  };
  const tools = new Map<string, AgentTool>(
    [
      ...createFileTools(places),
      ...createSearchTools(places, place),
      createShellTool(places, place),
    ].map((tool) => [tool.name, tool]),
  );
  const run = async (
    name: string,
    input: unknown,
    signal = new AbortController().signal,
  ): Promise<ToolResult> => {
    const tool = tools.get(name);
    if (!tool) throw new Error(`no tool ${name}`);
    return tool.run(new Arguments(input), signal).catch((error: unknown) => {
      if (error instanceof ToolFault) return { text: error.message, failed: true };
      throw error;
    });
  };
  return { dir, run, [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }) };
}

const ok = (text: string): ToolResult => ({ text, failed: false });
const no = (text: string): ToolResult => ({ text, failed: true });

test('Read shows lines with their numbers, a part of them when asked, and says what is left', async () => {
  await using stage = await prepare({
    'a.txt': 'one\ntwo\nthree\n',
    'empty.txt': '',
    'bytes.bin': 'a\0b',
    'wide.txt': 'x'.repeat(3_000),
  });
  const { run } = stage;
  assert.equal(
    await run('Read', { file_path: 'a.txt' }),
    ok('     1\tone\n     2\ttwo\n     3\tthree'),
  );
  assert.equal(
    await run('Read', { file_path: 'a.txt', offset: 2, limit: 1 }),
    ok('     2\ttwo\n[1 more lines; continue with offset 3]'),
  );
  assert.equal(await run('Read', { file_path: 'a.txt', offset: 9 }), no('a.txt has only 3 lines.'));
  assert.equal(await run('Read', { file_path: 'empty.txt' }), ok('[the file is empty]'));
  assert.equal(await run('Read', { file_path: 'bytes.bin' }), no('bytes.bin is not a text file.'));
  assert.equal(
    await run('Read', { file_path: 'wide.txt' }),
    ok(`     1\t${'x'.repeat(2_000)} … [line cut]`),
  );
  assert.equal(await run('Read', {}), no('"file_path" is missing: it must be a string.'));
  assert.equal(
    await run('Read', { file_path: 'a.txt', offset: -1 }),
    no('"offset" must be a whole number, 1 or more.'),
  );
});

test('Edit changes the one matching place, and reports when no place or several match', async () => {
  await using stage = await prepare({ 'a.txt': 'price $1\nprice $1\nlast' });
  const { dir, run } = stage;
  const edit = (input: object) => run('Edit', { file_path: 'a.txt', ...input });
  assert.equal(
    await edit({ old_string: 'price', new_string: 'cost' }),
    no(
      '"old_string" is in a.txt 2 times; nothing was done. Give more of the lines around it, or replace_all.',
    ),
  );
  assert.equal(
    await edit({ old_string: 'none', new_string: 'x' }),
    no('"old_string" is not in a.txt; nothing was done. Read the file again.'),
  );
  assert.equal(
    await edit({ old_string: 'last', new_string: "$& and $'" }),
    ok('Changed one place in a.txt.'),
  );
  assert.equal(
    await edit({ old_string: '$1', new_string: '$2', replace_all: true }),
    ok('Changed 2 places in a.txt.'),
  );
  assert.is(await readFile(join(dir, 'a.txt'), 'utf8'), "price $2\nprice $2\n$& and $'");
  assert.equal(
    await run('Write', { file_path: 'b/c.txt', content: 'ä' }),
    ok('Wrote b/c.txt (2 bytes).'),
  );
  assert.equal(
    await run('Write', { file_path: 'b/c.txt', content: '' }),
    ok('Replaced b/c.txt (0 bytes).'),
  );
});

test('Glob finds files by name, the ones changed last first, and follows no link', async () => {
  await using stage = await prepare({
    'src/a.ts': '',
    'src/deep/b.ts': '',
    'src/deep/c.md': '',
    'node_modules/x/d.ts': '',
    '.hidden/e.ts': '',
    'f.ts': '',
  });
  const { dir, run } = stage;
  await symlink('/etc', join(dir, 'src', 'etc'));
  const glob = async (input: object) => (await run('Glob', input)).text.split('\n');
  assert.equal(await glob({ pattern: '**/*.ts' }), ['f.ts', 'src/deep/b.ts', 'src/a.ts']);
  assert.equal(await glob({ pattern: '*.ts' }), ['f.ts', 'src/deep/b.ts', 'src/a.ts']);
  assert.equal(await glob({ pattern: './*.ts' }), ['f.ts']);
  assert.equal(await glob({ pattern: 'src/**/{b,c}.*' }), ['src/deep/c.md', 'src/deep/b.ts']);
  assert.equal(await glob({ pattern: '?.ts', path: 'src' }), ['src/deep/b.ts', 'src/a.ts']);
  assert.equal(await glob({ pattern: '.hidden/*' }), ['.hidden/e.ts']);
  assert.equal(await glob({ pattern: '**/passwd' }), ['[no file matches]']);
  assert.match((await run('Glob', { pattern: '*', path: '..' })).text, 'outside of the checkout');
  const start = process.cpuUsage();
  await run('Glob', { pattern: `${'*a'.repeat(100)}b` });
  await run('Glob', { pattern: `${'**/'.repeat(60)}x` });
  assert.ok(process.cpuUsage(start).user < 1_000_000, 'no pattern takes long');
});

test('Grep finds lines, files or counts, within the checkout', async () => {
  await using stage = await prepare({
    'a.txt': 'one\ntwo\nThree\n',
    'src/b.ts': 'two three\n',
    'node_modules/c.ts': 'two',
  });
  const { dir, run } = stage;
  await symlink('/etc/passwd', join(dir, 'passwd'));
  const grep = async (input: object) => (await run('Grep', input)).text.split('\n').sort();
  assert.equal(await grep({ pattern: 'two' }), ['a.txt:2:two', 'src/b.ts:1:two three']);
  assert.equal(await grep({ pattern: 't(wo|hree)$', ignore_case: true, glob: '*.txt' }), [
    'a.txt:2:two',
    'a.txt:3:Three',
  ]);
  assert.equal(await grep({ pattern: 'two', output_mode: 'files_with_matches' }), [
    'a.txt',
    'src/b.ts',
  ]);
  assert.equal(await grep({ pattern: 'e', output_mode: 'count', path: 'a.txt' }), ['a.txt:2']);
  assert.equal(await grep({ pattern: 'root' }), ['[nothing matches]']);
  assert.equal(await grep({ pattern: '-v' }), ['[nothing matches]']);
  assert.is((await run('Grep', { pattern: '(' })).failed, true);
  assert.match(
    (await run('Grep', { pattern: 'root', path: '/etc/passwd' })).text,
    'outside of the checkout',
  );
  assert.match(
    (await run('Grep', { pattern: 'root', path: 'passwd' })).text,
    'outside of the checkout',
  );
});

test('control characters of an answer are a note of their number', () => {
  assert.is(replaceControlRuns('a\u0000b\tc\n'), 'a\ufffdb\tc\n');
  assert.is(replaceControlRuns(`x${'\u0000'.repeat(30_000)}y`), 'x[30000 control characters]y');
});

test('Bash answers output and exit code; a time limit and an interrupt end everything that it started', async () => {
  await using stage = await prepare();
  const { dir, run } = stage;
  assert.equal(await run('Bash', { command: 'pwd; echo oops >&2' }), ok(`${dir}\noops`));
  assert.equal(await run('Bash', { command: 'true' }), ok('[no output]'));
  assert.equal(await run('Bash', { command: 'echo half; exit 3' }), no('half\n[exit code 3]'));
  assert.equal(await run('Bash', { command: 'read line || echo "no input"' }), ok('no input'));
  const pidIn = async (name: string) => Number(await readFile(join(dir, name), 'utf8'));

  const result = await run('Bash', { command: 'sleep 60 & echo $! > left; echo begun' });
  assert.equal(result, ok('begun'));
  assert.is(await isAlive(await pidIn('left')), false, 'what it left running is ended with it');

  const late = await run('Bash', { command: 'sleep 60 & echo $! > late; wait', timeout: 200 });
  assert.equal(late, no('[ended after 0.2 s, the longest time; give "timeout" for a longer one]'));
  assert.is(await isAlive(await pidIn('late')), false);

  const stop = new AbortController();
  const stubborn = run(
    'Bash',
    { command: "trap '' TERM; echo $$ > stubborn; while :; do sleep 0.1; done" },
    stop.signal,
  );
  while ((await readFile(join(dir, 'stubborn'), 'utf8').catch(() => '')) === '')
    await new Promise((next) => setTimeout(next, 10));
  const startedAt = performance.now();
  stop.abort();
  assert.equal(await stubborn, no('[interrupted, and ended]'));
  assert.ok(performance.now() - startedAt < 5_000);
  assert.is(await isAlive(await pidIn('stubborn')), false);
});

test('the output of a command is bounded, its beginning and its end are kept', async () => {
  await using stage = await prepare();
  const { text } = await stage.run('Bash', {
    command: 'echo first; head -c 5000000 /dev/zero | tr "\\0" x; echo; echo last',
  });
  assert.ok(text.length < 31_000);
  assert.match(text, /^first\nx+\n\[… \d+ characters left out …\]\nx+\nlast$/);
});

test.run();
