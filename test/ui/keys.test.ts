import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type KeyBinding, interpretKey, SHORTCUTS } from '../../ui/shell/keys/keys.ts';

const test = suite('dashboard: shortcuts');

const press = (
  key: string,
  more: Partial<{ ctrlKey: boolean; metaKey: boolean; altKey: boolean }> = {},
) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});
const free = {
  first: null,
  typing: false,
  onControl: false,
  singleKeys: true,
  page: [] as KeyBinding[],
};

test('Ctrl+K and Cmd+K open the search from anywhere, also from a field (UI-1)', () => {
  for (const key of [press('k', { ctrlKey: true }), press('K', { metaKey: true })]) {
    assert.equal(interpretKey(key, { ...free, typing: true, singleKeys: false }), {
      shortcut: { act: 'palette' },
      pending: null,
    });
  }
});

test('two keys in sequence lead to a page; the first alone does nothing yet', () => {
  assert.equal(interpretKey(press('g'), free), { shortcut: null, pending: 'g' });
  assert.equal(interpretKey(press('i'), { ...free, first: 'g' }), {
    shortcut: { go: '#/inbox' },
    pending: null,
  });
  assert.equal(interpretKey(press('x'), { ...free, first: 'g' }), {
    shortcut: null,
    pending: null,
  });
  assert.equal(interpretKey(press('i'), free), { shortcut: null, pending: null });
});

test('a field keeps its keys, and single keys can be switched off (WCAG 2.1.4)', () => {
  const nothing = { shortcut: null, pending: null };
  assert.equal(interpretKey(press('c'), { ...free, typing: true }), nothing);
  assert.equal(interpretKey(press('c'), { ...free, singleKeys: false }), nothing);
  assert.equal(interpretKey(press('c', { ctrlKey: true }), free), nothing);
  assert.equal(interpretKey(press('c', { altKey: true }), free), nothing);
});

test('keys of the open page precede the others, and Enter on a button stays with the button', () => {
  const does = { do: () => {} };
  const page = ['j', 'c', 'Enter'].map((key) => ({ keys: [key], says: key, does }));
  const onPage = { ...free, page };
  assert.equal(interpretKey(press('j'), onPage).shortcut, does);
  assert.equal(interpretKey(press('c'), onPage).shortcut, does);
  assert.equal(interpretKey(press('Enter'), onPage).shortcut, does);
  assert.is(interpretKey(press('Enter'), { ...onPage, onControl: true }).shortcut, null);
  assert.equal(interpretKey(press('j'), { ...onPage, onControl: true }).shortcut, does);
  assert.is(interpretKey(press('j'), { ...onPage, typing: true }).shortcut, null);
});

test('no shortcut hides another', () => {
  const all = SHORTCUTS.map(({ keys }) => keys.join(' '));
  assert.is(new Set(all).size, all.length);
  const firsts = SHORTCUTS.filter(({ keys }) => keys.length === 2).map(({ keys }) => keys[0]);
  assert.equal(
    SHORTCUTS.filter(({ keys }) => keys.length === 1 && firsts.includes(keys[0])),
    [],
  );
});

test.run();
