import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addWaitingLayerNote } from '../../../../src/api/server/replies/addWaitingLayerNote.ts';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import type { ConfigReply } from '../../../../src/contract/schema/runner/config.ts';

const test = suite('a workflow that no layer has, after another layer was configured');

const MISSING = new SvcError('invalid', 'The workflow workflows/x.md does not exist.', {
  errors: [{ pointer: '/workflowPath', message: 'not in any layer' }],
});

/** A configuration with keys that wait for a restart. */
const createWaitingLayer = (...restart: string[]) => ({
  read: async () => ({ etag: '', reply: { restart } as Partial<ConfigReply> as ConfigReply }),
});

test('the refusal says that the layer waits for a restart', async () => {
  const error = await addWaitingLayerNote(
    MISSING,
    createWaitingLayer('server.port', 'tenant.overlay.path'),
  );
  if (!(error instanceof SvcError)) throw new Error('it is no SvcError');
  assert.is(
    error.message,
    'The workflow workflows/x.md does not exist. tenant.overlay.path was changed since the runner started: restart it, and that layer counts.',
  );
  assert.equal(error.errors, MISSING.errors);
});

test('it stays as it is where no layer waits, and where it is about something else', async () => {
  const other = new SvcError('invalid', 'Two mistakes.');
  assert.is(await addWaitingLayerNote(MISSING, createWaitingLayer('server.port')), MISSING);
  assert.is(await addWaitingLayerNote(other, createWaitingLayer('tenant.overlay.path')), other);
});

test.run();
