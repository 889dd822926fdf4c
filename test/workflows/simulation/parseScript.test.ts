import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { ProviderEventKind } from '../../../src/contract/schema/forge/pr.ts';
import { ACT_NAMES } from '../../../src/workflows/simulation/parseAct.ts';
import { parseScript } from '../../../src/workflows/simulation/parseScript.ts';

const test = suite('script of a simulation');

const mistakes = (text: string): string[] => {
  try {
    parseScript(text, 'e.yml');
    return [];
  } catch (error) {
    assert.ok(error instanceof SvcError && error.code === 'invalid', String(error));
    return error.errors.map(({ pointer, message }) => `${pointer} ${message}`);
  }
};

test('every word of a script, with its place', () => {
  const item = { loopCount: 0, prIds: [] };
  const acts: [text: string, act: unknown][] = [
    ['approve', { do: 'approve' }],
    ['{ reject: true }', { do: 'reject' }],
    ['message: Hello', { do: 'message', text: 'Hello' }],
    ['rerun: coding', { do: 'rerun', phase: 'coding' }],
    ['event: changes_requested', { do: 'event', kind: 'changes_requested' }],
    ['plan: P', { do: 'plan', text: 'P' }],
    [
      'work-items: [a, { id: b, title: B, status: complete }]',
      {
        do: 'work-items',
        items: [
          { id: 'a', title: 'a', status: 'pending', ...item },
          { id: 'b', title: 'B', status: 'complete', ...item },
        ],
      },
    ],
    ['item: { id: a, status: escalated }', { do: 'item', id: 'a', status: 'escalated' }],
    ['open-pr', { do: 'open-pr', title: 'The change' }],
    ['await', { do: 'await', kinds: null, resumePhase: null }],
    ['await: merged', { do: 'await', kinds: ['merged'], resumePhase: null }],
    [
      'await: { kinds: [merged, closed], resumePhase: a }',
      { do: 'await', kinds: ['merged', 'closed'], resumePhase: 'a' },
    ],
    ['goto: coding', { do: 'goto', phase: 'coding' }],
    ['escalate: Help', { do: 'escalate', text: 'Help' }],
    ['new-session', { do: 'new-session' }],
    ['sub-runs: [a, b]', { do: 'sub-runs', names: ['a', 'b'] }],
    ['sub-run: { name: a, outcome: failed }', { do: 'sub-run', name: 'a', outcome: 'failed' }],
    ['end', { do: 'end', reason: 'end_turn' }],
    ['end: limit', { do: 'end', reason: 'limit' }],
    ['wait: 90s', { do: 'wait', ms: 90_000 }],
    ['expect: { phase: a, status: b }', { do: 'expect', phase: 'a', status: 'b' }],
  ];
  for (const [text, act] of acts) {
    assert.equal(
      parseScript(`# first\n- ${text}\n`, 'e.yml').map((step) => step.act),
      [act],
      text,
    );
  }
  assert.equal(parseScript('- in: coding\n  message: Hi\n  after: 2h\n- approve', 'e.yml'), [
    { line: 2, column: 3, in: 'coding', after: 7_200_000, act: { do: 'message', text: 'Hi' } },
    { line: 4, column: 3, in: null, after: 0, act: { do: 'approve' } },
  ]);
  assert.equal(parseScript('', 'e.yml'), []);
});

test('every mistake at once, each with its place and a suggestion', () => {
  assert.equal(
    mistakes(
      '- aprove\n- goto: 7\n- event: merge\n- wait: long\n- message: x\n  after: soon\n- 3\n- cancel: no',
    ),
    [
      'e.yml:1:3 Unknown step aprove. Did you mean approve?',
      'e.yml:2:9 goto must be the name of a phase.',
      `e.yml:3:10 event must be one of ${ProviderEventKind.anyOf.map((kind) => kind.const).join(', ')}.`,
      'e.yml:4:9 wait must be a duration such as 90s, 30m, 2h or 1d.',
      'e.yml:6:10 after must be a duration such as 90s, 30m, 2h or 1d.',
      `e.yml:7:3 Unknown step 3. Known: ${ACT_NAMES.join(', ')}.`,
      'e.yml:8:11 cancel must be nothing, or true.',
    ],
  );
});

test('input that is not a list of steps', () => {
  assert.equal(mistakes('approve: true'), [
    'e.yml:1:1 A script is a list of steps, each beginning with "- ".',
  ]);
  assert.equal(mistakes('- { approve: true, cancel: true }'), [
    'e.yml:1:3 A step is one act, optionally with in, after and refused-by.',
  ]);
  assert.equal(mistakes('- { in: coding }'), [
    'e.yml:1:3 A step is one act, optionally with in, after and refused-by.',
  ]);
  assert.is(mistakes('- [1\n').length, 1);
  assert.is(mistakes(`- message: ${'x'.repeat(300_000)}`).length, 1);
});

test.run();
