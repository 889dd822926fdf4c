import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { LookupFinding, Lookup } from '../../../src/intake/tools/lookup.ts';
import {
  type EndedLookup,
  createReadTools,
  type StartedLookup,
} from '../../../src/intake/tools/readTools.ts';
import { revealHiddenText } from '../../../machines/index.ts';

const test = suite('look-ups as tools');

const FOUND: LookupFinding = {
  text: 'found',
  trust: 'own',
  repo: null,
  commit: null,
  path: null,
  fromLine: null,
  toLine: null,
};

function toolWith(find: Lookup['find']) {
  const started: StartedLookup[] = [];
  const ended: EndedLookup[] = [];
  let now = 1_000;
  const [tool] = createReadTools({
    lookups: [
      {
        name: 'scm_search_code',
        description: '',
        inputSchema: {},
        describeTarget: ({ text }) => `“${String(text)}”`,
        find,
      },
    ],
    now: () => (now += 5),
    screen: (text) => text.replaceAll('hunter2', '***'),
    visible: revealHiddenText,
    key: 'k1',
    next: () => 7,
    onStart: (one) => started.push(one),
    onEnd: async (one) => void ended.push(one),
  });
  if (!tool) throw new Error('There is no tool.');
  const run = (
    args: Record<string, unknown> = { text: 'a' },
    signal = new AbortController().signal,
  ) => tool.run(args, signal);
  return { run, started, ended };
}

test('the model is given the text as evidence', async () => {
  const { text } = await toolWith(async () => FOUND).run();
  assert.match(text, /^<evidence id="E7" key="k1"[^>]*>\nfound\n<\/evidence>$/);
});

test('its beginning is reported', async () => {
  const { run, started } = toolWith(async () => FOUND);
  await run();
  assert.equal(started, [{ n: 7, tool: 'scm_search_code', target: '“a”' }]);
});

test('its end is reported with how long it took', async () => {
  const { run, ended } = toolWith(async () => FOUND);
  await run();
  assert.is(ended[0]?.ms, 5);
});

test('a secret in what was found reaches no one', async () => {
  const { text } = await toolWith(async () => ({ ...FOUND, text: 'pass hunter2' })).run();
  assert.not.match(text, 'hunter2');
});

test('a secret in the arguments is not kept', async () => {
  const { run, ended } = toolWith(async () => FOUND);
  await run({ text: 'hunter2' });
  assert.is(ended[0]?.args, '{"text":"***"}');
});

test('what a person would not see is shown', async () => {
  const { text } = await toolWith(async () => ({ ...FOUND, text: 'a<!-- b -->' })).run();
  assert.match(text, 'a[HTML comment: b]');
});

test('a failure is an answer', async () => {
  const { run } = toolWith(async () => {
    throw new Error('There is no such file.');
  });
  assert.match((await run()).text, 'There is no such file.');
});

test('a failure says that it is one', async () => {
  const { run } = toolWith(async () => {
    throw new Error('There is no such file.');
  });
  assert.ok((await run()).failed);
});

test('a failure is recorded', async () => {
  const { run, ended } = toolWith(async () => {
    throw new Error('There is no such file.');
  });
  await run();
  assert.is(ended[0]?.item.ok, false);
});

test('at most 60,000 characters are shown, the block around them included', async () => {
  const { text } = await toolWith(async () => ({ ...FOUND, text: 'x'.repeat(100_000) })).run();
  assert.ok(text.length < 60_000, `${text.length} characters`);
});

test('what is left out of a text is said', async () => {
  const { run, ended } = toolWith(async () => ({ ...FOUND, text: 'x'.repeat(100_000) }));
  await run();
  assert.match(
    ended[0]?.item.text ?? '',
    /\n\[42000 more characters were left out: ask for less\.\]$/,
  );
});

/** Lines of a file, each 200 characters long. */
const wide = (lines: number): LookupFinding => ({
  ...FOUND,
  text: Array.from({ length: lines }, (_, n) => `${n + 1}\t${'x'.repeat(200)}`).join('\n'),
  path: 'wide.txt',
  fromLine: 1,
  toLine: lines,
});

test('a line that was left out of a look-up has not been shown by it (PLN-5)', async () => {
  const { run, ended } = toolWith(async () => wide(1_000));
  await run();
  const { text = '', toLine = 0 } = ended[0]?.item ?? {};
  assert.match(text, `\n${toLine}\t`);
  assert.not.match(text, `\n${Number(toLine) + 1}\t`);
});

test('the model is shown which line of a long file comes next', async () => {
  const { run, ended } = toolWith(async () => wide(1_000));
  const { text } = await run();
  assert.match(text, `: the next line is ${Number(ended[0]?.item.toLine) + 1}.]`);
});

test('a line that is too long to be shown is cut', async () => {
  const text = `1\t${'x'.repeat(100_000)}`;
  const result = { ...FOUND, text, path: 'a.js', fromLine: 1, toLine: 1 };
  const { run, ended } = toolWith(async () => result);
  await run();
  assert.match(ended[0]?.item.text ?? '', /: this line is too long\.\]$/);
});

test('a look-up of a stopped turn reports the stop', async () => {
  const stop = new AbortController();
  stop.abort();
  const { run } = toolWith(async () => {
    throw new Error('aborted');
  });
  assert.match((await run({ text: 'a' }, stop.signal)).text, 'The turn was stopped');
});

test.run();
