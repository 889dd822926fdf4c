import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import type { Database } from '../../../src/cloud/database/database.ts';
import { MAX_OPEN_PROPOSALS } from '../../../src/base/agents/proposals.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { ProposalClient, toProposalId, toSentProposal } from '../../support/cloud/teamProposals.ts';
import { BareRunner, pairHome, waitUntil, startTeamNode } from '../../support/cloud/testTeam.ts';
import { connectDouble, toRow } from '../../support/cloud/doubleRunner.ts';

const test = suite("cloud: proposals for a team's overlay");
const dbTest = defineDatabaseTests(test);

let node: TestControlPlane;
let other: TestControlPlane;
/** Ada's machine. */
let ada: ProposalClient;
/** The same on the other node. */
let elsewhere: ProposalClient;
let database: Database;

const memory = (name: string, text: string, base: string | null = null) => [
  { path: `memory/${name}.md`, base, text },
];

dbTest('two nodes, and a machine of Ada', async () => {
  node = await startTeamNode();
  other = await startTeamNode({ databaseUrl: node.databaseUrl });
  const { token } = (await pairHome(node)).body;
  database = await openDatabase(node.databaseUrl, { log: silentLog, max: 1 });
  ada = new ProposalClient(node, token);
  elsewhere = new ProposalClient(other, token);
});
test.after(async () => {
  await database?.close();
  await node?.stop();
  await other?.stop();
});

dbTest('a proposal is stored once, however often it is sent (INT-8, CLD-3)', async () => {
  const id = toProposalId('once');
  const proposal = toSentProposal(memory('once', 'Run make.\n'));
  for (const client of [ada, elsewhere, ada]) {
    const { status, body } = await client.send(id, proposal);
    assert.equal([status, body.state], [200, 'open']);
  }
  const { body } = await ada.ask('vic', 'GET', '/proposals');
  assert.is(body.filter((one: { id: string }) => one.id === id).length, 1);
});

dbTest('another proposal cannot take its ID', async () => {
  const { status, body } = await ada.send(
    toProposalId('once'),
    toSentProposal(memory('once', 'Run ninja.\n')),
  );
  assert.equal([status, body.code], [409, 'conflict']);
});

dbTest('a runner sees only its own proposals', async () => {
  const { body: paired } = await pairHome(node, { userId: 'ben', homeId: 'home2', name: 'ben' });
  const ben = new ProposalClient(node, paired.token);
  const { status } = await ben.ofRunner('GET', `/proposals/${toProposalId('once')}`);
  assert.is(status, 404);
});

const BROKEN = '---\ninitial_phase: a\nphases: [\n---\n';
const BAD: readonly [why: string, sent: Parameters<typeof toSentProposal>, code: string][] = [
  [
    'a path that leaves the layer',
    [[{ path: 'memory/../x.md', base: null, text: 'x' }]],
    'bad-argument',
  ],
  ['an absolute path', [[{ path: '/etc/x.md', base: null, text: 'x' }]], 'bad-argument'],
  ['a path of git', [[{ path: '.git/config', base: null, text: 'x' }]], 'bad-argument'],
  ['a program', [[{ path: 'memory/run.sh', base: null, text: 'x' }]], 'bad-argument'],
  [
    'letters that look alike',
    [[{ path: 'memory/tеam.md', base: null, text: 'x' }]],
    'bad-argument',
  ],
  ['a huge file', [memory('huge', 'x'.repeat(65 * 1024))], 'too-large'],
  [
    'broken front matter',
    [[{ path: 'workflows/broken.md', base: null, text: BROKEN }], { kind: 'workflow' }],
    'workflow-invalid',
  ],
  ['another hash', [memory('hash', 'x'), { hash: 'a'.repeat(64) }], 'bad-argument'],
];
for (const [why, args, code] of BAD)
  dbTest(`a runner is not believed: ${why}`, async () => {
    const id = toProposalId(why);
    const { body } = await ada.send(id, toSentProposal(...args));
    assert.is(body.code, code);
    assert.is((await ada.ask('vic', 'GET', `/proposals/${id}`)).status, 404);
  });

