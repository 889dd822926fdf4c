import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildConfigJsonSchema } from '../../../../src/host/config/configSchema.ts';
import { loadSettings } from '../../../../src/host/config/settings/loadSettings.ts';
import { TRIGGER_PLACEHOLDERS } from '../../../../src/contract/schema/forge/trigger.ts';
import { bareEvent } from '../../../../src/providers/hooks/event.ts';
import { renderTriggerParams } from '../../../../src/forges/inbound/triggers.ts';
import { catchRefusal } from '../../../support/refusal.ts';

const test = suite<{ home: string }>('settings: rules that make jobs of webhooks');

const packageRoot = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '');
test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-triggers-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const load = async (home: string, triggers: unknown) => {
  await writeFile(join(home, 'config.json'), JSON.stringify({ triggers }));
  return loadSettings({
    env: { SVC_HOME: home },
    homeDir: '/home/ana',
    flags: {},
    packageRoot,
    hostName: 'laptop',
  });
};
const least = {
  id: 'bugs',
  plugin: 'jira',
  events: ['issue.labeled'],
  workflow: 'workflows/job.md',
};

test('a rule needs a name, a sender, events and a workflow; the rest is careful: members alone, five an hour, one job a ticket (RUN-8)', async ({
  home,
}) => {
  const { settings } = await load(home, [least]);
  assert.equal(settings.triggers, [
    {
      ...least,
      enabled: true,
      repos: [],
      labels: [],
      text: '',
      authors: [],
      type: 'job',
      params: {},
      perHour: 5,
      repeat: 'when-ended',
    },
  ]);
  assert.equal((await load(home, undefined)).settings.triggers, []);
  const params = { description: '{{title}}', retries: 3, interactive: false, autoApprove: true };
  assert.equal((await load(home, [{ ...least, params }])).settings.triggers?.[0]?.params, params);
});

for (const [name, triggers, expected] of [
  ['no list', {}, ['triggers must be a list [ ].']],
  [
    'a rule without events',
    [{ ...least, events: undefined }],
    ['triggers.0 is missing the key "events". Add it.'],
  ],
  ['a name twice', [least, least], ['Two rules have the id bugs. Give each rule its own id.']],
  [
    'a placeholder that does not exist',
    [{ ...least, params: { description: '{{titel}}' } }],
    [
      `{{titel}} is not a placeholder. Known: ${TRIGGER_PLACEHOLDERS.map((one) => `{{${one}}}`).join(', ')}.`,
    ],
  ],
  [
    'words of others where people decide',
    [{ ...least, params: { autoApprove: '{{label}}' } }],
    ['autoApprove controls what an agent may do on its own: write it out, without placeholders.'],
  ],
  [
    'too many an hour',
    [{ ...least, perHour: 5000 }],
    ['triggers.0.perHour must be a whole number from 1 to 1000.'],
  ],
  [
    'an object as a param',
    [{ ...least, params: { own: { a: 1 } } }],
    ['triggers.0.params.own must be a text, a number, true or false, or a list of texts.'],
  ],
  [
    'a param of another type than svc reads',
    [{ ...least, params: { reviewers: 'ann', epicAllowed: 'yes' } }],
    [
      'triggers[0].params.reviewers must be a list of names, for example ["ana", "ben"].',
      'triggers[0].params.epicAllowed must be true or false.',
    ],
  ],
] as const) {
  test(`${name} is a mistake, with its place`, async ({ home }) => {
    const { code, errors } = await catchRefusal(() => load(home, triggers));
    assert.equal(code, 'config-invalid');
    assert.equal(
      errors.map(({ message }) => message),
      expected,
    );
    assert.match(errors[0]?.pointer ?? '', /config\.json:1:\d+$/);
  });
}

test('a list of texts is a param, its texts are filled in', async ({ home }) => {
  const { settings } = await load(home, [
    { ...least, params: { reviewers: ['ann', '{{author}}'] } },
  ]);
  const event = { ...bareEvent, event: 'x', author: 'ben' };
  assert.equal(renderTriggerParams(settings.triggers?.[0]?.params ?? {}, event), {
    reviewers: ['ann', 'ben'],
  });
});

test('every placeholder that the configuration takes is filled in', () => {
  for (const name of TRIGGER_PLACEHOLDERS) {
    const event = {
      ...bareEvent,
      event: 'x',
      title: 'x',
      text: 'x',
      url: 'x',
      ref: 'x',
      repo: 'x',
      number: 1,
      author: 'x',
      labels: ['x'],
    };
    const { one } = renderTriggerParams({ one: `{{${name}}}` }, event);
    assert.ok(one === 'x' || one === '1', name);
  }
});

test('`svc config schema` knows the rules', () => {
  assert.equal(Object(buildConfigJsonSchema()).properties.triggers.items.required.sort(), [
    'events',
    'id',
    'plugin',
    'workflow',
  ]);
});

test.run();
