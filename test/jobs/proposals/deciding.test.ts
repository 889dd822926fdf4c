import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ProposalPorts, toProposalActorId, proposalChart } from '../../../machines/index.ts';
import type { ProposalDraft } from '../../../src/contract/workflow/proposing.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import type { Port } from '../../../src/kernel/port.ts';
import { applyProposal } from '../../../src/jobs/proposals/applyProposal.ts';
import { checkProposal } from '../../../src/jobs/proposals/checkProposal.ts';
import { createLayerTextReader } from '../../../src/jobs/proposals/createLayerTextReader.ts';
import { createProposalService } from '../../../src/jobs/proposals/proposalService.ts';
import { createTeamProposals } from '../../../src/jobs/proposals/teamProposals.ts';
import { createProposals } from '../../../src/jobs/proposals/proposals.ts';
import { createForges } from '../../../src/providers/forges.ts';
import type { Kernel, RowChange } from '../../../src/contract/records/changes.ts';
import type { Tables } from '../../../src/contract/records/tables.ts';
import { FileVersions } from '../../../src/jobs/workspace/editing/fileVersions.ts';
import { TenantFolder } from '../../../src/jobs/workspace/editing/tenantFolder.ts';
import { resolveOverlay } from '../../../src/jobs/workspace/jobOverlays.ts';
import type { Workplace } from '../../../src/jobs/workspace/workplace.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import { folderWith } from '../../support/intelligenceFolder.ts';
import { memoryStore } from '../../support/memoryStore.ts';
import { noOverlayGates } from '../../support/standIns/noOverlayGates.ts';

const test = suite('proposals: what people decide');

const AGENT = '---\ndescription: d\n---\nWork.\n';

/** A kernel with the chart and its ports, over a folder of the team. */
function stage() {
  const root = folderWith({ 'memory/a.md': 'one\ntwo\nthree\n' });
  const copies = folderWith({ 'README.md': 'x' });
  const overlay = { kind: 'localDir', path: root } as const;
  const settings = {
    baseIntelligence: folderWith({ 'agents/base.md': AGENT }),
    tenant: { id: 't', displayName: 'T', overlay },
    llm: { defaultProvider: 'command', aliases: {} },
    proposals: { routing: { strategy: 'path' } } as const,
  };
  const store = memoryStore();
  const clock = new SimulatedClock(1_000);
  const forges = createForges([]);
  const tenantFolder = new TenantFolder({ overlay }, '/home/intelligence');
  const workplace: Pick<Workplace, 'overlay'> = {
    overlay: (repo, use) => resolveOverlay(settings, { ...noOverlayGates, forges }, repo, use),
  };
  const ports: { [Name in keyof ProposalPorts]: Port<ProposalPorts[Name], Tables> } = {
    'proposal.check': (params, run) => checkProposal(deps)(params, run),
    'proposal.apply': (params, run) => applyProposal(deps)(params, run),
  };
  const kernel: Kernel = createKernel({
    screen: null,
    store: store.durable,
    charts: [proposalChart],
    ports,
    clock,
  });
  const writeRows = async (rows: RowChange[]) => void (await kernel.submit({ rows }));
  const textAt = createLayerTextReader({ settings, forges, remoteTenant: async () => null });
  const deps = {
    rows: store.rows,
    kernel,
    workplace,
    settings,
    ...noOverlayGates,
    forges,
    tenantFolder,
    textAt,
    copies,
    checkouts: copies,
    now: () => clock.now(),
    commit: writeRows,
    versions: new FileVersions({ rows: store.rows, writeRows, now: () => clock.now() }),
    writeForge: () => Promise.reject(new Error('no forge is asked')),
  };
  const proposals = createProposals(deps);
  const service = createProposalService(deps);
  let count = 0;
  const isOfTeam = { tenantFolder: { isOfTeam: true } };
  return {
    ...service,
    team: createTeamProposals({ ...deps, writeRows, ...isOfTeam }),
    root,
    versions: deps.versions,
    start: () => kernel.start(),
    read: (path: string) => readFileSync(join(root, path), 'utf8'),
    write(path: string, text: string) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    /** Proposes, and waits for its checks. */
    async propose(files: ProposalDraft['files'], kind: ProposalDraft['kind'] = 'memory') {
      const id = `${count++}`.padStart(16, 'p');
      const check = new Promise<void>((resolve) => {
        const stop = kernel.onCommit(({ steps }) => {
          const checked = steps.some(
            (step) =>
              step.id === toProposalActorId(id) && step.journal.event.type === 'proposal.checked',
          );
          if (!checked) return;
          stop();
          resolve();
        });
      });
      const by = { jobId: null, phase: null, repo: null, event: () => [] };
      await proposals.propose(id, { kind, description: 'Better.', files }, by);
      await check;
      return service.proposal(id);
    },
  };
}

