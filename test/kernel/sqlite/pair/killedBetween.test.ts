import { DatabaseSync } from '@photostructure/sqlite';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CONNECTION, NEW_FILE } from '../../../../src/kernel/sqlite/openConnection.ts';
import { PairRecorder } from '../../../../src/kernel/sqlite/pair/pairRecorder.ts';
import { readDatabaseHead } from '../../../../src/kernel/sqlite/pair/readDatabaseHead.ts';
import { type Moment, readMoment, openPairFile, pairStage } from './pairStage.ts';

const test = suite('a kill between two steps');
const stage = pairStage();
const PAGE = 8_192;

/** The files after each step, and how many rows were acknowledged by then. */
interface Step {
  files: Moment;
  rows: number;
}

/** Follows what is done with a state: each statement of SQLite, each write of the manifest. */
class Life {
  readonly steps: Step[] = [];
  readonly #file: string;
  #rows: number;

  /** `rows`: acknowledged before. */
  constructor(file: string, rows = 0) {
    this.#file = file;
    this.#rows = rows;
  }

  /** One run, as `openConnection` and `Database` carry it out. */
  run(rounds: number): void {
    const stamp = readDatabaseHead(this.#file).head?.stamp ?? 0;
    const db = new DatabaseSync(this.#file);
    const { writeSync } = fs;
    this.#follow(db);
    fs.writeSync = this.#followed(writeSync);
    syncBuiltinESMExports();
    try {
      db.exec(
        `PRAGMA locking_mode = EXCLUSIVE; ${NEW_FILE}; ${CONNECTION}; BEGIN EXCLUSIVE; COMMIT`,
      );
      const recorder = new PairRecorder(db, this.#file);
      recorder.begin(stamp);
      db.exec('CREATE TABLE IF NOT EXISTS actors (id TEXT)');
      for (let round = 0; round < rounds; round += 1) {
        for (let n = 0; n < 3; n += 1) {
          db.exec(`INSERT INTO actors VALUES ('${'x'.repeat(9_000)}')`);
          recorder.noteCommit();
          this.#rows += 1;
        }
        if (round === 0) recorder.checkpoint();
        if (round === 1) recorder.emptyLog();
      }
      recorder.end();
      db.exec('PRAGMA journal_mode = DELETE');
      recorder.noteEnd();
      recorder.close();
      db.exec('PRAGMA locking_mode = NORMAL; BEGIN IMMEDIATE; COMMIT');
    } finally {
      fs.writeSync = writeSync;
      syncBuiltinESMExports();
      db.close();
    }
    this.#look();
  }

  #look(): void {
    this.steps.push({ files: readMoment(this.#file), rows: this.#rows });
  }

  #followed<Call extends (...values: never[]) => unknown>(call: Call): Call {
    const look = () => this.#look();
    return function (this: unknown, ...values: never[]) {
      const result = call.apply(this, values);
      look();
      return result;
    } as Call;
  }

  #follow(db: InstanceType<typeof DatabaseSync>): void {
    const exec = this.#followed(db.exec.bind(db));
    const prepare = db.prepare.bind(db);
    // Each statement of a text is a step of its own.
    const execEach = (text: string): void => {
      for (const sql of text.split(';')) exec(sql);
    };
    const prepareFollowed = (sql: string) => {
      const statement = prepare(sql);
      const get = this.#followed(statement.get.bind(statement));
      return Object.defineProperty(statement, 'get', { value: get });
    };
    Object.defineProperties(db, { exec: { value: execEach }, prepare: { value: prepareFollowed } });
  }
}

/** What a kill within a step may leave: a checkpoint that has written some pages, a log whose first bytes are new. */
function between(before: Moment, after: Moment): Moment[] {
  const [was, is] = [before[''], after['']];
  const [log, next] = [before['-wal'], after['-wal']];
  const moments: Moment[] = [];
  if (was && is && log && next && !was.equals(is))
    for (const pages of [1, Math.floor(is.length / PAGE / 2)]) {
      const mixed = Buffer.concat([is.subarray(0, pages * PAGE), was.subarray(pages * PAGE)]);
      moments.push({ ...before, '': mixed });
    }
  if (log && next && !log.subarray(0, 32).equals(next.subarray(0, 32))) {
    moments.push({ ...before, '-wal': Buffer.concat([next.subarray(0, 32), log.subarray(32)]) });
    moments.push({ ...before, '-wal': Buffer.concat([next.subarray(0, 56), log.subarray(56)]) });
  }
  return moments;
}

function answers(steps: readonly Step[]): { tried: number; wrong: string[] } {
  const wrong: string[] = [];
  let tried = 0;
  for (const [index, { files, rows }] of steps.entries()) {
    const before = steps[index - 1];
    const all = [files, ...(before ? between(before.files, files) : [])];
    for (const moment of all) {
      tried += 1;
      const result = openPairFile(stage.home(moment));
      // Acknowledged are those whose call had returned one step before.
      const isRight =
        typeof result === 'number'
          ? result >= (before?.rows ?? 0)
          : /no such table/.test(result) && rows === 0;
      if (!isRight) wrong.push(`step ${index}: ${result}, acknowledged ${rows}`);
    }
  }
  return { tried, wrong };
}

test('in two runs with checkpoints: each moment starts with all that was acknowledged', () => {
  const life = new Life(stage.home({}));
  life.run(3);
  life.run(2);
  const { tried, wrong } = answers(life.steps);
  assert.equal(wrong, []);
  assert.ok(tried > 50, `${tried} moments`);
});

test('in the first start of a state of release 0.2 that was killed', () => {
  const file = join(stage.folder(), 'state.db');
  const old = new DatabaseSync(file);
  old.exec(
    `PRAGMA page_size = ${PAGE}; PRAGMA journal_mode = WAL; CREATE TABLE actors (id TEXT); INSERT INTO actors VALUES ('a'), ('b')`,
  );
  const life = new Life(stage.home(readMoment(file)), 2);
  old.close();
  life.run(1);
  const { tried, wrong } = answers(life.steps);
  assert.equal(wrong, []);
  assert.ok(tried > 10, `${tried} moments`);
});

test('in a start that continues a log: each moment has all of it', () => {
  const file = stage.home({});
  const first = new Life(file);
  first.run(2);
  const killed = first.steps.findLast(
    ({ files }) => files['-wal'] !== undefined && files['-wal'].length > 50_000,
  );
  const life = new Life(stage.home(killed?.files ?? {}), killed?.rows);
  life.run(2);
  const { wrong } = answers(life.steps);
  assert.equal(wrong, []);
});

test.after(() => stage.remove());
test.run();
