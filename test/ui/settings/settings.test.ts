import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildConfigJsonSchema } from '../../../src/host/config/configSchema.ts';
import { type FormField, type FormSchema, buildFormField } from '../../../ui/form/formSchema.ts';
import { listSettingsChanges } from '../../../ui/settings/listSettingsChanges.ts';
import {
  OTHER_SETTINGS,
  countMatchingFields,
  keyNeedsRestart,
  describeValueOrigin,
  listSettingsSections,
  toConfigKey,
} from '../../../ui/settings/settingsFields.ts';
import { SETTING_NAMES } from '../../../ui/settings/settingNames.ts';

const test = suite('settings page');

const SCHEMA: FormSchema = buildConfigJsonSchema();
const ROOT = buildFormField(SCHEMA, []);
const sections = listSettingsSections(SCHEMA);
const diff = (patch: unknown, first: unknown) =>
  listSettingsChanges(patch, first, ROOT).map(
    ({ key, before, after }) => `${key}: ${before} → ${after}`,
  );

test('every section of the configuration has a form, but for older forms of others (UI-6)', () => {
  const known = Object.keys(SCHEMA.properties ?? {});
  assert.equal(
    known.filter((key) => !sections.some((section) => section.key === key)),
    ['$schema', 'git', 'tracker'],
  );
});

test('every section is in a group, and the first one is what is changed most (UI-6)', () => {
  assert.equal(
    sections.filter(({ group }) => group === OTHER_SETTINGS).map(({ key }) => key),
    [],
  );
  assert.is(sections[0]?.key, 'runner');
});

test('each section has a title for people', () => {
  for (const { key, title } of sections) assert.match(title, /^[A-Z]/, key);
});

const listFields = (field: FormField): FormField[] => [field, ...field.members.flatMap(listFields)];

test('a setting is called what people look for, and each such name belongs to a setting (UI-6)', () => {
  const fields = sections.flatMap(({ field }) => listFields(field));
  const labels = new Map(fields.map(({ path, label }) => [toConfigKey(path), label]));
  assert.equal(
    Object.entries(SETTING_NAMES).filter(([key, name]) => labels.get(key) !== name),
    [],
  );
  // Words of code, units and flags that a key has, and that say nothing alone.
  assert.equal(
    [...labels.values()].filter((label) => /noul|^\(|^(?:Ref|Auth|Dir|Kind)$/i.test(label)),
    [],
  );
});

test('a search finds keys by their name and by what they mean', () => {
  const searchSettings = (search: string) =>
    sections.filter((section) => countMatchingFields(section, search) > 0).map(({ key }) => key);
  assert.ok(searchSettings('runner.maxConcurrentJobs').includes('runner'));
  assert.ok(searchSettings('proposal layer').includes('proposals'));
  assert.equal(searchSettings('no such setting'), []);
});

test('what applies at once needs no restart', () => {
  assert.is(keyNeedsRestart('llm.defaultProvider', ['llm']), false);
  assert.is(keyNeedsRestart('llmx', ['llm']), true);
  assert.is(keyNeedsRestart('server.port', ['llm']), true);
});

test('an origin names the place, the flag or the variable', () => {
  const value = { key: 'server.port', value: 1 };
  assert.equal(describeValueOrigin({ ...value, origin: 'file', from: 'c.json:2:3' }), {
    says: 'set',
    from: 'c.json:2:3',
  });
  assert.is(describeValueOrigin({ ...value, origin: 'flag', from: '--port' })?.says, 'flag --port');
  assert.is(
    describeValueOrigin({ ...value, origin: 'environment', from: 'SVC_X' })?.says,
    'variable SVC_X',
  );
  assert.is(describeValueOrigin({ ...value, origin: 'default', from: null }), null);
});

test('a change says the old and the new value', () => {
  assert.equal(diff({ server: { port: 4100 } }, { server: { port: 4000 } }), [
    'server.port: 4000 → 4100',
  ]);
});

test('what is taken out is the default again', () => {
  assert.equal(diff({ server: { port: null } }, { server: { port: 4000 } }), [
    'server.port: 4000 → default',
  ]);
});

test('a secret is never shown', () => {
  const first = { decision: { apiKey: '********' } };
  assert.equal(diff({ decision: { apiKey: 'sk-new' } }, first), [
    'decision.apiKey: set → a new secret',
  ]);
  assert.equal(diff({ decision: { apiKey: null } }, first), ['decision.apiKey: set → default']);
});

test('nor one in an entry of a map', () => {
  const patch = { mcpServers: { docs: { headers: { Authorization: 'Bearer x' } } } };
  assert.equal(diff(patch, {}), ['mcpServers.docs.headers.Authorization: default → a new secret']);
});

test.run();
