import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  chooseLastLines,
  MAX_OUTPUT_LINE_CHARS,
} from '../../../../src/base/output/chooseLastLines.ts';
import type { RowChange } from '../../../../src/contract/records/changes.ts';
import type { Tables } from '../../../../src/contract/records/tables.ts';
import type { Parked } from '../../../../src/contract/schema/job/job.ts';
import { LastOutputs } from '../../../../src/jobs/views/history/lastOutputs.ts';
import { openStore } from '../../../../src/jobs/store/openStore.ts';

const test = suite('views: what an agent wrote last before something failed');

const JOB = { id: 'j', status: 'failed', ended: true, parked: null };
const REF = { jobId: 'j', phase: 'coding', visit: 2, session: 1 };

interface Logged {
  line: string;
  from?: 'agent' | 'runner' | 'tool';
  tag?: string | null;
  visit?: number;
}

const visitRow = (visit: number): Tables['phase_visits'] => ({
  job_id: 'j',
  visit,
  phase: 'coding',
  status: 'coding',
  started_at: 0,
  ended_at: null,
  sessions: 1,
  overlay_hash: null,
  outcome: null,
  approved_by: null,
  approved_person: null,
});

/** A job at its second visit with this log. */
function stage(...lines: Logged[]) {
  const store = openStore({ file: ':memory:', pid: 1, now: 0 });
  const generation = store.durable.claim();
  const empty = { actors: [], journal: [], outboxPut: [], outboxDone: [], timersSet: [] };
  const rest = { timersDrop: [], inbox: [], mailPut: [], mailDone: [] };
  const write = (rows: RowChange[], frames: readonly Logged[] = []) =>
    void store.durable.commit({
      ...empty,
      ...rest,
      generation,
      rows,
      frames: frames.map((logged, index) => ({
        actor: 'j',
        n: index + 1,
        at: 0,
        kind: 'log',
        data: {
          at: '2026-01-01T00:00:00.000Z',
          phase: 'coding',
          visit: 2,
          from: 'agent',
          tag: null,
          ...logged,
        },
      })),
    });
  write(
    [1, 2].map((visit) => ({ op: 'put', table: 'phase_visits', row: visitRow(visit) })),
    lines,
  );
  const outputs = new LastOutputs({
    rows: store.rows,
    frames: store.frames,
    readLastFrame: () => lines.length,
  });
  return { outputs, write, close: () => store.close() };
}

const numberLines = (...lines: string[]) =>
  lines.map((line, index) => ({ number: index + 1, from: 'agent', tag: null, line }));
const texts = (lines: readonly { text: string }[]) => lines.map(({ text }) => text);

test('the last five lines, whichever stream they came from, with the first error marked (JOB-5)', () => {
  const lines = chooseLastLines(
    numberLines('a', 'b', 'c', 'Error: no server', 'at x', 'at y', 'z'),
  );
  assert.equal(lines, [
    { number: 3, text: 'c' },
    { number: 4, text: 'Error: no server', isError: true },
    { number: 5, text: 'at x' },
    { number: 6, text: 'at y' },
    { number: 7, text: 'z' },
  ]);
});

test('the row of a job has the newest line of output, without colours and what was overwritten (UI-1)', () => {
  const { outputs, close } = stage(
    { line: 'first' },
    { line: 'at 10 %\r\u001B[32mat 90 %\u001B[0m' },
    { line: 'what now?', tag: 'thinking' },
    { line: 'The phase begins.', from: 'runner' },
  );
  assert.is(outputs.readLastLine('j')?.line, 'at 90 %');
  close();
});

test('a job without output has no such line', () => {
  const { outputs, close } = stage({ line: 'The phase begins.', from: 'runner' });
  assert.is(outputs.readLastLine('j'), null);
  close();
});

test('an error further up is shown before them; one of long ago is not', () => {
  const stack = Array.from({ length: 9 }, (_, n) => `    at f${n} (x.js:${n})`);
  const near = chooseLastLines(numberLines('TypeError: x is not a function', ...stack));
  assert.equal(texts(near), ['TypeError: x is not a function', ...texts(near).slice(1)]);
  assert.is(near.length, 6);
  assert.equal([near[0]?.number, near[1]?.number], [1, 6]);
  const far = Array.from({ length: 60 }, (_, n) => `step ${n}`);
  assert.is(chooseLastLines(numberLines('error: of another test', ...far)).length, 5);
});

