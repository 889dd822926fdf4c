import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeStatePlace } from '../../../../cli/render/runner/formatRunnerStatus.ts';
import { formatLocalTime } from '../../../../cli/render/text/formatTimeWithAgo.ts';

const test = suite('svc runner status');

test('times are local ones, as those of the runner itself', () => {
  const since = '2026-12-01T09:09:54.262Z';
  const text = describeStatePlace({ place: 'waiting', changes: 2, since });
  assert.ok(text.includes(`since ${formatLocalTime(since)}:`), text);
});

test.run();
