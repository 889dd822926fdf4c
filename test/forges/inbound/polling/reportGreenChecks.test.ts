import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reportGreenChecks } from '../../../../src/forges/inbound/polling/reportGreenChecks.ts';
import type { ProviderEvent } from '../../../../src/contract/schema/forge/pr.ts';
import type { RowReader } from '../../../../src/contract/records/rowReader.ts';

const test = suite('runner: green checks');

const PR = { repo: 'acme/shop', number: 1 };
const FORGE = { id: 'github', consistencyMs: 10_000 };

const createPassedEvent = (id: string): ProviderEvent => ({
  kind: 'check_passed',
  forge: 'github',
  ...PR,
  prId: 'github:acme/shop#1',
  author: 'checks',
  text: '',
  url: '',
  externalId: id,
  happenedAt: 0,
});

/**
 * A pull request of one job, and the polls of its forge. `asks`: whether the job waits for green
 * checks by name.
 */
function world() {
  let row: Record<string, unknown> | undefined;
  const state = { asks: true, now: 1_000_000, pushedAt: 0 };
  const rows = {
    all: (table: string) => {
      if (table === 'pr_checks') return row ? [row] : [];
      return table === 'pr_mappings' ? [{ job_id: 'job-1' }] : [{ at: state.pushedAt }];
    },
  } as Partial<RowReader> as RowReader;
  /**
   * What one poll tells; `seen`: the id of green checks that were read, `red` = read and not green,
   * null = not read.
   */
  const poll = (checks: string | 'red' | null): string[] => {
    const batch = { notGreen: checks === 'red' ? [PR] : [] };
    const events = checks === 'red' || checks === null ? [] : [createPassedEvent(checks)];
    const deps = { rows, awaits: () => state.asks, now: () => state.now };
    const { events: reportedEvents, rows: changes } = reportGreenChecks(
      deps,
      FORGE,
      [PR],
      batch,
      events,
    );
    for (const change of changes) if (change.op === 'put') row = change.row;
    return reportedEvents.map(({ externalId }) => externalId);
  };
  return { state, poll };
}

test('a job that asks for it is notified that checks are green, even if none had failed before, and once for as long as they stay green (JOB-6)', () => {
  const { poll } = world();
  assert.equal(poll('a'), ['a']);
  assert.equal(poll('a'), []);
  assert.equal(poll(null), []);
});

test('it is notified again after they were not green, and for another commit or another run', () => {
  const { poll } = world();
  assert.equal(poll('a'), ['a']);
  assert.equal(poll('red'), []);
  assert.equal(poll('a'), ['a:2']);
  assert.equal(poll('b'), ['b']);
});

test('a job that has not asked is not notified; when it asks later, it is notified without any further change', () => {
  const { poll, state } = world();
  state.asks = false;
  assert.equal(poll('a'), []);
  assert.equal(poll(null), []);
  state.asks = true;
  assert.equal(poll(null), ['a']);
  assert.equal(poll(null), []);
});

test('checks that are no longer green when the job asks are not reported', () => {
  const { poll, state } = world();
  state.asks = false;
  poll('a');
  poll('red');
  state.asks = true;
  assert.equal(poll(null), []);
});

test('right after a push of the job nothing is reported: the forge may still show the previous commit', () => {
  const { poll, state } = world();
  state.pushedAt = state.now - 5_000;
  assert.equal(poll('old'), []);
  state.now += 10_000;
  assert.equal(poll('red'), [], 'the new commit is seen by then');
  assert.equal(poll('new'), ['new']);
});

test.run();
