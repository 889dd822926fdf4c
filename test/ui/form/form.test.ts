import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import Type from 'typebox';
import {
  isSameJsonValue,
  buildFormPatch,
  readFormValueAt,
  withValueAt,
} from '../../../ui/form/createForm.ts';
import {
  findFormEntrySchema,
  type FormSchema,
  buildFormField,
  toFieldLabel,
  toFieldPointer,
} from '../../../ui/form/formSchema.ts';
import { formatFieldValue, parseTypedValue } from '../../../ui/form/parseTypedValue.ts';

const test = suite('ui: forms drawn from a schema');

const asForm = (schema: Type.TSchema): FormSchema => JSON.parse(JSON.stringify(schema));
const field = (schema: Type.TSchema, required = false) =>
  buildFormField(asForm(schema), ['x'], required);
const kind = (schema: Type.TSchema) => field(schema).kind;

test('each schema has the field that fits it', () => {
  assert.is(kind(Type.String()), 'text');
  assert.is(kind(Type.Integer()), 'number');
  assert.is(kind(Type.Boolean()), 'yes-no');
  assert.is(kind(Type.Enum(['a', 'b'])), 'choice');
  assert.is(kind(Type.Union([Type.Literal('a'), Type.Literal('b')])), 'choice');
  assert.is(kind(Type.Array(Type.String())), 'texts');
  assert.is(kind(Type.Object({ a: Type.String() })), 'group');
  assert.is(kind(Type.Record(Type.String({ pattern: '^a' }), Type.Number())), 'record');
  assert.is(kind(Type.Object({}, { additionalProperties: Type.String() })), 'record');
  assert.is(kind(Type.Array(Type.Object({ a: Type.String() }))), 'json');
  assert.is(kind(Type.Union([Type.String(), Type.Object({})])), 'json');
});

test('a value that may be null has the field of the value', () => {
  assert.is(kind(Type.Union([Type.Integer(), Type.Null()])), 'number');
});

test('a secret has a field of its own, whatever its type is called', () => {
  assert.is(kind(Type.String({ secret: true })), 'secret');
  assert.is(kind(Type.Unknown({ secret: true })), 'secret');
});

test('an address whose password is hidden is a text', () => {
  assert.is(kind(Type.String({ secret: 'url' })), 'text');
});

test('a group has its members with their pointers', () => {
  const group = field(
    Type.Object({ maxJobs: Type.Integer(), deep: Type.Object({ 'a/b': Type.String() }) }),
  );
  assert.equal(
    group.members.map(({ label, pointer }) => [label, pointer]),
    [
      ['Max jobs', '/x/maxJobs'],
      ['Deep', '/x/deep'],
    ],
  );
  assert.is(group.members[1]?.members[0]?.pointer, '/x/deep/a~1b');
});

test('help holds the description and the default', () => {
  assert.is(
    field(Type.Integer({ description: 'At once.', default: 4 })).help,
    'At once. Default: 4.',
  );
  assert.is(field(Type.Boolean({ description: 'On?', default: true })).help, 'On? Default: yes.');
  const hosts = Type.Array(Type.String(), { description: 'Hosts.', default: ['a.org', 'b.org'] });
  assert.is(field(hosts).help, 'Hosts. Default: a.org, b.org.');
});

test('the default of a secret is not shown', () => {
  assert.is(field(Type.String({ description: 'Key.', secret: true, default: 'k' })).help, 'Key.');
});

test('names of entries have the form of the schema', () => {
  const names = findFormEntrySchema(
    asForm(Type.Record(Type.String({ pattern: '^[a-z]+$' }), Type.String())),
  )?.names;
  assert.is(names?.test('abc'), true);
  assert.is(names?.test('A'), false);
});

test('a number is held to its limits', () => {
  const limited = field(Type.Integer({ minimum: 1, maximum: 8 }));
  assert.equal(parseTypedValue('8', limited), { value: 8 });
  assert.equal(parseTypedValue('9', limited), { wrong: 'This must be at most 8.' });
  assert.equal(parseTypedValue('0', limited), { wrong: 'This must be at least 1.' });
  assert.equal(parseTypedValue('1.5', limited), { wrong: 'This must be a whole number.' });
  assert.equal(parseTypedValue('a', limited), { wrong: 'This must be a number.' });
});

