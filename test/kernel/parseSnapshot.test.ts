import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseSnapshot } from '../../src/kernel/parseSnapshot.ts';

const test = suite('kernel: shared members of snapshots');

const NAMES = ['workflow'];
const workflow = (name: string) => ({ name, phases: ['x'.repeat(300), { deep: [name] }] });
const toText = (context: object) => JSON.stringify({ value: 'parked', context, children: {} });
const parseContext = (text: string) => Object(parseSnapshot(text, NAMES).context);

test('a member of equal text is one object', () => {
  const one = parseContext(toText({ id: 'a', workflow: workflow('one'), phase: 'p' }));
  const other = parseContext(toText({ id: 'b', workflow: workflow('one'), phase: 'q' }));
  assert.is(other.workflow, one.workflow);
  assert.equal(other, { id: 'b', workflow: workflow('one'), phase: 'q' });
});

test('its members keep their order, so that the next snapshot has the same text', () => {
  const text = toText({ id: 'c', workflow: workflow('one'), phase: 'p' });
  assert.is(JSON.stringify(parseSnapshot(text, NAMES)), text);
  assert.is(JSON.stringify(parseSnapshot(text, NAMES)), text);
});

test('nothing can be changed in what is shared', () => {
  const { workflow: shared } = parseContext(toText({ workflow: workflow('frozen') }));
  assert.throws(() => {
    shared.phases[1].deep.push('more');
  }, TypeError);
});

test('another text is another object', () => {
  const one = parseContext(toText({ workflow: workflow('one') }));
  const two = parseContext(toText({ workflow: workflow('two') }));
  assert.equal(two.workflow, workflow('two'));
  assert.is.not(two.workflow, one.workflow);
});

test('a member with the same name that lies deeper is not read instead', () => {
  parseContext(toText({ workflow: workflow('one') }));
  const context = { params: { workflow: workflow('one') }, workflow: workflow('two') };
  assert.equal(parseContext(toText(context)), context);
});

test('a text that only looks like the member changes nothing', () => {
  parseContext(toText({ workflow: workflow('one') }));
  const context = { said: JSON.stringify({ workflow: workflow('one') }), workflow: 0 };
  assert.equal(parseContext(toText(context)), context);
});

test('members that are missing, short or no objects are left as they are', () => {
  for (const context of [{}, { workflow: null }, { workflow: 'text' }, { workflow: { a: 1 } }])
    assert.equal(parseContext(toText(context)), context);
});

test.run();
