import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RetentionReader } from '../../../src/jobs/store/queries/retentionReader.ts';
import { listQueryPlans, migrated } from '../../support/askedStatements.ts';

const test = suite('store: what ended jobs occupy, beside a million that are parked');

/** One actor of each chart and activity, named `<chart> <activity>`. */
function withActors() {
  const db = migrated();
  for (const chart of ['job', 'quota'])
    for (const activity of ['live', 'parked', 'ended'])
      db.run(
        `INSERT INTO actors (id, chart, version, snapshot, generation, seq, frame_seq, label, kind, slot, activity, created_at, updated_at, since)
         VALUES (?, ?, 1, '{}', 1, 1, 1, '', '', 0, ?, 1, 1, 1)`,
        `${chart} ${activity}`,
        chart,
        activity,
      );
  return db;
}

/** How the rows of actors are found by what a reader asks for. */
const waysToActors = (act: (reader: RetentionReader) => unknown): string[] =>
  listQueryPlans(withActors(), (db) => act(new RetentionReader(db)))
    .flat()
    .filter((line) => /\bactors\b/.test(line));

test('ended actors of every chart are found', () => {
  assert.equal(
    new RetentionReader(withActors()).listUnarchived(1).map(({ id }) => id),
    ['job ended', 'quota ended'],
  );
});

test('ended actors without an archive are found without reading the parked ones', () => {
  assert.equal(
    waysToActors((reader) => reader.listUnarchived(1)),
    ['SEARCH actors USING INDEX actors_ended (since<?)'],
  );
});

test('artefacts of ended jobs are found from these jobs, not from all artefacts', () => {
  assert.equal(
    waysToActors((reader) => reader.artefacts()),
    ['SCAN actors USING COVERING INDEX actors_ended'],
  );
});

test('actors that have not ended are listed by their numbers', () => {
  const reader = new RetentionReader(withActors());
  assert.equal(
    reader.listUnended().map((row) => reader.idAt(row)),
    ['job live', 'job parked', 'quota live', 'quota parked'],
  );
});

test('actors that have not ended are listed from indexes alone', () => {
  assert.equal(
    waysToActors((reader) => reader.listUnended()),
    [
      'SCAN actors USING COVERING INDEX sqlite_autoindex_actors_1',
      'SCAN actors USING COVERING INDEX actors_ended',
    ],
  );
});

test('a count of the uses of a content ends where enough are found', () => {
  const db = migrated();
  for (const id of ['a', 'b', 'c'])
    db.run(
      `INSERT INTO artefacts (job_id, id, at, phase, visit, kind, title, mime, size, sha256) VALUES ('job', ?, 1, '', 1, '', '', '', 1, 'e')`,
      id,
    );
  assert.is(new RetentionReader(db).uses('e', 2), 2);
});

test('repositories of jobs that have not ended are those of the counted groups', () => {
  const tables = listQueryPlans(migrated(), (db) => new RetentionReader(db).repositoriesInUse())
    .flat()
    .filter((line) => /SCAN|SEARCH/.test(line));
  assert.equal(tables, ['SEARCH job_groups USING PRIMARY KEY (state=?)']);
});

test.run();
