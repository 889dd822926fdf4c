import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { installedTracker } from '../../src/plugins/installedTracker.ts';
import type { TrackerCall } from '../../src/plugins/process/protocol.ts';

const test = suite('plugins: an installed tracker as jobs use it');

const ISSUE = { key: 'BOARD-7', title: 'T', body: 'B', status: 'done', url: 'http://board/7' };

test('fields of a transition reach the plugin; without them it is called as it was before there were any', async () => {
  const calls: TrackerCall[] = [];
  const tracker = installedTracker({
    id: 'board',
    ask: async (call) => {
      calls.push(call);
      return ISSUE;
    },
    screen: (text) => text,
  });
  const actor = { at: 0, operationId: 'op-1' };
  const args = { key: 'BOARD-7', status: 'done' };
  await tracker.write('transition_issue', args, actor);
  await tracker.write('transition_issue', { ...args, fields: {} }, actor);
  await tracker.write('transition_issue', { ...args, fields: { Reason: 'x' } }, actor);
  assert.equal(
    calls.map((call) => call.args),
    [
      ['BOARD-7', 'done', 'op-1'],
      ['BOARD-7', 'done', 'op-1'],
      ['BOARD-7', 'done', 'op-1', { Reason: 'x' }],
    ],
  );
});

test.run();
