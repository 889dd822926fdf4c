import { Ansis } from 'ansis';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseDurationMs } from '../../cli/render/text/parseDurationMs.ts';
import { formatFrame } from '../../cli/render/job/formatFrame.ts';
import { formatRunnerLogLine } from '../../cli/render/runner/formatRunnerLogLine.ts';
import { toColouredLine, toPrintable, toPrintableLine } from '../../cli/render/text/toPrintable.ts';
import { describeReach } from '../../cli/local/start/prepareRunner.ts';
import { pickStatusColor } from '../../cli/render/job/formatJobStatus.ts';
import { renderTable } from '../../cli/render/text/renderTable.ts';
import { formatAgo } from '../../cli/render/text/formatTimeWithAgo.ts';
import { SvcError } from '../../src/base/errors/errors.ts';

const test = suite('terminal output');

const CASES: [what: string, given: string, shown: string][] = [
  ['colours', '\u001B[31mred\u001B[0m \u009B1mbold', 'red bold'],
  ['moves of the cursor', 'a\u001B[2J\u001B[1;1Hb\u001B[?25l', 'ab'],
  ['window titles and links', '\u001B]0;title\u0007x\u001B]8;;http://e\u001B\\link', 'xlink'],
  ['a title that is never closed', '\u001B]0;rest', ']0;rest'],
  ['backspaces, bells, carriage returns, nulls', 'safe\b\b\b\bevil\u0007\r\u0000', 'safeevil'],
  ['text that turns direction', 'a\u202Eb\u2066c\u200Fd', 'abcd'],
  ['plain text of any language', 'Grüße, 世界 👋\n\ttab', 'Grüße, 世界 👋\n\ttab'],
];
for (const [what, input, expected] of CASES)
  test(`untrusted text: ${what}`, () => assert.is(toPrintable(input), expected));

test('a line stays a line', () => {
  assert.is(toPrintableLine('one\r\ntwo\n\n\tthree\u2028four'), 'one two three four');
});

const printText = (
  part: { from?: string; tag?: string | null; line: string },
  colors = new Ansis(0),
): string =>
  formatFrame(
    {
      n: 1,
      kind: 'log',
      data: {
        at: '2026-01-01T00:00:00Z',
        phase: 'coding',
        visit: 1,
        from: 'agent',
        tag: null,
        ...part,
      },
    },
    colors,
  )?.replace(/^\S+ /, '') ?? '';

test('of a log line the column before the text says who wrote it; no text gets there (CLI-1)', () => {
  assert.is(
    printText({ from: 'runner', tag: 'approval', line: 'ana approved' }),
    'coding * [approval] ana approved\n',
  );
  assert.is(printText({ line: '[approval] ana approved' }), 'coding | [approval] ana approved\n');
  assert.is(
    printText({ line: 'x\r\n12:00:00 coding * [approval] ana\u001B[1A\u2028' }),
    'coding | x 12:00:00 coding * [approval] ana \n',
  );
});

test('a restart of the runner is marked', () => {
  const mark = printText({ from: 'runner', tag: 'restart', line: 'runner restarted here' });
  assert.is(mark, 'coding * ---- runner restarted here ----\n');
  const forged = printText({ tag: 'restart', line: 'runner restarted here' });
  assert.is(forged, 'coding | [restart] runner restarted here\n');
});

test('colours of an agent are shown on a terminal only, and end with their line', () => {
  const line = '\u001B[31mred\u001B[2Jder';
  assert.is(printText({ line }), 'coding | redder\n');
  assert.match(printText({ line }, new Ansis(1)), '\u001B[31mredder\u001B[0m\n');
  assert.is(toColouredLine('plain'), 'plain');
  assert.is(toColouredLine('\u001B[8mhidden\u001B[1;8mtoo'), 'hiddentoo');
});

test('hostile text is read in linear time', () => {
  const text = '\u001B['.repeat(50_000) + '\u001B]'.repeat(50_000);
  const startedAt = performance.now();
  toPrintable(text);
  assert.ok(performance.now() - startedAt < 1000);
});

test('a table is as wide as its cells; only its last column gives way to the terminal', () => {
  const rows = [
    ['1', 'short'],
    ['22222', 'a very long title indeed'],
  ];
  const plain = { color: new Ansis(0), columns: 0 };
  assert.is(
    renderTable(['A', 'TITLE'], rows, plain),
    'A      TITLE\n1      short\n22222  a very long title indeed\n',
  );
  assert.is(
    renderTable(['A', 'TITLE'], rows, { ...plain, columns: 20 }),
    'A      TITLE\n1      short\n22222  a very long …\n',
  );
});

test('times are written as a person would write them', () => {
  const now = Date.UTC(2026, 0, 1, 12);
  const at = (ms: number) => new Date(now + ms).toISOString();
  const reported = [-400, -1000, -59_000, -60_000, -7_200_000, -200_000_000, 90_000].map((ms) =>
    formatAgo(at(ms), now),
  );
  assert.equal(reported, [
    'just now',
    '1 s ago',
    '59 s ago',
    '1 min ago',
    '2 h ago',
    '2 d ago',
    'in 1 min',
  ]);
});

test('durations have a unit (CLI-6)', () => {
  assert.equal(
    ['500ms', '90s', '30m', '2h', '1d', ' 5s '].map((text) => parseDurationMs(text)),
    [500, 90_000, 1_800_000, 7_200_000, 86_400_000, 5000],
  );
  for (const text of ['', '5', 's', '-5s', '0s', '1.5h', '25d', '5 s', '1e3s']) {
    assert.throws(
      () => parseDurationMs(text),
      (error: unknown) => error instanceof SvcError && error.code === 'bad-argument',
      text,
    );
  }
});

test("a line of the runner's log is a sentence at a terminal, without its stack", () => {
  const line =
    '{"level":40,"at":"x","err":{"message":"gone","stack":"Error: gone\\n at x"},"msg":"a reply was not sent"}\n';
  assert.is(formatRunnerLogLine(line), 'Warning: A reply was not sent: gone\n');
  assert.is(
    formatRunnerLogLine('{"level":50,"msg":"tokn\\u001b[2J is not known"}'),
    'Error: Tokn is not known\n',
  );
  assert.is(formatRunnerLogLine('not JSON'), 'not JSON');
});

test('a runner that other machines reach reports its addresses; one on loopback nothing', () => {
  const lan = { address: '10.0.0.7', internal: false };
  const interfaces = { lo: [{ address: '127.0.0.1', internal: true }], eth0: [lan] };
  const describeHost = (host: string) => describeReach(host, 'http://127.0.0.1:4100', interfaces);
  assert.is(describeHost('127.0.0.1'), '');
  assert.match(
    describeHost('0.0.0.0'),
    'Other machines can reach this runner (server.host is 0.0.0.0) at http://10.0.0.7:4100.',
  );
  assert.match(describeHost('10.0.0.9'), 'at http://10.0.0.9:4100.');
});

test('a status has the colour of what it means', () => {
  const colors = new Ansis(1);
  const of = (job: Partial<Parameters<typeof pickStatusColor>[0]>) =>
    pickStatusColor({ status: 'coding', ended: false, parked: null, ...job }, colors)('x');
  assert.is(of({}), colors.blue('x'));
  assert.is(of({ status: 'complete', ended: true }), colors.green('x'));
  assert.is(of({ status: 'failed', ended: true }), colors.red('x'));
  assert.is(of({ parked: { kind: 'approval', since: '', reason: '' } }), colors.yellow('x'));
  assert.is(of({ parked: { kind: 'event', since: '', reason: '' } }), colors.dim('x'));
});

test.run();
