import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SinceSuccess } from '../../src/contract/schema/job/sinceSuccess.ts';
import { describeSinceSuccess } from '../../ui/jobs/describeSinceSuccess.ts';

const test = suite('dashboard: what changed since the last success, in words');

const AT = '2026-01-01T10:00:00.000Z';
const since = (more: Partial<SinceSuccess> = {}): string[] =>
  describeSinceSuccess(
    { phase: 'planning', at: AT, visits: 2, overlay: false, messages: 0, files: null, ...more },
    Date.parse(AT),
  );

test('only what has changed is named, and an unreadable checkout is', () => {
  assert.equal(since().length, 2);
  assert.match(since()[0] ?? '', /phase planning .* 2 visits/);
  assert.is(since({ overlay: true, messages: 1 }).length, 4);
});

test('without a success everything since the start counts', () => {
  assert.match(since({ phase: null })[0] ?? '', /No phase has succeeded/);
});

test('files that did not change are no list', () => {
  const files = { count: 0, added: 0, removed: 0, files: [] };
  assert.is(since({ files }).at(-1), 'No file changed.');
});

test.run();