dbTest('the control plane finds the warnings itself, and an approval must name them', async () => {
  const id = toProposalId('warned');
  const text = '---\ndescription: d\ncommand: [sh, run.sh]\n---\nDo it.\n';
  const files = [{ path: 'agents/warned.md', base: null, text }];
  await ada.send(id, toSentProposal(files, { kind: 'agent', jobId: 'job-warned' }));
  const { body } = await ada.ask('ben', 'GET', `/proposals/${id}`);
  assert.ok(body.checks.warnings.some(({ kind }: { kind: string }) => kind === 'runs'));
  const { hash } = body;
  const approve = (allow: string[]) =>
    ada.ask('ben', 'POST', `/proposals/${id}/approve`, { hash, allow });
  assert.is((await approve([])).body.code, 'conflict');
  assert.is((await approve(['unknown-1'])).body.code, 'bad-argument');
  assert.is((await ada.approve('ben', id)).body.state, 'approved');
});

dbTest('an approval is of one hash', async () => {
  const hash = 'b'.repeat(64);
  const path = `/proposals/${toProposalId('once')}/approve`;
  const { status } = await ada.ask('ben', 'POST', path, { hash, allow: [] });
  assert.is(status, 412);
});

dbTest('it cannot be applied before it is approved', async () => {
  const { body } = await ada.apply('ben', toProposalId('once'));
  assert.equal([body.code, body.data?.state ?? body.state], ['not-possible-now', 'open']);
});

dbTest('the creator of its job does not apply it, another person does (CLD-3)', async () => {
  const id = toProposalId('once');
  await ada.approve('ada', id);
  assert.is((await ada.apply('ada', id)).body.code, 'forbidden');
  const { body } = await ada.apply('ben', id);
  assert.equal([body.state, body.approval.author], ['applied', 'ada']);
  const { body: overlay } = await ada.ask('vic', 'GET', '/overlay');
  assert.equal(
    [
      overlay.version,
      overlay.author,
      overlay.proposalId,
      overlay.files.map((one: { path: string }) => one.path),
    ],
    [1, 'ben', id, ['memory/once.md']],
  );
});

dbTest('who dispatched the job is its creator, also of a part of it', async () => {
  const {
    runner,
    runnerId,
    token: ofAdm,
  } = await connectDouble(node, { homeId: 'home-adm', hello: { name: 'adm' }, userId: 'adm' });
  runner.sendJobs([toRow('root'), toRow('part', { parentJobId: 'root' })]);
  await waitUntil(async () => (await ada.ask('vic', 'GET', '/jobs')).body.length >= 2);
  const now = new Date();
  await database.sql`
    insert into dispatches (id, team_id, created_by, body, state, reason, reason_since, created_at, runner_id, job_id)
    values ('d1', 'acme', 'ben', '{}', 'placed', 'placed', ${now}, ${now}, ${runnerId}, 'root')`;
  const far = new ProposalClient(node, ofAdm);
  const id = toProposalId('part');
  await far.send(id, toSentProposal(memory('part', 'x\n'), { jobId: 'part' }));
  await far.approve('ada', id);
  assert.is((await far.apply('ben', id)).body.code, 'forbidden');
  assert.is((await far.apply('ada', id)).body.state, 'applied');
  runner.close();
});

dbTest('applied twice at once on two nodes it makes one version (CLD-3)', async () => {
  const before = (await ada.ask('vic', 'GET', '/overlay')).body.version;
  const id = toProposalId('race');
  await ada.send(id, toSentProposal(memory('race', 'x\n')));
  await ada.approve('ben', id);
  const answers = await Promise.all(
    [ada, elsewhere, ada, elsewhere].map((client) => client.apply('ben', id)),
  );
  assert.equal(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409]);
  assert.is((await ada.ask('vic', 'GET', '/overlay')).body.version, before + 1);
});

dbTest(
  'different proposals that are applied at once all count, in versions of their own',
  async () => {
    const before = (await ada.ask('vic', 'GET', '/overlay')).body;
    const ids = ['one', 'two', 'three'].map((name) => toProposalId(`parallel-${name}`));
    for (const id of ids) {
      await ada.send(id, toSentProposal(memory(id, 'x\n')));
      await ada.approve('ben', id);
    }
    const answers = await Promise.all(
      ids.map((id, at) => (at % 2 === 0 ? ada : elsewhere).apply('ben', id)),
    );
    assert.equal(
      answers.map(({ body }) => body.state),
      ['applied', 'applied', 'applied'],
    );
    const after = (await ada.ask('vic', 'GET', '/overlay')).body;
    assert.equal(
      [after.version, after.files.length],
      [before.version + 3, before.files.length + 3],
    );
  },
);

