import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  toDraftName,
  keepText,
  readStoredText,
  MAX_DRAFT_BYTES,
  MAX_DRAFTS_BYTES,
} from '../../ui/shell/drafts/keepText.ts';

const test = suite('dashboard: drafts');

/** As browsers have it: entries are its own properties. */
function storage(): () => Storage {
  const store = Object.create({
    getItem: (name: string) => (Object.hasOwn(store, name) ? store[name] : null),
    setItem(name: string, text: string) {
      store[name] = text;
    },
    removeItem: (name: string) => void delete store[name],
  });
  return () => store;
}

const refuses = (): Storage => {
  throw new DOMException('The operation is insecure.', 'SecurityError');
};

test('a draft is kept by job and field, and an empty one leaves nothing behind', () => {
  const store = storage();
  const name = toDraftName({ job: 'j1', field: 'answer' });
  assert.is(keepText(store, name, 'half a sen'), true);
  assert.is(readStoredText(store, name), 'half a sen');
  assert.is(readStoredText(store, toDraftName({ job: 'j1', field: 'changes' })), '');
  assert.is(readStoredText(store, toDraftName({ job: 'j2', field: 'answer' })), '');
  assert.is(keepText(store, name, ''), true);
  assert.equal(Object.keys(store()), []);
});

test('no job can take the draft of another by its name', () => {
  assert.is.not(toDraftName({ job: 'a/b', field: 'c' }), toDraftName({ job: 'a', field: 'b/c' }));
});

test('a text that is too long is not kept, and neither is its earlier version', () => {
  const store = storage();
  const name = toDraftName({ job: 'j1', field: 'answer' });
  const longest = 'x'.repeat(MAX_DRAFT_BYTES / 2);
  assert.is(keepText(store, name, longest), true);
  assert.is(keepText(store, name, `${longest}x`), false);
  assert.is(readStoredText(store, name), '');
});

test('all drafts together are bounded; what was kept before stays', () => {
  const store = storage();
  const one = 'x'.repeat(MAX_DRAFT_BYTES / 2);
  const fitting = MAX_DRAFTS_BYTES / MAX_DRAFT_BYTES;
  for (let n = 0; n < fitting; n += 1)
    assert.is(keepText(store, toDraftName({ job: `j${n}`, field: 'answer' }), one), true);
  assert.is(keepText(store, toDraftName({ job: 'more', field: 'answer' }), 'x'), false);
  assert.is(readStoredText(store, toDraftName({ job: 'j0', field: 'answer' })), one);
});

test('a browser that stores nothing is reported for every text that would be lost', () => {
  const name = toDraftName({ job: 'j1', field: 'answer' });
  assert.is(readStoredText(refuses, name), '');
  assert.is(keepText(refuses, name, 'half a sen'), false);
  assert.is(keepText(refuses, name, ''), true);
});

test.run();