test("empty lines, the runner's notes and thoughts are no output", () => {
  const lines = chooseLastLines([
    { number: 1, from: 'agent', tag: null, line: 'done nothing' },
    { number: 2, from: 'agent', tag: 'thinking', line: 'error? I think so' },
    { number: 3, from: 'runner', tag: 'control', line: 'The session was ended.' },
    { number: 4, from: 'agent', tag: null, line: '   ' },
    { number: 5, from: 'agent', tag: 'tool', line: 'bash failed: exit 1' },
  ]);
  assert.equal(texts(lines), ['done nothing', 'bash failed: exit 1']);
});

test('a huge line is cut between characters; of a progress line the last state is shown', () => {
  const [huge, progress] = chooseLastLines(
    numberLines(
      `${'x'.repeat(MAX_OUTPUT_LINE_CHARS - 2)}😀${'y'.repeat(9_000)}`,
      '1 %\r50 %\r99 %\r',
    ),
  );
  assert.is(huge?.text, `${'x'.repeat(MAX_OUTPUT_LINE_CHARS - 2)}…`);
  assert.is(progress?.text, '99 %');
});

test('a failed session keeps its own lines alone, without colours', () => {
  const { outputs, close } = stage(
    { line: 'of the session before' },
    { line: '\u001B[31mboom\u001B[0m' },
  );
  assert.equal(outputs.changesAtEnd(REF, { stopReason: 'error', exitCode: 1 }, 1), [
    {
      op: 'put',
      table: 'failed_outputs',
      row: {
        job_id: 'j',
        visit: 2,
        session: 1,
        phase: 'coding',
        lines: JSON.stringify([{ number: 2, text: 'boom' }]),
        exit_code: 1,
      },
    },
  ]);
  close();
});

test('one that ends otherwise removes those of the session before it', () => {
  const { outputs, close } = stage({ line: 'all good' });
  const drop = { op: 'drop', table: 'failed_outputs', key: { job_id: 'j', visit: 2 } };
  assert.equal(outputs.changesAtEnd(REF, { stopReason: 'end_turn' }, 0), []);
  assert.equal(outputs.changesAtEnd({ ...REF, session: 2 }, { stopReason: 'end_turn' }, 0), [drop]);
  assert.equal(outputs.changesAtEnd({ ...REF, session: 2 }, { stopReason: 'quota' }, 0), [drop]);
  close();
});

test('they outlive the log', () => {
  const { outputs, write, close } = stage();
  const lines = JSON.stringify([{ number: 7310, text: 'boom', isError: true }]);
  const row = { job_id: 'j', visit: 2, session: 1, phase: 'coding', lines, exit_code: 3 };
  write([{ op: 'put', table: 'failed_outputs', row }]);
  const lastOutput = {
    phase: 'coding',
    visit: 2,
    lines: [{ number: 7310, text: 'boom', isError: true as const }],
    exitCode: 3,
  };
  assert.equal(outputs.ofJob(JOB), lastOutput);
  assert.equal(outputs.listByVisit('j'), new Map([[2, lastOutput]]));
  close();
});

test('a job that failed without a failed session has the last lines of its log', () => {
  const { outputs, close } = stage({ line: 'earlier', visit: 1 }, { line: 'I have no idea.' });
  assert.equal(outputs.ofJob(JOB)?.lines, [{ number: 2, text: 'I have no idea.' }]);
  assert.equal(outputs.ofJob({ ...JOB, status: 'escalated' })?.lines.length, 1);
  close();
});

test('a job that did not fail has none; one that waits has those of its failed session', () => {
  const { outputs, write, close } = stage({ line: 'working' });
  const parked: Parked = { kind: 'developer', since: '2026-01-01T00:00:00.000Z', reason: 'stuck' };
  const waits = { ...JOB, status: 'coding', ended: false, parked };
  assert.is(outputs.ofJob({ ...JOB, status: 'complete' }), null);
  assert.is(outputs.ofJob({ ...waits, parked: null }), null);
  assert.is(outputs.ofJob(waits), null, 'a question is no failure');
  const lines = JSON.stringify([{ number: 1, text: 'working' }]);
  const row = { job_id: 'j', visit: 2, session: 1, phase: 'coding', lines, exit_code: 3 };
  write([{ op: 'put', table: 'failed_outputs', row }]);
  assert.equal(texts(outputs.ofJob(waits)?.lines ?? []), ['working']);
  assert.is(outputs.ofJob({ ...waits, parked: { ...parked, kind: 'approval' } }), null);
  close();
});

test.run();
