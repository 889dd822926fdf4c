import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Ajv } from 'ajv';
import { Compile } from 'typebox/compile';
import { buildConfigJsonSchema } from '../../../src/host/config/configSchema.ts';
import { buildEditorSchema } from '../../../src/workflows/definition/buildEditorSchema.ts';
import { parseFrontMatter } from '../../../src/workflows/definition/parseFrontMatter.ts';

const test = suite('schema of front matter for editors');

const corpus = join(import.meta.dirname, './corpus');
const validators = {
  workflows: Compile(buildEditorSchema('workflow')),
  agents: Compile(buildEditorSchema('agent')),
};

const validateExamples = (kind: 'good' | 'broken') =>
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
  const all = validateExamples('good');
  assert.ok(all.length >= 20);
  assert.equal(
    all.filter(({ fits }) => !fits),
    [],
  );
});

test('every file of the wrong shape does not', () => {
  const shape =
    /\/(reserved-status|unknown-key|wrong-type|missing-key|bad-status|bad-phase-name|coordinator-without-park-phase|too-many-phases)/;
  const all = validateExamples('broken').filter(({ file }) => shape.test(file));
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

test('a strict validator of draft 7 takes the schemas of workflows, agents and the configuration', () => {
  // `secret` tells the dashboard which fields to hide.
  const strict = new Ajv({ strict: true, keywords: ['secret'] });
  for (const schema of [
    buildEditorSchema('workflow'),
    buildEditorSchema('agent'),
    buildConfigJsonSchema(),
  ]) {
    const published = JSON.parse(JSON.stringify(schema));
    assert.is(published.$schema, 'http://json-schema.org/draft-07/schema#');
    assert.not.throws(() => strict.compile(published));
  }
});

test('reserved words are refused as a status, and the same phase twice', () => {
  const phase = (status: string, name = 'a') => ({ name, agent: null, status });
  const fits = (phases: unknown[], more = {}) =>
    validators.workflows.Check({ initial_phase: 'a', phases, ...more });
  assert.equal(
    ['coding', 'queued', 'complete', 'failed', 'escalated', 'cancelled', 'awaiting-children'].map(
      (status) => fits([phase(status)]),
    ),
    [true, false, false, false, false, false, false],
  );
  assert.is(fits([phase('coding')], { initial_status: 'queued' }), true);
  assert.is(fits([phase('coding'), phase('coding')]), false);
});

test('every key says what it is for, and the schema is one that editors know', () => {
  for (const kind of ['workflow', 'agent'] as const) {
    const schema = JSON.parse(JSON.stringify(buildEditorSchema(kind)));
    assert.is(schema.$schema, 'http://json-schema.org/draft-07/schema#');
    assert.is(schema.additionalProperties, false);
    assert.equal(
      describedIn(schema).filter((name) => name !== 'enabled'),
      [],
    );
  }
});

test.run();
