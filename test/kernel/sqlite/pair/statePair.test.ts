import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countStampsSince } from '../../../../src/kernel/sqlite/pair/pairManifest.ts';
import { hashes, JOBS, type Moment, openPairFile, pairStage } from './pairStage.ts';

const test = suite('state.db and its log belong together');
const stage = pairStage();
const ours = stage.life();
/** Stamps begin at random: two homes in a hundred thousand look like one. */
function otherLife(): typeof ours {
  const candidate = stage.life();
  const [a, b] = [ours, candidate].map(({ stopped }) => stopped['']?.readUInt32BE(68) ?? 0);
  return countStampsSince(a ?? 0, b ?? 0) === null ? candidate : otherLife();
}
const other = otherLife();

const NOTHING = Buffer.alloc(0);
const half = (content: Buffer | undefined): Buffer | undefined =>
  content?.subarray(0, Math.floor(content.length / 2));
const LOG = ours.killed['-wal'];

const databases = (now: Moment, others: Moment) => ({
  whole: now[''],
  gone: undefined,
  empty: NOTHING,
  cut: half(now['']),
  other: others[''],
  'after an earlier stop': ours.firstStop[''],
  'of an earlier moment': ours.beforeCopy[''],
});

const logs = (now: Moment) => ({
  whole: now['-wal'],
  gone: undefined,
  empty: NOTHING,
  cut: half(LOG),
  other: other.killed['-wal'],
  'of an earlier run': ours.firstRun['-wal'],
  'before it began again': ours.beforeCopy['-wal'],
  'with fewer commits': ours.afterCopy['-wal'],
});

type LogName = keyof ReturnType<typeof logs>;
type DatabaseName = keyof ReturnType<typeof databases>;
type Row = Record<LogName, number | string>;

const row = (all: number | string, some: Partial<Row> = {}): Row => ({
  whole: all,
  gone: all,
  empty: all,
  cut: all,
  other: all,
  'of an earlier run': all,
  'before it began again': all,
  'with fewer commits': all,
  ...some,
});

/** After a clean stop no log exists: `whole` is none. */
const noLog = (answer: number | string): Partial<Row> => ({
  whole: answer,
  gone: answer,
  empty: answer,
});

const AFTER_A_STOP: Record<DatabaseName, Row> = {
  whole: row('log-foreign', noLog(JOBS)),
  gone: row('database-gone'),
  empty: row('database-gone'),
  cut: row('log-foreign', noLog('database-cut')),
  other: row('database-foreign'),
  'after an earlier stop': row('database-earlier'),
  'of an earlier moment': row('database-earlier'),
};

const LOG_AFTER_A_KILL: Partial<Row> = {
  gone: 'log-gone',
  empty: 'log-gone',
  cut: 'log-cut',
  'with fewer commits': 'log-cut',
};

const AFTER_A_KILL: Record<DatabaseName, Row> = {
  whole: row('log-foreign', { ...LOG_AFTER_A_KILL, whole: JOBS }),
  gone: row('database-gone'),
  empty: row('database-gone'),
  cut: row('log-foreign', { ...LOG_AFTER_A_KILL, whole: 'database-cut' }),
  other: row('database-foreign'),
  'after an earlier stop': row('database-earlier'),
  'of an earlier moment': row('database-earlier'),
};

const TABLE = [
  { when: 'a clean stop', now: ours.stopped, others: other.stopped, expected: AFTER_A_STOP },
  { when: 'a kill', now: ours.killed, others: other.killed, expected: AFTER_A_KILL },
];

const listKeys = <Key extends string>(values: Record<Key, unknown>): Key[] =>
  Object.keys(values) as Key[];

/** Puts the files into a home and opens it; a refusal that changes a byte is reported as that. */
function answer(files: Moment, manifest: Buffer | undefined): number | string {
  const file = stage.home(files, manifest);
  const before = hashes(file);
  const result = openPairFile(file);
  const isChanged = JSON.stringify(hashes(file)) !== JSON.stringify(before);
  return typeof result === 'string' && isChanged ? `${result}, and files were changed` : result;
}

