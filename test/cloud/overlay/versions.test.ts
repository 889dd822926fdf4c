import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { ProposalClient, toProposalId, toSentProposal } from '../../support/cloud/teamProposals.ts';
import { asUser, pairHome, startTeamNode } from '../../support/cloud/testTeam.ts';

const test = suite("cloud: versions of a team's overlay");
const dbTest = defineDatabaseTests(test);

let node: TestControlPlane;
let team: ProposalClient;

/** Applies a change of one file as the next version. */
async function change(path: string, base: string | null, text: string | null): Promise<string> {
  const id = toProposalId(`${path} ${base} ${text}`);
  await team.send(id, toSentProposal([{ path, base, text }]));
  await team.approve('ben', id);
  assert.is((await team.apply('ben', id)).body.state, 'applied');
  return id;
}
const paths = ({ files }: { files: { path: string }[] }) => files.map(({ path }) => path);

dbTest('a team has no overlay at first', async () => {
  node = await startTeamNode();
  team = new ProposalClient(node, (await pairHome(node)).body.token);
  const { body } = await team.ask('vic', 'GET', '/overlay');
  assert.equal(body, {
    version: 0,
    at: null,
    author: null,
    proposalId: null,
    restores: null,
    files: [],
  });
});
test.after(() => node?.stop());

dbTest('each applied proposal is a version with its author (CLD-3)', async () => {
  await change('memory/a.md', null, 'one\n');
  const second = await change('memory/b.md', null, 'two\n');
  await change('memory/a.md', 'one\n', 'ONE\n');
  const { body } = await team.ask('vic', 'GET', '/overlay/versions');
  assert.equal(
    body.map(({ version, author, fileCount, bytes }: Record<string, unknown>) => [
      version,
      author,
      fileCount,
      bytes,
    ]),
    [
      [3, 'ben', 2, 8],
      [2, 'ben', 2, 8],
      [1, 'ben', 1, 4],
    ],
  );
  assert.is(body[1].proposalId, second);
});

dbTest('a version is compared with the one before it, or with any', async () => {
  const diff = async (query: string) =>
    (await team.ask('vic', 'GET', `/overlay/versions/3/diff${query}`)).body.files.map(
      (one: { path: string; change: string }) => [one.path, one.change],
    );
  assert.equal(await diff(''), [['memory/a.md', 'changed']]);
  assert.equal(await diff('?from=1'), [
    ['memory/a.md', 'changed'],
    ['memory/b.md', 'added'],
  ]);
  assert.equal(await diff('?from=0'), [
    ['memory/a.md', 'added'],
    ['memory/b.md', 'added'],
  ]);
  assert.is((await team.ask('vic', 'GET', '/overlay/versions/9/diff')).status, 404);
});

dbTest(
  'an older version counts again as the next one, if nothing has changed meanwhile',
  async () => {
    const restore = (userId: string, version: number, newest: number) =>
      team.ask(userId, 'POST', '/overlay/restore', { version, newest });
    assert.is((await restore('ben', 1, 3)).status, 403);
    assert.is((await restore('adm', 1, 2)).status, 409);
    assert.is((await restore('adm', 3, 3)).body.code, 'not-possible-now');
    const { body } = await restore('adm', 1, 3);
    assert.equal(
      [body.version, body.restores, body.author, paths(body)],
      [4, 1, 'adm', ['memory/a.md']],
    );
    const both = await Promise.all([restore('adm', 3, 4), restore('adm', 2, 4)]);
    assert.equal(both.map(({ status }) => status).toSorted(), [200, 409]);
  },
);

dbTest('a file is read by its content, as bytes that no browser shows', async () => {
  const { body } = await team.ask('vic', 'GET', '/overlay');
  const { sha256 } = body.files[0];
  const reply = await node.ask(`/teams/acme/overlay/files/${sha256}`, { headers: asUser('vic') });
  assert.equal(
    [reply.status, reply.headers.get('content-type')],
    [200, 'application/octet-stream'],
  );
  const foreign = await node.ask(`/teams/other/overlay/files/${sha256}`, {
    headers: asUser('eve'),
  });
  assert.is(foreign.status, 404);
});

dbTest('a runner gets the list of files only where it has another version', async () => {
  const { body } = await team.ofRunner('GET', '/overlay');
  assert.ok(body.files.length > 0);
  const again = await team.ofRunner('GET', `/overlay?known=${body.version}`);
  assert.equal(again.body, { version: body.version, files: null });
});

dbTest('a removed file is gone, and its text stays in the older version', async () => {
  const { body: before } = await team.ask('vic', 'GET', '/overlay');
  const { body: text } = { body: 'one\n' };
  const current = paths(before).includes('memory/b.md') ? 'memory/b.md' : 'memory/a.md';
  await change(current, current === 'memory/b.md' ? 'two\n' : text, null);
  const { body } = await team.ask('vic', 'GET', '/overlay');
  assert.not(paths(body).includes(current));
});

test.run();
