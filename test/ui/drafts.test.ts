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
  const kept = Object.create({
    getItem: (name: string) => (Object.hasOwn(kept, name) ? kept[name] : null),
    setItem(name: string, text: string) {
      kept[name] = text;
    },
    removeItem: (name: string) => void delete kept[name],
  });
  return () => kept;
}

const refuses = (): Storage => {
  throw new DOMException('The operation is insecure.', 'SecurityError');
};

test('a draft is kept by job and field, and an empty one leaves nothing behind', () => {
  const kept = storage();
  const name = toDraftName({ job: 'j1', field: 'answer' });
  assert.is(keepText(kept, name, 'half a sen'), true);
  assert.is(readStoredText(kept, name), 'half a sen');
  assert.is(readStoredText(kept, toDraftName({ job: 'j1', field: 'changes' })), '');
  assert.is(readStoredText(kept, toDraftName({ job: 'j2', field: 'answer' })), '');
  assert.is(keepText(kept, name, ''), true);
  assert.equal(Object.keys(kept()), []);
});

test('no job can take the draft of another by its name', () => {
  assert.is.not(toDraftName({ job: 'a/b', field: 'c' }), toDraftName({ job: 'a', field: 'b/c' }));
});

test('a text that is too long is not kept, and neither is its earlier version', () => {
  const kept = storage();
  const name = toDraftName({ job: 'j1', field: 'answer' });
  const longest = 'x'.repeat(MAX_DRAFT_BYTES / 2);
  assert.is(keepText(kept, name, longest), true);
  assert.is(keepText(kept, name, `${longest}x`), false);
  assert.is(readStoredText(kept, name), '');
});

test('all drafts together are bounded; what was kept before stays', () => {
  const kept = storage();
  const one = 'x'.repeat(MAX_DRAFT_BYTES / 2);
  const fitting = MAX_DRAFTS_BYTES / MAX_DRAFT_BYTES;
  for (let n = 0; n < fitting; n += 1)
    assert.is(keepText(kept, toDraftName({ job: `j${n}`, field: 'answer' }), one), true);
  assert.is(keepText(kept, toDraftName({ job: 'more', field: 'answer' }), 'x'), false);
  assert.is(readStoredText(kept, toDraftName({ job: 'j0', field: 'answer' })), one);
});

test('a browser that stores nothing is reported for every text that would be lost', () => {
  const name = toDraftName({ job: 'j1', field: 'answer' });
  assert.is(readStoredText(refuses, name), '');
  assert.is(keepText(refuses, name, 'half a sen'), false);
  assert.is(keepText(refuses, name, ''), true);
});

test.run();
