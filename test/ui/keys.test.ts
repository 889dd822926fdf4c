import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { meaningOf, SHORTCUTS } from '../../ui/shell/keys.ts';

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
const free = { first: null, typing: false, singleKeys: true };

test('Ctrl+K and Cmd+K open the search from anywhere, also from a field (UI-1)', () => {
  for (const key of [press('k', { ctrlKey: true }), press('K', { metaKey: true })]) {
    assert.equal(meaningOf(key, { ...free, typing: true, singleKeys: false }), {
      shortcut: { act: 'palette' },
      pending: null,
    });
  }
});

test('two keys in sequence lead to a page; the first alone does nothing yet', () => {
  assert.equal(meaningOf(press('g'), free), { shortcut: null, pending: 'g' });
  assert.equal(meaningOf(press('i'), { ...free, first: 'g' }), {
    shortcut: { go: '#/inbox' },
    pending: null,
  });
  assert.equal(meaningOf(press('x'), { ...free, first: 'g' }), { shortcut: null, pending: null });
  assert.equal(meaningOf(press('i'), free), { shortcut: null, pending: null });
});

test('a field keeps its keys, and single keys can be switched off (WCAG 2.1.4)', () => {
  const nothing = { shortcut: null, pending: null };
  assert.equal(meaningOf(press('c'), { ...free, typing: true }), nothing);
  assert.equal(meaningOf(press('c'), { ...free, singleKeys: false }), nothing);
  assert.equal(meaningOf(press('c', { ctrlKey: true }), free), nothing);
  assert.equal(meaningOf(press('c', { altKey: true }), free), nothing);
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
