import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SentProposal } from '../../../src/contract/schema/cloud/teamOverlay.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { ProposalClient, toProposalId, toSentProposal } from '../../support/cloud/teamProposals.ts';
import { asUser, pairHome, startTeamNode } from '../../support/cloud/testTeam.ts';

const test = suite("cloud: pull requests that change a team's overlay");
const dbTest = defineDatabaseTests(test);

const REPOSITORY = {
  forge: 'github',
  repository: 'acme/workflows',
  branch: 'main',
  folder: 'team',
};

let node: TestControlPlane;
/** The machine of an owner. */
let ada: ProposalClient;
/** The machine of a member. */
let ben: ProposalClient;
/** A runner of the pool. */
let pool: ProposalClient;

const pair = async (options: Parameters<typeof pairHome>[1]) =>
  new ProposalClient(node, (await pairHome(node, options)).body.token);

dbTest('a node, and machines of an owner, a member and the pool', async () => {
  node = await startTeamNode();
  ada = await pair({});
  ben = await pair({ userId: 'ben', homeId: 'home2', name: 'ben' });
  pool = await pair({ userId: 'adm', homeId: 'home3', name: 'pool', pool: true });
});
test.after(() => node?.stop());

const change = async (userId: string, overlayRepository: object | null) => {
  const body = JSON.stringify({ overlayRepository });
  const reply = await node.ask('/teams/acme', { method: 'PATCH', headers: asUser(userId), body });
  return { status: reply.status, body: await reply.json() };
};

dbTest('an admin sets the repository, a member cannot', async () => {
  assert.is((await change('ben', REPOSITORY)).status, 403);
  assert.equal((await change('adm', REPOSITORY)).body.overlayRepository, REPOSITORY);
  const team = await node.ask('/teams/acme', { headers: asUser('vic') });
  assert.equal((await team.json()).overlayRepository, REPOSITORY);
});

for (const wrong of [
  { repository: '../x' },
  { repository: '-x' },
  { repository: 'a//b' },
  { branch: 'a..b' },
  { branch: '--upload-pack' },
  { folder: '/etc' },
  { folder: 'a/../b' },
  { folder: './a' },
  { folder: 'a/.git/hooks' },
  { forge: 'GitHub' },
])
  dbTest(`a setting is refused: ${JSON.stringify(wrong)}`, async () => {
    assert.is((await change('adm', { ...REPOSITORY, ...wrong })).status, 422);
  });

const show = async (id: string) => (await ada.ask('vic', 'GET', `/proposals/${id}`)).body;
const readVersion = async () => (await ada.ask('vic', 'GET', '/overlay')).body.version;

/** An approved proposal that Ben has applied. */
async function applyProposal(name: string): Promise<{ id: string; sent: SentProposal }> {
  const id = toProposalId(name);
  const sent = toSentProposal([{ path: `memory/${name}.md`, base: null, text: 'Run make.\n' }]);
  await ada.send(id, { ...sent, jobId: name });
  await ada.approve('ada', id);
  assert.is((await ada.apply('ben', id)).body.state, 'applying');
  return { id, sent };
}
const report = (
  runner: ProposalClient,
  { id, sent }: { id: string; sent: SentProposal },
  body: object,
) => runner.ofRunner('POST', `/overlay/pulls/${id}`, { hash: sent.hash, attempt: 1, ...body });
const list = async (runner: ProposalClient) =>
  (await runner.ofRunner('GET', '/overlay/pulls')).body.pulls as { proposalId: string }[];
const isListed = async (runner: ProposalClient, id: string) =>
  (await list(runner)).some(({ proposalId }) => proposalId === id);
const OPEN = { state: 'open', number: 7, url: 'https://github.com/acme/workflows/pull/7' };

dbTest('applying asks for a pull request, and changes nothing itself (CLD-3)', async () => {
  const { id } = await applyProposal('asked');
  assert.match((await show(id)).problem, /github:acme\/workflows/);
  assert.is(await readVersion(), 0);
  assert.is((await ada.apply('ben', id)).body.code, 'not-possible-now');
});

dbTest('only a runner of the pool or of an admin is asked', async () => {
  const id = toProposalId('asked');
  assert.equal(await Promise.all([ada, pool, ben].map((one) => isListed(one, id))), [
    true,
    true,
    false,
  ]);
});

dbTest('one runner has it, and a repeat changes nothing', async () => {
  const pull = await applyProposal('once');
  const take = async (runner: ProposalClient) =>
    (await report(runner, pull, { state: 'taken' })).body.isTaken;
  assert.equal([await take(ada), await take(pool), await take(ada)], [true, false, true]);
  assert.is(await isListed(pool, pull.id), false);
  for (const url of [OPEN.url, 'https://github.com/acme/workflows/pull/8'])
    await report(ada, pull, { ...OPEN, url });
  assert.is((await show(pull.id)).link, OPEN.url);
});

