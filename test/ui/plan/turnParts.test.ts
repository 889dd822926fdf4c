import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { IntakeFrame } from '../../../src/contract/schema/planning/intakeFrames.ts';
import { createEmptyTurn, type ShownTurn, TurnReader } from '../../../ui/plan/turnParts.ts';

const test = suite('what is shown of a turn');

const read = (...frames: IntakeFrame[]): ShownTurn => {
  const reader = new TurnReader(createEmptyTurn(1, 'Why?', 'running'));
  for (const frame of frames) reader.take(frame);
  return reader.turn;
};
const token = (text: string): IntakeFrame => ({ type: 'token', text });
const start = (n: number): IntakeFrame => ({
  type: 'tool_start',
  id: `c${n}`,
  name: 'scm_read_file',
  target: `src/${n}.ts`,
  n,
  round: 1,
});
const end = (n: number): IntakeFrame => ({
  type: 'tool_end',
  id: `c${n}`,
  name: 'scm_read_file',
  target: `src/${n}.ts`,
  n,
  round: 1,
  ok: true,
  ms: 3,
  evidence: `E${n}`,
  trust: 'outside',
  chars: 40,
});
const DONE: IntakeFrame = {
  type: 'done',
  state: 'done',
  rounds: 1,
  fallback: false,
  pinned: null,
};
const shape = ({ parts }: ShownTurn): string[] =>
  parts.map((part) => (part.kind === 'lookup' ? part.lookup.target : `${part.kind} ${part.text}`));

test('texts, thinking and look-ups are shown in the order in which they came', () => {
  const turn = read(
    { type: 'thinking', text: 'Hm' },
    { type: 'thinking', text: 'm.' },
    token('I lo'),
    token('ok.\n\n'),
    start(1),
    end(1),
    token('Found.'),
    DONE,
  );
  assert.equal(shape(turn), ['thinking Hmm.', 'text I look.\n\n', 'src/1.ts', 'text Found.']);
});

test('a look-up that has ended says how', () => {
  const [part] = read(start(1), end(1)).parts;
  assert.equal(part?.kind === 'lookup' && part.lookup.end, {
    ok: true,
    ms: 3,
    evidence: 'E1',
    trust: 'outside',
    chars: 40,
  });
});

test('hidden blocks are no text, however they are cut', () => {
  const turn = read(token('Done.\n<read'), token('iness>{}</readiness>\n'), DONE);
  assert.equal(shape(turn), ['text Done.\n']);
});

test('findings are shown while they are written', () => {
  assert.is(read(token('<findings>\n# What')).writing, '# What');
});

test('a block that begins after a look-up is found: the runner has ended the line before it', () => {
  const turn = read(token('I look.\n\n'), start(1), end(1), token('<findings>a</findings>'), DONE);
  assert.equal(shape(turn), ['text I look.\n\n', 'src/1.ts']);
});

test('what comes again replaces the text since the last look-up', () => {
  const turn = read(
    token('First.\n\n'),
    start(1),
    end(1),
    token('Half an ans'),
    { type: 'again' },
    token('The answer.'),
    DONE,
  );
  assert.equal(shape(turn), ['text First.\n\n', 'src/1.ts', 'text The answer.']);
});

test('a block that was open when the answer began again is not shown twice', () => {
  const turn = read(
    token('A\n<findings>\nhalf'),
    { type: 'again' },
    token('A\n<findings>\nall\n</findings>\nB'),
    DONE,
  );
  assert.equal(shape(turn), ['text A\nB']);
});

test('a failed turn keeps what came', () => {
  const turn = read(token('Half'), { type: 'error', message: 'Overloaded', reason: 'quota' });
  assert.equal(shape(turn), ['text Half']);
  assert.is(turn.state, 'failed');
  assert.is(turn.error, 'Overloaded');
  assert.is(turn.reason, 'quota');
});

test.run();
