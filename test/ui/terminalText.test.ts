import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  splitColouredParts,
  markSearchHits,
  toVisibleLine,
} from '../../ui/jobs/log/terminalText.ts';

const test = suite('dashboard: colours and hidden characters of the log');

const looks = (line: string): [text: string, look: string][] =>
  splitColouredParts(line).map(({ text, look }) => [text, look]);

for (const [what, line, expected] of [
  [
    'red and back',
    '\u001B[31m✗ no\u001B[0m yes',
    [
      ['✗ no', 'ink-bad'],
      [' yes', ''],
    ],
  ],
  ['bold in one sequence with a colour', '\u001B[1;32mok', [['ok', 'ink-good bold']]],
  [
    'bright colours',
    '\u001B[93mslow\u001B[39m.',
    [
      ['slow', 'ink-warn'],
      ['.', ''],
    ],
  ],
  [
    'an empty sequence resets',
    '\u001B[36ma\u001B[mb',
    [
      ['a', 'ink-accent'],
      ['b', ''],
    ],
  ],
  ['256 colours', '\u001B[38;5;196mred', [['red', 'ink-bad']]],
  ['24 bits', '\u001B[38;2;80;200;120mgreen', [['green', 'ink-good']]],
  ['a ground has its own text colour', '\u001B[41;37mFAIL', [['FAIL', 'on-bad']]],
  ['inverse', '\u001B[7;33mWARN', [['WARN', 'on-warn']]],
  ['concealed text is shown', '\u001B[8msecret', [['secret', '']]],
] as const)
  test(`${what} (UI-1)`, () => assert.equal(looks(line), expected));

for (const [what, text, expected] of [
  ['moves of the cursor go', 'a\u001B[2J\u001B[1A\u001B[2Kb\u001B[?25l', 'ab'],
  ['titles and links go', '\u001B]0;title\u0007x\u001B]8;;http://e\u001B\\link', 'xlink'],
  [
    'what follows a title that does not end stays',
    '\u001B]0;rest of the line',
    '0;rest of the line',
  ],
  ['a carriage return is a sign, not a line end', 'safe\revil', 'safe␍evil'],
  ['so is every other line end', 'a\u2028b\u0085c\nd', 'a[U+2028]b[U+0085]c␊d'],
  ['what turns the text around is named', 'a\u202Egpj.exe', 'a[U+202E]gpj.exe'],
  ['what cannot be seen is named', 'a\u200Bb', 'a[U+200B]b'],
  ['tabs and all languages stay', 'Grüße\t世界 👨‍👩‍👧 שלום', 'Grüße\t世界 👨‍👩‍👧 שלום'],
] as const)
  test(what, () => assert.is(toVisibleLine(text), expected));

test('a hit is marked across colours, and its colours stay', () => {
  assert.equal(markSearchHits(splitColouredParts('to\u001B[31mda\u001B[0my, Today'), 'today'), [
    { text: 'to', look: '', hit: true },
    { text: 'da', look: 'ink-bad', hit: true },
    { text: 'y', look: '', hit: true },
    { text: ', ', look: '', hit: false },
    { text: 'Today', look: '', hit: true },
  ]);
});

test('hostile sequences are read in linear time', () => {
  const text = '\u001B['.repeat(50_000) + '\u001B]'.repeat(50_000) + '\u001B[3'.repeat(50_000);
  const start = process.cpuUsage();
  splitColouredParts(text);
  assert.ok(process.cpuUsage(start).user < 1_000_000);
});

test.run();