dbTest('the merge makes the version, from the texts of the branch, once', async () => {
  const pull = { id: toProposalId('once'), sent: toSentProposal(ONCE_FILES) };
  const before = await readVersion();
  const merged = { state: 'merged', files: [{ path: 'memory/once.md', text: 'Run ninja.\n' }] };
  assert.is((await report(pool, pull, merged)).body.isTaken, false);
  await report(ada, pull, merged);
  assert.is((await report(ada, pull, merged)).body.isTaken, false);
  const proposal = await show(pull.id);
  assert.equal([proposal.state, proposal.link], ['applied', OPEN.url]);
  const { body: overlay } = await ada.ask('vic', 'GET', '/overlay');
  assert.equal([overlay.version, overlay.author], [before + 1, 'ben']);
  const [{ sha256 }] = overlay.files.filter(
    ({ path }: { path: string }) => path === 'memory/once.md',
  );
  const file = await node.ask(`/teams/acme/overlay/files/${sha256}`, { headers: asUser('vic') });
  assert.is(await file.text(), 'Run ninja.\n');
});
const ONCE_FILES = [{ path: 'memory/once.md', base: null, text: 'Run make.\n' }];

dbTest('what a runner reports is in the audit log', async () => {
  const { body } = await ada.ask('ada', 'GET', '/audit?limit=20');
  const actions = JSON.stringify(body);
  assert.match(actions, /openOverlayPull/);
  assert.match(actions, /mergeOverlayPull/);
});

dbTest('a merge with another file is refused, one with a fault makes no version', async () => {
  const pull = await applyProposal('faulty');
  await report(ada, pull, { state: 'taken' });
  await report(ada, pull, OPEN);
  const merge = (path: string, text: string) =>
    report(ada, pull, { state: 'merged', files: [{ path, text }] });
  assert.is((await merge('memory/other.md', 'x\n')).body.code, 'bad-argument');
  const before = await readVersion();
  await merge('memory/faulty.md', 'a\u202eb\n');
  assert.equal([(await show(pull.id)).state, await readVersion()], ['conflicted', before]);
});

dbTest('closed without a merge, a person decides, and can ask for another one', async () => {
  const pull = await applyProposal('closed');
  await report(ada, pull, { state: 'taken' });
  await report(ada, pull, OPEN);
  await report(ada, pull, { state: 'closed', reason: 'not wanted' });
  const { state, problem } = await show(pull.id);
  assert.is(state, 'conflicted');
  assert.ok(problem.includes(OPEN.url) && problem.includes('not wanted'));
  assert.is((await ada.apply('ben', pull.id)).body.state, 'applying');
  assert.is((await report(ada, pull, { state: 'taken' })).body.isTaken, false);
  assert.is((await report(pool, pull, { state: 'taken', attempt: 2 })).body.isTaken, true);
  assert.is((await ada.ask('ben', 'POST', `/proposals/${pull.id}/reject`, {})).status, 200);
  assert.is((await report(pool, pull, { ...OPEN, attempt: 2 })).body.isTaken, false);
});

dbTest('a runner that cannot open it gives it to another one', async () => {
  const pull = await applyProposal('unable');
  await report(ada, pull, { state: 'taken' });
  await report(ada, pull, { state: 'unable', reason: 'The token may not write.' });
  assert.is((await show(pull.id)).problem, 'The token may not write.');
  assert.equal([await isListed(ada, pull.id), await isListed(pool, pull.id)], [false, true]);
});

dbTest(
  'one that a runner can no longer follow shows why, and another runner follows it',
  async () => {
    const pull = await applyProposal('lost');
    await report(ada, pull, { state: 'taken' });
    await report(ada, pull, OPEN);
    await report(ada, pull, { state: 'unable', reason: 'The repository is gone.' });
    const { state, problem, link } = await show(pull.id);
    assert.equal([state, problem, link], ['applying', 'The repository is gone.', OPEN.url]);
    assert.equal([await isListed(ada, pull.id), await isListed(pool, pull.id)], [false, true]);
    await report(pool, pull, { state: 'taken' });
    assert.is((await show(pull.id)).problem, null);
    await report(pool, pull, { state: 'closed', reason: 'not wanted' });
    assert.is((await show(pull.id)).state, 'conflicted');
  },
);

dbTest('while it is set no version is made otherwise, and without it as before', async () => {
  const restore = () => ada.ask('adm', 'POST', '/overlay/restore', { version: 1, newest: 2 });
  const pull = await applyProposal('second');
  await report(ada, pull, { state: 'taken' });
  await report(ada, pull, OPEN);
  const files = [{ path: 'memory/second.md', text: 'Run make.\n' }];
  await report(ada, pull, { state: 'merged', files });
  assert.equal([(await restore()).body.code, await readVersion()], ['not-possible-now', 2]);
  await change('adm', null);
  assert.is((await restore()).body.version, 3);
});

test.run();