test('an emptied value is left out, unless it is needed', () => {
  assert.equal(parseTypedValue('', field(Type.Integer())), { value: undefined });
  assert.equal(parseTypedValue('', field(Type.Integer(), true)), {
    wrong: 'Enter a number.',
  });
  assert.equal(parseTypedValue('', field(Type.String())), { value: undefined });
  assert.equal(parseTypedValue('', field(Type.String(), true)), {
    wrong: 'Enter text.',
  });
});

test('an emptied text whose default is none stays a text', () => {
  assert.equal(parseTypedValue('', field(Type.String({ default: '' }))), { value: '' });
});

test('a text is held to its pattern', () => {
  const word = field(Type.String({ pattern: '^[a-z]+$' }));
  assert.equal(parseTypedValue('abc', word), { value: 'abc' });
  assert.equal(parseTypedValue('1', word), { wrong: 'This must match ^[a-z]+$.' });
});

test('texts are lines', () => {
  const texts = field(Type.Array(Type.String(), { maxItems: 2 }));
  assert.equal(parseTypedValue('a\n\n b \n', texts), { value: ['a', 'b'] });
  assert.equal(parseTypedValue('a\nb\nc', texts), { wrong: 'At most 2 lines are allowed.' });
  assert.is(formatFieldValue(['a', 'b'], texts), 'a\nb');
});

test('what is not set shows its default', () => {
  assert.is(formatFieldValue(undefined, field(Type.Integer({ default: 4 }))), '4');
});

test('a patch holds what was changed and nothing else', () => {
  const before = { a: 1, b: { c: 2, d: 3 }, e: ['x'] };
  assert.is(buildFormPatch(before, structuredClone(before)), undefined);
  assert.equal(buildFormPatch(before, withValueAt(before, ['b', 'c'], 5)), { b: { c: 5 } });
  assert.equal(buildFormPatch(before, withValueAt(before, ['b', 'd'], undefined)), {
    b: { d: null },
  });
  assert.equal(buildFormPatch(before, withValueAt(before, ['e'], ['x', 'y'])), { e: ['x', 'y'] });
  assert.equal(buildFormPatch(before, withValueAt(before, ['n', 'm'], true)), { n: { m: true } });
});

test('a changed value leaves the original and the order as they are', () => {
  const before = { a: 1, b: 2 };
  assert.equal(Object.keys(Object(withValueAt(before, ['a'], 3))), ['a', 'b']);
  assert.is(before.a, 1);
});

test('values are compared whatever the order of their members', () => {
  assert.is(isSameJsonValue({ a: 1, b: [1] }, { b: [1], a: 1 }), true);
  assert.is(isSameJsonValue({ a: 1 }, { a: 1, b: undefined }), false);
});

test('no member of a prototype is a value', () => {
  assert.is(readFormValueAt({}, ['constructor']), undefined);
});

test('a name is a label in words', () => {
  assert.equal(
    ['maxConcurrentJobs', 'baseUrl', 'apiKey', 'repoIds', 'minFreeDiskMb', 'workingDir'].map(
      toFieldLabel,
    ),
    [
      'Max concurrent jobs',
      'Base URL',
      'API key',
      'Repository IDs',
      'Min free disk (MB)',
      'Working folder',
    ],
  );
});

test('a title that says what a value looks like is for errors: the label is the name (UI-6)', () => {
  const label = (title: string) => buildFormField({ type: 'string', title }, ['publicUrl']).label;
  assert.is(label('an address that begins with https://'), 'Public URL');
  assert.is(label('Address'), 'Address');
});

test('a pointer escapes what its keys hold', () => {
  assert.is(toFieldPointer(['a/b', 'c~d']), '/a~1b/c~0d');
});

test.run();
