import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildCorrectivePrompt } from '../../../../machines/job/rules/completionGate.ts';
import {
  buildCodingPreflight,
  describeGatePrs,
  type Kickoff,
  selectPrsToAsk,
  type SeenPr,
} from '../../../../machines/job/rules/prNotes.ts';
import { item } from '../../../support/charts/jobSteps.ts';

const test = suite('notes on pull requests');

const createSeenEvent = (
  number: number,
  state: SeenPr['state'] = 'open',
  more: Partial<SeenPr> = {},
): SeenPr => ({
  prId: `github:acme/shop#${number}`,
  workItem: 'a',
  state,
  asked: true,
  ...more,
});

const items = [
  { ...item('a', 'in-progress'), prIds: ['github:acme/shop#9'] },
  item('b'),
  item('c', 'complete'),
];
const coding: Kickoff = { status: 'coding', session: 1, prompt: null, items, currentItem: 'a' };
const ADVICE =
  'Continue on the branch of the open one and answer its reviews; open another one only for changes that do not belong there.';

test('the coding phase of a work item with open pull requests begins with a warning that names them (JOB-14)', () => {
  const table: [string, Kickoff, SeenPr[], string | null][] = [
    [
      'one open, one merged',
      coding,
      [createSeenEvent(1), createSeenEvent(2, 'merged')],
      `[coding-preflight] The current work item a already has an open pull request: github:acme/shop#1. Merged: github:acme/shop#2. ${ADVICE} The forge was asked just now.`,
    ],
    [
      'two, one of them only named by the work item',
      coding,
      [createSeenEvent(1), createSeenEvent(9, 'open', { workItem: null })],
      `[coding-preflight] The current work item a already has 2 open pull requests: github:acme/shop#1, github:acme/shop#9. ${ADVICE} The forge was asked just now.`,
    ],
    [
      'the forge is silent',
      coding,
      [createSeenEvent(1, 'open', { asked: false })],
      `[coding-preflight] The current work item a already has an open pull request: github:acme/shop#1. ${ADVICE} The forge did not answer: these states are the last known ones and may be out of date.`,
    ],
    [
      'one of two answers',
      coding,
      [createSeenEvent(1), createSeenEvent(2, 'open', { asked: false })],
      `[coding-preflight] The current work item a already has 2 open pull requests: github:acme/shop#1, github:acme/shop#2. ${ADVICE} The forge did not answer: the states of github:acme/shop#2 are the last known ones and may be out of date.`,
    ],
    [
      'all are merged or closed',
      coding,
      [createSeenEvent(1, 'merged'), createSeenEvent(2, 'closed')],
      null,
    ],
    ['of another work item', coding, [createSeenEvent(1, 'open', { workItem: 'b' })], null],
    ['no work item is in progress', { ...coding, currentItem: null }, [createSeenEvent(1)], null],
    ['another phase', { ...coding, status: 'testing' }, [createSeenEvent(1)], null],
    ['a later session of the same visit', { ...coding, session: 2 }, [createSeenEvent(1)], null],
  ];
  for (const [what, kickoff, prs, expected] of table)
    assert.is(buildCodingPreflight(kickoff, prs), expected, what);
});

test('the corrective prompt is followed by the states of now, for the items that block (JOB-7)', () => {
  const prompt = buildCorrectivePrompt(items, [], 1, 5);
  const gate: Kickoff = { ...coding, status: 'reporting', prompt };
  const states = describeGatePrs(gate, [
    createSeenEvent(1, 'merged'),
    createSeenEvent(2),
    createSeenEvent(3, 'closed', { workItem: 'b' }),
    createSeenEvent(4, 'open', { workItem: 'c' }),
  ]);
  assert.is(
    states,
    `Pull requests of these items as they are now:
- a: open: github:acme/shop#2; merged: github:acme/shop#1; closed without a merge: none
- b: open: none; merged: none; closed without a merge: github:acme/shop#3
The forge was asked just now.`,
  );
  assert.is(
    describeGatePrs({ ...gate, prompt: 'Close a.' }, [createSeenEvent(1)]),
    null,
    'another prompt',
  );
  assert.is(describeGatePrs(gate, []), null, 'no pull requests');
});

test('only those pull requests are asked for that a kickoff speaks of', () => {
  const prs = [
    createSeenEvent(1),
    createSeenEvent(2, 'open', { workItem: 'b' }),
    createSeenEvent(3, 'open', { workItem: 'c' }),
  ];
  const listPrsToAsk = (kickoff: Partial<Kickoff>) =>
    selectPrsToAsk({ ...coding, ...kickoff }, prs).map(({ prId }) => prId.slice(-1));
  assert.equal(listPrsToAsk({}), ['1']);
  assert.equal(listPrsToAsk({ status: 'testing' }), []);
  assert.equal(
    listPrsToAsk({ status: 'reporting', prompt: buildCorrectivePrompt(items, [], 1, 5) }),
    ['1', '2'],
  );
});

test.run();
