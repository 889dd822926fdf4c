import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import CloudWebhookAddCommand from '../../cli/commands/cloud/webhook/add.ts';
import CloudWebhookListCommand from '../../cli/commands/cloud/webhook/list.ts';
import CloudWebhookRemoveCommand from '../../cli/commands/cloud/webhook/remove.ts';
import CloudWebhookRotateCommand from '../../cli/commands/cloud/webhook/rotate.ts';
import LoginCommand from '../../cli/commands/login.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { postgresPrograms, defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import { PASSWORD, PeopleStage } from '../support/cloud/peopleStage.ts';
import { waitUntil } from '../support/cloud/testTeam.ts';
import { sendWebhook } from '../support/cloud/webhookTeam.ts';
import { SLACK } from '../support/forges/signedSenders.ts';
import { createSigningSecret, enterRequestUrl } from '../support/forges/slackRequests.ts';

const test = suite('svc cloud webhook');
const dbTest = defineDatabaseTests(test);

let stage: PeopleStage;
let teamId: string;
let home: string;
let slackHash: string;

const signingSecret = createSigningSecret();

const lineWith = (input = ''): CommandLine => {
  const line = new CommandLine({ SVC_HOME: home, SVC_NO_OPEN: '1' }, input);
  line.fetch = globalThis.fetch;
  return line;
};

if (postgresPrograms.length > 0)
  test.before(async () => {
    home = await mkdtemp(join(tmpdir(), 'svc-cli-webhook-'));
    stage = await PeopleStage.open();
    teamId = await stage.addTeam('acme');
    await stage.addPerson('ada', 'owner', teamId);
    const how = ['--email', 'ada@svc.example', '--password', '-', '--json'];
    const argv = ['--cloud-url', stage.cloud.publicUrl, ...how];
    const { code, err } = await lineWith(`${PASSWORD}\n`).run(LoginCommand, argv);
    if (code !== 0) throw new Error(err);
  });
test.after(async () => {
  await stage?.close();
  await rm(home, { recursive: true, force: true });
});

dbTest(
  'add prints the address and the secret, and waits for the first webhook (CLI-1)',
  async () => {
    const line = lineWith();
    const adding = line.run(CloudWebhookAddCommand, ['github']);
    await line.written('Waiting for the first webhook');
    const [, secret = ''] = /Secret +([0-9a-f]{64})\n/.exec(line.shown) ?? [];
    assert.match(line.shown, `${stage.cloud.publicUrl}/webhook/${teamId}/github`);
    const ping = Buffer.from('{"zen":"Design for failure.","hook_id":1}');
    const reply = await sendWebhook(stage.cloud, 'github', { secret, team: teamId, body: ping });
    assert.is(reply.status, 202);
    await waitUntil(async () => {
      line.clock.advance(1_000);
      return line.shown.includes('The first webhook has come');
    });
    assert.is((await adding).code, 0);
  },
);

dbTest(
  'a secret that the sender makes is read from standard input, and never printed',
  async () => {
    const refused = await lineWith().run(CloudWebhookAddCommand, ['linear', '--json']);
    assert.is(refused.code, 2);
    const argv = ['linear', '--secret', '-', '--no-wait'];
    const { code, out } = await lineWith('lin_wh_the_secret_of_linear\n').run(
      CloudWebhookAddCommand,
      argv,
    );
    assert.equal([code, out.includes('lin_wh')], [0, false]);
  },
);

dbTest('list, rotate and remove say what they did', async () => {
  const result = await lineWith().run(CloudWebhookListCommand, []);
  assert.match(result.out, /github: the last [^\n]*\n {2}http[^\n]*\/github\n/);
  assert.match(result.out, 'linear: none in the last 7 days');
  const json = await lineWith().run(CloudWebhookListCommand, ['--json']);
  assert.equal(
    JSON.parse(json.out).webhooks.map(({ plugin }: { plugin: string }) => plugin),
    ['github', 'linear'],
  );
  const rotated = await lineWith().run(CloudWebhookRotateCommand, ['github']);
  assert.match(rotated.out, /Secret +[0-9a-f]{64}\n/);
  assert.match(rotated.out, 'The old secret is valid until');
  const argv = ['linear', '--yes', '--json'];
  const removed = await lineWith().run(CloudWebhookRemoveCommand, argv);
  assert.equal(JSON.parse(removed.out), { plugin: 'linear', removed: true });
  assert.is((await lineWith().run(CloudWebhookRemoveCommand, argv)).code, 3);
});

dbTest(
  'the manifest of an installed plugin is shown to an admin, and counts once it is accepted (CLD-4)',
  async () => {
    const { sql } = stage.database;
    const hello = { webhooks: [{ pluginId: 'slack', manifest: SLACK }] };
    await sql`
      insert into runners (id, team_id, home_id, name, accept, token_hash, token_at, created_at, hello)
      values ('r1', ${teamId}, 'h1', 'mac', 'own', 't1', ${new Date()}, ${new Date()}, ${sql.json(hello)})`;
    const add = (...flags: string[]) =>
      lineWith(`${signingSecret}\n`).run(CloudWebhookAddCommand, [
        'slack',
        '--secret',
        '-',
        '--no-wait',
        ...flags,
      ]);
    const result = await add();
    assert.is(result.code, 2);
    assert.match(result.err, '"signed": "v0:{timestamp}:{body}"');
    [, slackHash = ''] = /--accept ([0-9a-f]{64})/.exec(result.err) ?? [];
    assert.is((await add('--accept', 'f'.repeat(64))).code, 1);
    const { code, out } = await add('--accept', slackHash);
    assert.equal([code, out.includes(`/webhook/${teamId}/slack`)], [0, true]);
  },
);

dbTest(
  'the challenge of Slack ends the wait for its first webhook, once the address is entered there (CLI-1)',
  async () => {
    const remove = ['slack', '--yes', '--json'];
    assert.is((await lineWith().run(CloudWebhookRemoveCommand, remove)).code, 0);
    const line = lineWith(`${signingSecret}\n`);
    const argv = ['slack', '--secret', '-', '--accept', slackHash];
    const adding = line.run(CloudWebhookAddCommand, argv);
    await line.written('Waiting for the first webhook');
    assert.match(line.shown, 'Request URL');
    await enterRequestUrl(`${stage.cloud.url}/webhook/${teamId}/slack`, signingSecret);
    await waitUntil(async () => {
      line.clock.advance(1_000);
      return line.shown.includes('The first webhook has come');
    });
    assert.is((await adding).code, 0);
  },
);

dbTest('a sender that neither svc nor a runner knows is refused with what helps', async () => {
  const { code, err } = await lineWith().run(CloudWebhookAddCommand, ['unheard-of']);
  assert.is(code, 1);
  assert.match(err, 'no runner of the team has a plugin unheard-of');
});

test.run();
