import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EvidenceItem } from '../../../src/intake/evidence/evidenceItem.ts';
import { buildReplay } from '../../../src/intake/evidence/buildReplay.ts';
import { makeRoom, type Room } from '../../../src/intake/history/makeRoom.ts';
import {
  buildChatEntries,
  type History,
  openTurns,
  type SettledTurn,
} from '../../../src/intake/history/settledTurn.ts';

const test = suite('a conversation that has to fit');

const createEvidence = (n: number, chars: number): EvidenceItem => ({
  n,
  tool: 'scm_search_code',
  target: `“word ${n}”`,
  ok: true,
  repo: 'acme/shop',
  commit: 'a'.repeat(40),
  path: null,
  fromLine: null,
  toLine: null,
  sha256: `sha-${n}`,
  trust: 'own',
  text: 'x'.repeat(chars),
});

const turn = (n: number, answerChars: number, evidenceChars: number): SettledTurn => ({
  n,
  message: `Question ${n}`,
  answer: `Answer ${n} about src/a${n}.ts:1\n${'y'.repeat(answerChars)}`,
  replay:
    evidenceChars === 0 ? null : buildReplay([createEvidence(n, evidenceChars)], 'k', new Map()),
  broken: false,
});

const history = (turns: number, answerChars: number, evidenceChars = 0): History => ({
  summary: null,
  foldedTo: 0,
  turns: Array.from({ length: turns }, (_, index) => turn(index + 1, answerChars, evidenceChars)),
});

const room = (more: Partial<Room> = {}): Room => ({
  windowTokens: 40_000,
  tokensPerChar: 0.25,
  beside: 1_000,
  cited: new Set(),
  ...more,
});

const chars = (of: History): number =>
  buildChatEntries(of).reduce((sum, { text }) => sum + text.length, 0);

test('a short one stays as it is', () => {
  const short = history(3, 100, 100);
  assert.equal(makeRoom(short, room()).history, short);
});

test('nothing is freed of a short one', () => {
  assert.is(makeRoom(history(3, 100, 100), room()).freed, 0);
});

test('evidence over its own bound folds though the window has room', () => {
  const { history: shorter } = makeRoom(history(4, 10, 12_000), room());
  assert.is(shorter.turns[0]?.replay?.includes('folded='), true);
});

test('evidence folds before turns do', () => {
  const { history: shorter } = makeRoom(history(8, 5_000, 7_000), room());
  assert.is(shorter.foldedTo, 0);
});

test('where that is not enough the oldest turns become a summary', () => {
  const { history: shorter } = makeRoom(history(12, 9_000), room());
  assert.ok(shorter.foldedTo > 0);
});

test('the newest four turns are never folded', () => {
  const { history: shorter } = makeRoom(history(12, 30_000), room());
  assert.equal(
    openTurns(shorter).map(({ n }) => n),
    [9, 10, 11, 12],
  );
});

test('a folded conversation fills at most 40 % of the window', () => {
  const { history: shorter } = makeRoom(history(12, 9_000), room());
  assert.ok((chars(shorter) + 1_000) * 0.25 <= 16_000);
});

test('the summary keeps which places a turn cited', () => {
  const { history: shorter } = makeRoom(history(12, 9_000), room());
  assert.match(shorter.summary ?? '', 'Places: src/a1.ts:1');
});

test('the summary keeps what the developer asked', () => {
  const { history: shorter } = makeRoom(history(12, 9_000), room());
  assert.match(shorter.summary ?? '', 'The developer: Question 1');
});

test('a later fold adds to the summary', () => {
  const first = makeRoom(history(12, 9_000), room()).history;
  const more = [13, 14, 15, 16, 17, 18].map((n) => turn(n, 9_000, 0));
  const second = makeRoom({ ...first, turns: [...first.turns, ...more] }, room()).history;
  assert.match(second.summary ?? '', 'Turn 1.');
});

test('what was freed is a share of the request', () => {
  const long = history(12, 9_000);
  const { history: shorter, freed } = makeRoom(long, room());
  assert.is(freed, 1 - (chars(shorter) + 1_000) / (chars(long) + 1_000));
});

test('equal conversations are sent as equal bytes', () => {
  const long = history(12, 9_000, 8_000);
  const copy = JSON.parse(JSON.stringify(long)) as History;
  assert.equal(
    buildChatEntries(makeRoom(long, room()).history),
    buildChatEntries(makeRoom(copy, room()).history),
  );
});

test('an answer that broke off is marked', () => {
  const broken = { ...turn(1, 10, 0), broken: true };
  const [, answer] = buildChatEntries({ summary: null, foldedTo: 0, turns: [broken] });
  assert.match(answer?.text ?? '', '[This answer broke off here.]');
});

test('forty turns of large evidence stay below 60 % of the window', () => {
  let growing: History = { summary: null, foldedTo: 0, turns: [] };
  let worst = 0;
  for (let n = 1; n <= 40; n += 1) {
    growing = makeRoom(growing, room({ windowTokens: 200_000, tokensPerChar: 0.3 })).history;
    worst = Math.max(worst, (chars(growing) + 1_000) * 0.3);
    const looks = Array.from({ length: 25 }, (_, index) => createEvidence(n * 100 + index, 60_000));
    const replay = buildReplay(looks, 'k', new Map());
    growing = { ...growing, turns: [...growing.turns, { ...turn(n, 4_000, 0), replay }] };
  }
  assert.ok(worst <= 120_000);
});

test.run();
