import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  ForgeAbsences,
  REPORT_ABSENCE_MS,
} from '../../../../src/forges/inbound/polling/forgeAbsences.ts';

const test = suite('forges: those that do not answer');

const AWAY = new Error('connect ECONNREFUSED');

test('a forge that has not answered for ten minutes is reported once', () => {
  const absences = new ForgeAbsences();
  assert.is(absences.failed('github', AWAY, 1_000), null);
  assert.is(absences.failed('github', AWAY, 1_000 + REPORT_ABSENCE_MS - 1), null);
  const change = absences.failed('github', AWAY, 1_000 + REPORT_ABSENCE_MS);
  assert.equal(change?.op === 'put' && change.row, {
    id: 'forge/github/1000',
    kind: 'runner',
    reason: 'forge-away',
    job_id: null,
    at: 1_000,
    text: 'github: connect ECONNREFUSED',
  });
  assert.is(absences.failed('github', AWAY, 1_000 + 2 * REPORT_ABSENCE_MS), null);
});

test('an answer in between begins the ten minutes again, for this forge alone', () => {
  const absences = new ForgeAbsences();
  absences.failed('github', AWAY, 0);
  absences.failed('gitlab', AWAY, 0);
  absences.answered('github');
  assert.is(absences.failed('github', AWAY, REPORT_ABSENCE_MS), null);
  assert.is.not(absences.failed('gitlab', AWAY, REPORT_ABSENCE_MS), null);
});

test.run();
