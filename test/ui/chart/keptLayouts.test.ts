import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findKeptLayout, hashLayoutInput, keepLayout } from '../../../ui/chart/keptLayouts.ts';

const test = suite('ui chart: layouts that the browser keeps');

const entries = new Map<string, string>();
const before = Reflect.get(globalThis, 'localStorage');
test.before(() => {
  Reflect.set(globalThis, 'localStorage', {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, text: string) => entries.set(name, text),
    removeItem: (name: string) => entries.delete(name),
  });
});
test.after(() => {
  Reflect.set(globalThis, 'localStorage', before);
});
test.before.each(() => entries.clear());

const layout = (id: string, chars = 0) => ({
  id,
  width: 10,
  height: 20,
  children: [{ id: 'a'.repeat(chars + 1), x: 1, y: 2, width: 3, height: 4 }],
});

test('a layout is found by the hash of its input, and by no other (UI-3)', () => {
  keepLayout(hashLayoutInput('one'), layout('one'));
  assert.equal(findKeptLayout(hashLayoutInput('one')), layout('one'));
  assert.is(findKeptLayout(hashLayoutInput('two')), undefined);
});

test('the newest twelve are kept, and fewer where they are long (UI-3)', () => {
  for (let n = 0; n < 13; n++) keepLayout(`${n}`, layout(`${n}`));
  assert.is(findKeptLayout('0'), undefined);
  assert.is(findKeptLayout('1')?.id, '1');
  for (let n = 0; n < 3; n++) keepLayout(`long ${n}`, layout(`${n}`, 400_000));
  assert.is(findKeptLayout('long 0'), undefined);
  assert.is(findKeptLayout('long 2')?.id, '2');
});

for (const text of ['{', '{}', '[{"hash":"x","layout":{"children":1}}]', '[null]'])
  test(`what was stored otherwise is left out: ${text}`, () => {
    entries.set('svc.layouts', text);
    assert.is(findKeptLayout('x'), undefined);
    keepLayout('y', layout('y'));
    assert.is(findKeptLayout('y')?.id, 'y');
  });

test.run();