const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => ['taken', ''],
    (error: { code: string; message: string }) => [error.code, error.message],
  );
const MEMORY = [{ path: 'memory/a.md', text: 'ONE\ntwo\nthree\n' }];

test('nothing is live before it is applied, and then all of it (INT-8)', async () => {
  const it = stage();
  await it.start();
  const { id, hash } = await it.propose(MEMORY);
  await it.approveProposal(id, { hash, author: 'ana' }, { by: 'login' });
  assert.is(it.read('memory/a.md'), 'one\ntwo\nthree\n');
  assert.is((await it.applyProposal(id, {}, { by: 'login' })).state, 'applied');
  assert.is(it.read('memory/a.md'), 'ONE\ntwo\nthree\n');
  const [version] = it.versions.history('memory/a.md');
  assert.equal([version?.author, version?.proposal], ['ana', id]);
});

test('what has changed in another place since is kept', async () => {
  const it = stage();
  await it.start();
  const { id, hash } = await it.propose(MEMORY);
  await it.approveProposal(id, { hash }, { by: 'token' });
  it.write('memory/a.md', 'one\ntwo\nTHREE\n');
  assert.is((await it.proposal(id)).drifted, true);
  await it.applyProposal(id, {}, { by: 'token' });
  assert.is(it.read('memory/a.md'), 'ONE\ntwo\nTHREE\n');
});

test('a conflict writes nothing, and is tried again once it is gone', async () => {
  const it = stage();
  await it.start();
  const { id, hash } = await it.propose(MEMORY);
  await it.approveProposal(id, { hash }, { by: 'token' });
  it.write('memory/a.md', 'uno\ntwo\nthree\n');
  assert.is((await it.applyProposal(id, {}, { by: 'token' })).state, 'conflicted');
  assert.is(it.read('memory/a.md'), 'uno\ntwo\nthree\n');
  it.write('memory/a.md', 'one\ntwo\nthree\n');
  assert.is((await it.applyProposal(id, {}, { by: 'token' })).state, 'applied');
});

test('an approval without a credential is refused, whatever the runner demands', async () => {
  const it = stage();
  await it.start();
  const { id, hash } = await it.propose(MEMORY);
  const [code] = await refusal(it.approveProposal(id, { hash }, { by: 'open' }));
  assert.is(code, 'unauthorized');
});

test('an approval of another content is refused', async () => {
  const it = stage();
  await it.start();
  const { id } = await it.propose(MEMORY);
  const [code] = await refusal(it.approveProposal(id, { hash: 'f'.repeat(64) }, { by: 'token' }));
  assert.is(code, 'precondition-failed');
});

test('what a proposal would run must be named (poisoned proposals)', async () => {
  const it = stage();
  await it.start();
  const text = '---\ndescription: d\ncommand: [sh, -c, evil]\n---\nWork.\n';
  const { id, hash, checks } = await it.propose([{ path: 'agents/x.md', text }], 'agent');
  const [code, message] = await refusal(it.approveProposal(id, { hash }, { by: 'token' }));
  assert.is(code, 'conflict');
  assert.match(message ?? '', /runs or reaches: sh -c evil/);
  const allow = checks?.warnings.map((warning) => warning.id) ?? [];
  assert.is((await it.approveProposal(id, { hash, allow }, { by: 'token' })).state, 'approved');
});

