import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectFiles } from '../../scripts/checks/projectFiles.ts';
import { staleReference } from '../../scripts/checks/reference.ts';
import { ENVIRONMENT } from '../../scripts/reference/environment.ts';
import { REFERENCE_FOLDER, REFERENCE_PAGES } from '../../scripts/reference/pages.ts';
import { listMembers, typeText } from '../../scripts/reference/schemaText.ts';

const test = suite('house: the generated reference');

test('every page matches the sources', async () => {
  assert.equal(await staleReference(), []);
});

test('nothing else is among the generated pages', () => {
  assert.equal(
    projectFiles().filter((file) => file.startsWith(`${REFERENCE_FOLDER}/`)),
    REFERENCE_PAGES.map(({ file }) => file).sort(),
  );
});

test('every environment variable that svc reads is described', () => {
  const described = ENVIRONMENT.flatMap(([names]) => names.split(', '));
  const read = ['src/host/config/home/env.ts', 'src/host/config/home/paths.ts'].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:'|env\.)([A-Z][A-Z_]+)\b/g)].map(
      ([, name]) => name ?? '',
    ),
  );
  assert.ok(read.length > 10, `only ${read.length} variables found`);
  assert.equal(
    [...new Set(read)].filter((name) => !described.includes(name)),
    [],
  );
});

test('a type is shown with its limits', () => {
  assert.is(
    typeText({ type: 'integer', minimum: 1, maximum: 65_535 }),
    'whole number, 1 to 65,535',
  );
  assert.is(typeText({ type: 'string', maxLength: 40 }), 'text, at most 40 characters');
  assert.is(typeText({ anyOf: [{ type: 'string' }, { type: 'null' }] }), 'text or `null`');
});

test('members of lists and maps are named by their place', () => {
  const word = { type: 'string' };
  const schema = {
    type: 'object',
    required: ['rules'],
    properties: {
      rules: { type: 'array', items: { type: 'object', properties: { id: word } } },
      aliases: {
        type: 'object',
        patternProperties: { '^.*$': { type: 'object', properties: { model: word } } },
      },
    },
  };
  assert.equal(
    listMembers(schema).map(({ key }) => key),
    ['rules', 'rules[].id', 'aliases', 'aliases.<name>.model'],
  );
});

test.run();
