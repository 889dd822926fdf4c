import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_OPEN_PROPOSALS } from '../../../src/base/agents/proposals.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { ProposalClient } from '../../support/cloud/teamProposals.ts';
import { pairHome, startTeamNode } from '../../support/cloud/testTeam.ts';

const test = suite("cloud: what a member changes in the team's overlay is a proposal");
const dbTest = defineDatabaseTests(test);

let node: TestControlPlane;
let team: ProposalClient;

interface FileProposal {
  path?: string;
  text?: string | null;
  etag?: string | null;
  description?: string;
}

const propose = (
  userId: string,
  {
    path = 'memory/build.md',
    text = 'Run make.\n',
    etag = null,
    description = 'Say how.',
  }: FileProposal,
) =>
  team.ask(userId, 'POST', `/intelligence/proposals?path=${encodeURIComponent(path)}`, {
    description,
    text,
    etag,
  });
const readVersion = async (): Promise<number> =>
  (await team.ask('vic', 'GET', '/overlay')).body.version;
const readEtag = async (path: string): Promise<string> => {
  const { files } = (await team.ask('vic', 'GET', '/overlay')).body;
  return `"${files.find((file: { path: string }) => file.path === path).sha256}"`;
};

dbTest('a node', async () => {
  node = await startTeamNode();
  team = new ProposalClient(node, (await pairHome(node)).body.token);
});
test.after(() => node?.stop());

dbTest('it counts once another member has applied what was approved (CLD-3)', async () => {
  const { status, body } = await propose('ben', {});
  assert.equal(
    [status, body.state, body.kind, body.proposer, body.jobId, body.paths],
    [201, 'open', 'memory', 'ben', null, ['memory/build.md']],
  );
  assert.is(await readVersion(), 0);
  const { id } = body;
  assert.is((await team.apply('adm', id)).body.code, 'not-possible-now');
  assert.is(
    (await team.ask('adm', 'POST', `/proposals/${id}/approve`, { hash: 'a'.repeat(64) })).status,
    412,
  );
  await team.approve('adm', id);
  assert.is((await team.apply('ben', id)).body.code, 'forbidden');
  assert.is((await team.apply('adm', id)).body.state, 'applied');
  assert.is(await readVersion(), 1);
});

dbTest('a viewer cannot propose', async () => {
  assert.is((await propose('vic', { path: 'memory/x.md' })).status, 403);
});

dbTest('it is for the text that was read, as a save is', async () => {
  const late = { text: 'Run ninja.\n' };
  assert.is((await propose('ben', late)).body.code, 'precondition-required');
  assert.is((await propose('ben', { ...late, etag: '"x"' })).body.code, 'precondition-failed');
  const etag = await readEtag('memory/build.md');
  assert.is((await propose('ben', { etag })).body.code, 'not-possible-now');
  const { body } = await propose('ben', { ...late, etag: `W/${etag}` });
  assert.equal(
    [body.files[0].base, body.files[0].proposed, body.files[0].change],
    ['Run make.\n', 'Run ninja.\n', 'changed'],
  );
});

dbTest('a removal can be proposed, and replaces what the same person proposed', async () => {
  const etag = await readEtag('memory/build.md');
  const { body } = await propose('ben', { text: null, etag });
  assert.is(body.files[0].change, 'removed');
  const { body: list } = await team.ask('vic', 'GET', '/proposals?state=superseded');
  assert.equal(
    list.map((one: { supersededBy: string }) => one.supersededBy),
    [body.id],
  );
  assert.is((await propose('ben', { path: 'memory/no.md', text: null })).body.code, 'not-found');
});

dbTest('what others propose for the same file stays', async () => {
  const etag = await readEtag('memory/build.md');
  await propose('ada', { text: 'Run bazel.\n', etag });
  const { body: list } = await team.ask('vic', 'GET', '/proposals?state=open');
  assert.equal(
    list.map((one: { proposer: string }) => one.proposer),
    ['ada', 'ben'],
  );
});

dbTest('warnings and findings are those of a proposal of an agent', async () => {
  const text = '---\ndescription: d\ncommand: [sh, run.sh]\n---\nDo it.\n';
  const { body } = await propose('ben', { path: 'agents/runs.md', text });
  assert.ok(body.checks.warnings.some(({ kind }: { kind: string }) => kind === 'runs'));
  const approval = { hash: body.hash, allow: [] };
  const bare = await team.ask('adm', 'POST', `/proposals/${body.id}/approve`, approval);
  assert.is(bare.body.code, 'conflict');
});

dbTest('a person has a limit of undecided proposals', async () => {
  let last = await propose('adm', { path: 'memory/n0.md' });
  for (let n = 1; n <= MAX_OPEN_PROPOSALS; n += 1)
    last = await propose('adm', { path: `memory/n${n}.md` });
  assert.is(last.body.code, 'not-possible-now');
});

dbTest(
  'a team whose overlay is in a repository saves nothing: its admins propose too',
  async () => {
    const repository = {
      forge: 'github',
      repository: 'acme/overlay',
      branch: 'main',
      folder: 'svc',
    };
    await team.ask('adm', 'PATCH', '', { overlayRepository: repository });
    const { layers } = (await team.ask('adm', 'GET', '/intelligence/layers')).body;
    assert.equal(
      layers.map((layer: { editable: boolean }) => layer.editable),
      [false, false],
    );
    const { body } = await propose('ada', { path: 'memory/pull.md' });
    await team.approve('adm', body.id);
    assert.is((await team.apply('adm', body.id)).body.state, 'applying');
  },
);

dbTest('the audit log names the file', async () => {
  const { body } = await team.ask('adm', 'GET', '/audit?action=proposeTeamFile&limit=1');
  assert.equal(
    body.entries.map(({ person, target }: { person: string; target: object }) => [person, target]),
    [['ada', { path: 'memory/pull.md' }]],
  );
});

test.run();