test('what the layer runs by then needs no new approval', async () => {
  const it = stage();
  await it.start();
  it.write('agents/x.md', AGENT);
  const text = AGENT.replace('Work.', 'Work well.');
  const { id, hash } = await it.propose([{ path: 'agents/x.md', text }], 'agent');
  await it.approveProposal(id, { hash }, { by: 'token' });
  const { checks } = await it.proposal(id);
  assert.equal(checks?.warnings, []);
  it.write('agents/x.md', AGENT.replace('description: d', 'description: d\ncommand: [make]'));
  // The command is in the layer already, by a person: only the text is new.
  assert.is((await it.applyProposal(id, {}, { by: 'token' })).state, 'applied');
});

test('a warning that came after the approval keeps it from being applied', async () => {
  const it = stage();
  await it.start();
  const text = AGENT.replace('description: d', 'description: d\ntools: [log]');
  const { id, hash, checks } = await it.propose([{ path: 'agents/review1.md', text }], 'agent');
  assert.equal(checks?.warnings, []);
  await it.approveProposal(id, { hash }, { by: 'token' });
  it.write('agents/reviewl.md', AGENT);
  const { state, problem } = await it.applyProposal(id, {}, { by: 'token' });
  assert.is(state, 'conflicted');
  assert.match(problem ?? '', /the approval does not cover.*looks like agents\/reviewl\.md/);
});

test('what is not approved cannot be applied', async () => {
  const it = stage();
  await it.start();
  const { id } = await it.propose(MEMORY);
  const [code, message] = await refusal(it.applyProposal(id, {}, { by: 'token' }));
  assert.is(code, 'not-possible-now');
  assert.match(message ?? '', /is open: apply is not possible\. It can be approved or rejected/);
});

test('a rejected one is over, and keeps the reason', async () => {
  const it = stage();
  await it.start();
  const { id, hash } = await it.propose(MEMORY);
  const { rejection } = await it.rejectProposal(
    id,
    { reason: 'no', author: 'ana' },
    { by: 'token' },
  );
  assert.equal([rejection?.author, rejection?.reason], ['ana', 'no']);
  const [code] = await refusal(it.approveProposal(id, { hash }, { by: 'token' }));
  assert.is(code, 'not-possible-now');
});

test('a proposal for the overlay of a team is what is sent, and follows what the team decides (CLD-3)', async () => {
  const it = stage();
  await it.start();
  const { id, hash } = await it.propose(MEMORY);
  assert.equal(it.team.list(), [id]);
  assert.equal(
    [it.team.read(id)?.hash, it.team.read(id)?.files],
    [hash, [{ path: 'memory/a.md', base: 'one\ntwo\nthree\n', text: 'ONE\ntwo\nthree\n' }]],
  );
  await it.team.follow({ id, hash, state: 'applied', author: 'ben', reason: null });
  assert.is((await it.proposal(id)).state, 'applied');
  assert.is(it.read('memory/a.md'), 'one\ntwo\nthree\n');
  assert.equal(it.team.list(), []);
  const other = await it.propose([{ path: 'memory/b.md', text: 'two\n' }]);
  await it.team.follow({ ...other, state: 'rejected', author: 'ben', reason: 'No.' });
  assert.equal(
    [(await it.proposal(other.id)).state, (await it.proposal(other.id)).rejection?.reason],
    ['rejected', 'No.'],
  );
});

test('the copy for people has the texts', async () => {
  const it = stage();
  await it.start();
  const { folder } = await it.propose(MEMORY);
  assert.is(
    readFileSync(join(folder ?? '', 'files', 'memory', 'a.md'), 'utf8'),
    'ONE\ntwo\nthree\n',
  );
});

test.run();
