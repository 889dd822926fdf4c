import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Compile } from 'typebox/compile';
import { editorSchema } from '../../../src/authoring/workflows/editorSchema.ts';
import { parseFrontMatter } from '../../../src/authoring/workflows/frontMatter.ts';

const test = suite('schema of front matter for editors');

const corpus = join(import.meta.dirname, 'corpus');
const validators = {
  workflows: Compile(editorSchema('workflow')),
  agents: Compile(editorSchema('agent')),
};

const checked = (kind: 'good' | 'broken') =>
  (['workflows', 'agents'] as const).flatMap((folder) =>
    readdirSync(join(corpus, kind, folder))
      .filter((name) => name.endsWith('.md'))
      .flatMap((name) => {
        const { data, readable } = parseFrontMatter(
          readFileSync(join(corpus, kind, folder, name), 'utf8'),
          name,
        );
        return readable
          ? [{ file: `${folder}/${name}`, fits: validators[folder].Check(data) }]
          : [];
      }),
  );

test('every good file of the corpus fits', () => {
  const all = checked('good');
  assert.ok(all.length >= 20);
  assert.equal(
    all.filter(({ fits }) => !fits),
    [],
  );
});

test('every file of the wrong shape does not', () => {
  const shape =
    /\/(unknown-key|wrong-type|missing-key|bad-status|bad-phase-name|coordinator-without-park-phase|too-many-phases)/;
  const all = checked('broken').filter(({ file }) => shape.test(file));
  assert.ok(all.length >= 35, `${all.length} files`);
  assert.equal(
    all.filter(({ fits }) => fits),
    // parkStatus may be null, and the linter checks its characters.
    [{ file: 'workflows/bad-status--park.md', fits: true }],
  );
});

const describedIn = (schema: unknown): string[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, part]) =>
    key === 'properties' && Object.values(part).every((one) => typeof one === 'object')
      ? Object.entries(part).flatMap(([name, one]) => [
          ...(/^[A-Z].+\.$/.test(String(Reflect.get(Object(one), 'description'))) ? [] : [name]),
          ...describedIn(one),
        ])
      : describedIn(part),
  );
};

test('every key says what it is for, and the schema is one that editors know', () => {
  for (const kind of ['workflow', 'agent'] as const) {
    const schema = JSON.parse(JSON.stringify(editorSchema(kind)));
    assert.is(schema.$schema, 'http://json-schema.org/draft-07/schema#');
    assert.is(schema.additionalProperties, false);
    assert.equal(
      describedIn(schema).filter((name) => name !== 'enabled'),
      [],
    );
  }
});

test.run();
