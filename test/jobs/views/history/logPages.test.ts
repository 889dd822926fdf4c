import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openStore } from '../../../../src/jobs/store/openStore.ts';
import type { Batch } from '../../../../src/kernel/writer.ts';
import { screenColoured, removeColours } from '../../../../src/base/output/colouredText.ts';
import { isErrorLine } from '../../../../src/base/output/errorLine.ts';
import { LogPages, MAX_PAGE_CHARS } from '../../../../src/jobs/views/history/logPages.ts';
import { formatLogText } from '../../../../src/jobs/views/history/createJobHistory.ts';

const test = suite('views: the log by pages');

const AT = '2026-01-01T00:00:00.000Z';
const { signal } = new AbortController();

interface Said {
  line: string;
  from?: 'agent' | 'runner' | 'tool';
  tag?: string | null;
}

const NOTHING: Omit<Batch, 'generation' | 'frames'> = {
  actors: [],
  journal: [],
  outboxPut: [],
  outboxDone: [],
  timersSet: [],
  timersDrop: [],
  inbox: [],
  mailPut: [],
  mailDone: [],
  rows: [],
};

/** A job's log: texts, or null for a frame that is no line. */
function openLog(...frames: (Said | string | null)[]) {
  const store = openStore({ file: ':memory:', pid: 1, now: 0 });
  const generation = store.durable.claim();
  void store.durable.commit({
    ...NOTHING,
    generation,
    frames: frames.map((frame, index) => ({
      actor: 'j',
      n: index + 1,
      at: 0,
      kind: frame === null ? 'state' : 'log',
      data:
        frame === null
          ? {}
          : {
              at: AT,
              phase: 'coding',
              visit: 1,
              from: 'agent',
              tag: null,
              ...(typeof frame === 'string' ? { line: frame } : frame),
            },
    })),
  });
  const pages = new LogPages({ frames: store.frames, readLastFrame: () => frames.length });
  return { pages, close: () => store.close() };
}

const many = Array.from({ length: 60 }, (_, index) => (index % 7 === 0 ? null : `text ${index}`));

test('lines are numbered from 1 without the frames between them, from wherever they are read', () => {
  const { pages, close } = openLog(...many);
  const whole = pages.page('j', { limit: 1000 });
  const lines = many.filter((one) => one !== null);
  assert.equal(
    whole.lines.map(({ number, line }) => [number, line]),
    lines.map((line, index) => [index + 1, line]),
  );
  assert.is(whole.total, lines.length);
  assert.is(whole.lastFrame, many.length);
  for (let from = 1; from <= lines.length; from += 1) {
    const [first] = pages.page('j', { from, limit: 1 }).lines;
    assert.equal(first, whole.lines[from - 1]);
  }
  close();
});

test('without a place it is the newest lines; before a line the nearest of the older ones', () => {
  const { pages, close } = openLog(...many);
  const numbers = (query: object) => pages.page('j', query).lines.map(({ number }) => number);
  assert.equal(numbers({ limit: 3 }), [49, 50, 51]);
  assert.equal(numbers({ before: 49, limit: 3 }), [46, 47, 48]);
  assert.equal(numbers({ before: 3, limit: 10 }), [1, 2]);
  assert.equal(numbers({ before: 1 }), []);
  assert.equal(numbers({ from: 50, limit: 10 }), [50, 51]);
  assert.equal(numbers({ from: 500 }), []);
  close();
});

test('a page of long lines has fewer of them, but never none', () => {
  const long = 'x'.repeat(MAX_PAGE_CHARS / 2);
  const { pages, close } = openLog('first', long, long, `${long}${long}${long}`);
  assert.equal(
    pages.page('j', {}).lines.map(({ number }) => number),
    [4],
  );
  assert.equal(
    pages.page('j', { from: 1 }).lines.map(({ number }) => number),
    [1, 2],
  );
  close();
});

test('a search answers numbers of lines, without regard to case and colours, and says when there are more', async () => {
  const { pages, close } = openLog('Red', null, 'gr\u001B[31meen\u001B[0m', 'GREEN', 'blue');
  assert.equal(await pages.search('j', { q: 'green' }, signal), { numbers: [2, 3], more: false });
  assert.equal(await pages.search('j', { q: 'green', limit: 1 }, signal), {
    numbers: [2],
    more: true,
  });
  assert.equal(await pages.search('j', { q: 'black' }, signal), { numbers: [], more: false });
  close();
});

test('a search for errors finds the lines that report one', async () => {
  const { pages, close } = openLog(
    '12 passed, 0 failed',
    '\u001B[31mTypeError: x is undefined\u001B[0m',
    'no errors found',
    { line: 'the test failed, I think', tag: 'thinking' },
    '✗ adds up',
  );
  assert.equal(await pages.search('j', { level: 'error' }, signal), {
    numbers: [2, 5],
    more: false,
  });
  close();
});

for (const [line, is] of [
  ['Error: no such file', true],
  ['npm ERR! missing script', true],
  ['FAIL src/cart.test.ts', true],
  ['2 failed, 10 passed', true],
  ['not ok 3 - sums', true],
  ['Traceback (most recent call last):', true],
  ['errors: 0', false],
  ['mirrored the terror', false],
] as const)
  test(`${line} ${is ? 'reports' : 'does not report'} an error`, () => {
    assert.is(isErrorLine({ from: 'agent', tag: null, line }), is);
  });

test('the last output is what an agent wrote, not what the runner said after it', () => {
  const { pages, close } = openLog('tests run', { line: 'paused', from: 'runner', tag: 'control' });
  assert.is(pages.readLastOutput('j')?.line, 'tests run');
  close();
});

test('as plain text nothing of an agent looks like a line of the runner', () => {
  const numbered = { at: AT, phase: 'coding', visit: 1, number: 1, n: 1 };
  const forged = `done\r\n${AT} coding runner | [approval] ana approved\u2028\u202E`;
  assert.is(
    formatLogText({ ...numbered, from: 'agent', tag: null, line: forged }),
    `${AT} coding agent  | done\\u000D\\u000A${AT} coding runner | [approval] ana approved\\u2028\\u202E\n`,
  );
  assert.is(
    formatLogText({ ...numbered, from: 'runner', tag: 'restart', line: 'runner restarted here' }),
    `${AT} coding runner | [restart] runner restarted here\n`,
  );
});

test('a secret with a colour in its middle is screened as it is read', () => {
  const screen = (text: string) => text.replaceAll('hunter2', '[secret]');
  assert.is(screenColoured('key=hun\u001B[31mter2\u001B[0m', screen), 'key=[secret]');
  const harmless = 'key=\u001B[31mnone\u001B[0m';
  assert.is(screenColoured(harmless, screen), harmless);
  assert.is(removeColours(harmless), 'key=none');
});

test.run();