for (const { when, now, others, expected } of TABLE)
  for (const database of listKeys(expected))
    test(`after ${when}, with a state.db that is ${database}: each log starts with all jobs, or is refused without a change`, () => {
      const results = { ...expected[database] };
      for (const log of listKeys(results))
        results[log] = answer(
          {
            '': databases(now, others)[database],
            '-wal': logs(now)[log],
            '-manifest': now['-manifest'],
          },
          now['-manifest'],
        );
      assert.equal(results, expected[database]);
    });

const MANIFESTS: Record<string, Buffer | undefined> = {
  missing: undefined,
  empty: NOTHING,
  'no manifest': Buffer.from('{"stamps":[1]}'),
  'of another home': other.killed['-manifest'],
  'of an earlier time': ours.firstStop['-manifest'],
};

for (const [name, manifest] of Object.entries(MANIFESTS))
  for (const { when, now } of TABLE) {
    test(`a whole state starts after ${when} with a manifest that is ${name}`, () => {
      assert.is(answer({ ...now, '-manifest': manifest }, now['-manifest']), JOBS);
    });

    test(`a manifest that is ${name} after ${when} lets no pair pass that does not fit`, () => {
      const files = { ...now, '-manifest': manifest };
      const id = now['-manifest'];
      const results = {
        'database gone': answer({ ...files, '': undefined }, id),
        'database empty': answer({ ...files, '': NOTHING }, id),
        'database cut': answer({ ...files, '': half(files['']) }, id),
        'log of another home': answer({ ...files, '-wal': other.killed['-wal'] }, id),
        'log of an earlier run': answer({ ...files, '-wal': ours.firstRun['-wal'] }, id),
      };
      assert.equal(results, {
        'database gone': 'database-gone',
        'database empty': 'database-gone',
        'database cut': 'database-cut',
        'log of another home': 'log-foreign',
        'log of an earlier run': 'log-foreign',
      });
      if (when === 'a kill') {
        assert.is(answer({ ...files, '-wal': undefined }, id), 'log-gone');
        assert.is(
          answer({ ...files, '': other.killed[''] }, id),
          name === 'of an earlier time' || name === 'of another home'
            ? 'database-foreign'
            : 'log-foreign',
        );
      }
    });
  }

for (const { when, now } of TABLE)
  test(`state.db and manifest of another home are refused after ${when}, with and without a log`, () => {
    const theirs = { ...now, '': other.killed[''], '-manifest': other.killed['-manifest'] };
    const id = now['-manifest'];
    assert.equal(
      [answer(theirs, id), answer({ ...theirs, '-wal': undefined }, id)],
      ['database-foreign', 'database-foreign'],
    );
  });

test('a journal of another state is not played back', () => {
  const journal = Buffer.alloc(512 + 4 + 8_192 + 4);
  Buffer.from([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]).copy(journal);
  journal.writeUInt32BE(1, 8);
  journal.writeUInt32BE(512, 20);
  journal.writeUInt32BE(8_192, 24);
  for (const { now } of TABLE) {
    assert.is(answer({ ...now, '-journal': journal }, now['-manifest']), 'journal-foreign');
    const whole = Buffer.from(journal);
    whole.writeUInt32BE((now['']?.length ?? 0) / 8_192, 16);
    whole.writeUInt32BE(1, 512);
    other.killed['']?.copy(whole, 516, 0, 8_192);
    assert.is(answer({ ...now, '-journal': whole }, now['-manifest']), 'journal-foreign');
  }
});

test('an index of the log that is of another state is made again', () => {
  const index = Buffer.alloc(32_768, 7);
  for (const { now } of TABLE) assert.is(answer({ ...now, '-shm': index }, now['-manifest']), JOBS);
});

test('a state of release 0.2, which has no stamp, starts after a stop and a kill, and has its manifest then', () => {
  const legacy = (content: Buffer | undefined): Buffer => {
    const copy = Buffer.from(content ?? NOTHING);
    copy.writeUInt32BE(0, 68);
    return copy;
  };
  const file = stage.home({ '': legacy(ours.stopped['']) });
  assert.is(openPairFile(file), JOBS);
  assert.type(hashes(file)['state.db-manifest'], 'string');
});

test.after(() => stage.remove());
test.run();
