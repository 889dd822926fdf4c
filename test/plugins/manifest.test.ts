import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parsePluginManifest } from '../../src/plugins/manifest.ts';
import { checkPluginConfig } from '../../src/plugins/pluginConfig.ts';
import type { PluginManifest } from '../../src/contract/schema/runner/plugin.ts';
import { CAPABILITIES, formatPackageJson } from '../support/pluginFolder.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite('plugins manifest');

const createManifest = (more: Record<string, unknown> = {}): unknown =>
  JSON.parse(formatPackageJson('it', more)).svc;
const wrong = async (more: Record<string, unknown>): Promise<string> =>
  (await catchRefusal(() => parsePluginManifest(createManifest(more)))).message;

test('a complete manifest is taken as it is', () => {
  assert.equal(parsePluginManifest(createManifest()), createManifest());
  const webhook = { algorithm: 'sha256', header: 'X-Signature', format: 'hex' };
  assert.equal(parsePluginManifest(createManifest({ webhook })).webhook, webhook);
});

test('characters that turn or end a line are written out, in texts and in messages', async () => {
  const manifest = parsePluginManifest(
    createManifest({
      title: 'good\u202Elive\u001B[2J',
      settings: { key: { type: 'string', description: 'a\u2066b' } },
    }),
  );
  assert.is(manifest.title, 'good\\u202Elive\\u001B[2J');
  assert.is(manifest.settings?.key?.description, 'a\\u2066b');
  const message = await wrong({ 'x\u001B\u202E': 1 });
  assert.not.match(message, '\u001B');
  assert.not.match(message, '\u202E');
});

test('every mistake is named with its place', async () => {
  assert.match(
    (await catchRefusal(() => parsePluginManifest(undefined))).message,
    /package\.json has no member "svc"/,
  );
  assert.match(await wrong({ contract: 2 }), /built for contract 2; this svc has 1/);
  assert.match(
    await wrong({ id: '../it', kinds: 'x' }),
    /svc\.kinds is not known.*svc\.id must match pattern/,
  );
  assert.match(
    await wrong({ webhook: { algorithm: 'md5', header: 'a b', format: 'hex' } }),
    /svc\.webhook\.algorithm.*svc\.webhook\.header/,
  );
  assert.match(
    await wrong({ kind: 'forge' }),
    /svc\.kind "forge" is not a kind of plugin\. Use one of: executor, scm, tracker, decider\./,
  );
  assert.match(await wrong({ offers: ['changes'] }), /"changes" is for plugins of kind scm only/);
  assert.match(
    await wrong({ offers: ['commentIn'] }),
    /"commentIn" is for plugins of kind tracker only/,
  );
  const webhook = { algorithm: 'sha256', header: 'X-Signature', format: 'hex' };
  const tracker = { kind: 'tracker', capabilities: undefined, webhook };
  assert.match(
    await wrong({ kind: 'tracker', capabilities: undefined, offers: ['commentIn'] }),
    /svc\.offers "commentIn" needs svc\.webhook: how deliveries are signed/,
  );
  assert.match(await wrong(tracker), /svc\.webhook of a tracker needs "commentIn" in svc\.offers/);
  const webhookSecret = { type: 'string', description: 'The secret.' };
  assert.match(
    await wrong({ ...tracker, offers: ['commentIn'], settings: { webhookSecret } }),
    /svc\.settings\.webhookSecret: svc gives every tracker with a webhook this setting/,
  );
  const pollSeconds = { type: 'integer', description: 'How often.' };
  assert.match(
    await wrong({ kind: 'scm', capabilities: undefined, settings: { pollSeconds } }),
    /svc\.settings\.pollSeconds: svc gives every forge this setting/,
  );
  assert.match(
    await wrong({ webhook: { algorithm: 'md5', header: 'X', format: 'hex' } }),
    /svc\.webhook\.algorithm must be one of sha256, sha512/,
  );
  assert.match(await wrong({ capabilities: undefined }), /svc\.capabilities is missing/);
  assert.match(
    await wrong({ capabilities: { ...CAPABILITIES, chat: 'read-only-agent' } }),
    /svc\.capabilities\.chat must be "none" or left out: only executors that are part of svc/,
  );
  assert.match(
    await wrong({ capabilities: { ...CAPABILITIES, stopsBetweenCalls: true } }),
    /svc\.capabilities\.stopsBetweenCalls needs reportsUsage "each-call"/,
  );
  assert.match(await wrong({ kind: 'tracker' }), /svc\.capabilities is for executors only/);
  assert.match(
    await wrong({ kind: 'tracker', capabilities: undefined, variants: ['a'] }),
    /svc\.variants is for executors only/,
  );
  for (const entry of ['/etc/x.js', '../x.js', 'a/../../x.js', 'file:///x.js', 'a\\..\\x.js']) {
    assert.match(await wrong({ entry }), /leaves the package/, entry);
  }
});

const manifest: PluginManifest = {
  ...parsePluginManifest(createManifest()),
  settings: {
    key: { type: 'string', description: 'The key.', required: true, secret: true },
    size: { type: 'integer', description: 'How large.', default: 3 },
    mode: { type: 'string', description: 'How.', enum: ['fast', 'slow'] },
  },
};

test("settings are checked by the plugin's own manifest, defaults filled in, values never quoted (CFG-2)", async () => {
  assert.equal(checkPluginConfig(manifest, { key: 'k' }), { key: 'k', size: 3 });
  const refusal = await catchRefusal(() =>
    checkPluginConfig(manifest, {
      size: 1.5,
      mode: 'canary',
      kye: 'canary',
      __proto__: { key: 'x' },
    }),
  );
  assert.equal(refusal.code, 'config-invalid');
  assert.equal(
    refusal.message,
    'plugins.installed.it.config: "kye" is not known (did you mean "key"?); "key" is missing: The key; "size" must be a whole number; "mode" must be one of fast, slow.',
  );
});

test.run();