dbTest(
  'what others have changed since is merged, or the proposal is conflicted and says where',
  async () => {
    const text = 'one\ntwo\nthree\nfour\nfive\n';
    const put = async (name: string, files: ReturnType<typeof memory>) => {
      await ada.send(toProposalId(name), toSentProposal(files));
      await ada.approve('ben', toProposalId(name));
      return (await ada.apply('ben', toProposalId(name))).body;
    };
    await put('merge-base', memory('merged', text));
    await put('merge-first', memory('merged', text.replace('one', 'ONE'), text));
    assert.is(
      (await put('merge-second', memory('merged', text.replace('five', 'FIVE'), text))).state,
      'applied',
    );
    const { body } = await ada.ask('vic', 'GET', `/proposals/${toProposalId('merge-second')}`);
    assert.match(body.files[0].diff, '+FIVE');
    const clash = await put('merge-third', memory('merged', text.replace('one', 'Uno'), text));
    assert.is(clash.state, 'conflicted');
    assert.match(clash.problem, 'memory/merged.md');
    assert.is(
      (await ada.ask('ben', 'POST', `/proposals/${clash.id}/reject`, { reason: 'no' })).body.state,
      'rejected',
    );
  },
);

dbTest('a later proposal of the job for the same files supersedes an open one', async () => {
  const [first, second] = [toProposalId('earlier'), toProposalId('later')];
  await ada.send(first, toSentProposal(memory('again', 'x\n')));
  await ada.send(second, toSentProposal(memory('again', 'y\n')));
  const { body } = await ada.ofRunner('GET', `/proposals/${first}`);
  assert.is(body.state, 'superseded');
});

dbTest('the runner reads who has rejected it and why', async () => {
  const id = toProposalId('later');
  await ada.ask('ben', 'POST', `/proposals/${id}/reject`, { reason: 'Not with make.' });
  const { body } = await ada.ofRunner('GET', `/proposals/${id}`);
  assert.equal([body.state, body.author, body.reason], ['rejected', 'ben', 'Not with make.']);
});

dbTest('a job has a limit of undecided proposals', async () => {
  const send = (name: string) =>
    ada.send(toProposalId(name), toSentProposal(memory(name, 'x\n'), { jobId: 'job-many' }));
  await send('many');
  await database.sql`
    insert into proposals (team_id, id, runner_id, job_id, kind, description, content, hash, checks, warnings, state,
      created_at, changed_at)
    select team_id, 'many' || n, runner_id, job_id, kind, description, content, hash, checks, warnings, state,
      created_at, changed_at
    from proposals, generate_series(2, ${MAX_OPEN_PROPOSALS}::int) n where id = ${toProposalId('many')}`;
  assert.is((await send('one-more')).body.code, 'not-possible-now');
});

dbTest('lists are filtered, and wait for a person with needs=me', async () => {
  const states = async (query: string) =>
    new Set(
      (await ada.ask('vic', 'GET', `/proposals${query}`)).body.map(
        (one: { state: string }) => one.state,
      ),
    );
  assert.equal(await states('?state=rejected'), new Set(['rejected']));
  assert.not((await states('?needs=me')).has('applied'));
  const { body } = await ada.ask('vic', 'GET', '/proposals?job=job-many&limit=5');
  assert.is(body.length, 5);
});

dbTest('every runner of the team is notified of a change, on whichever node (CLD-3)', async () => {
  const { body: paired } = await pairHome(node, { userId: 'ben', homeId: 'home9', name: 'far' });
  const bare = new BareRunner(other, paired.token);
  await bare.hello({ homeId: 'home9' });
  await bare.find('overlay');
  const before = bare.frames.filter(({ type }) => type === 'overlay').length;
  const id = toProposalId('pushed');
  await ada.send(id, toSentProposal(memory('pushed', 'x\n')));
  await ada.approve('ben', id);
  await ada.apply('ben', id);
  await waitUntil(() => bare.frames.filter(({ type }) => type === 'overlay').length > before);
  bare.socket.terminate();
});

test.run();
