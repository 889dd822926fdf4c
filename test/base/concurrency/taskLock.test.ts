import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createDeferred } from '../../../src/base/concurrency/createDeferred.ts';
import { TaskLock } from '../../../src/base/concurrency/taskLock.ts';
import { catchRefusal } from '../../support/refusal.ts';

test('a task is refused while another is under way, which is named', async () => {
  const turns = new TaskLock();
  const first = createDeferred<void>();
  const running = turns.take('a cleanup', () => first.promise);
  const refused = await catchRefusal(() => turns.take('a backup', async () => undefined));
  assert.is(refused.message, 'A cleanup is already running; wait until it has finished.');
  first.resolve();
  await running;
});

test('the next task begins after one that failed', async () => {
  const turns = new TaskLock();
  await turns
    .take('a cleanup', async () => {
      throw new Error('disk');
    })
    .catch(() => undefined);
  assert.is(await turns.take('a backup', async () => 'done'), 'done');
});

test.run();
