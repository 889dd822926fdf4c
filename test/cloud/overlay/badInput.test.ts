import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_PROPOSAL_FILE_CHARS, type ProposalKind } from '../../../src/base/agents/proposals.ts';
import { MAX_INTELLIGENCE_CHARS } from '../../../src/contract/schema/workflow/intelligence.ts';
import { MAX_LAYER_FILE_BYTES } from '../../../src/workflows/overlay/layer.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { ProposalClient, toProposalId, toSentProposal } from '../../support/cloud/teamProposals.ts';
import { pairHome, startTeamNode } from '../../support/cloud/testTeam.ts';

const test = suite("cloud: what no file of a team's overlay may be");
const dbTest = defineDatabaseTests(test);

const BROKEN_WORKFLOW = '---\ninitial_phase: a\nphases: [\n---\n';
const BROKEN_AGENT = '---\ndescription: [\n---\nDo it.\n';
const UNKNOWN_AGENT =
  '---\ninitial_phase: a\nphases:\n  - { name: a, agent: agents/none.md }\n---\n';

interface BadFile {
  path: string;
  text?: string;
  kind?: ProposalKind;
  /** Code of the refusal of a save by an admin, of a member's proposal, and of a proposal of an agent. */
  codes: readonly [saved: string, proposed: string, sent: string];
}

const REFUSED = ['bad-argument', 'bad-argument', 'bad-argument'] as const;
const INVALID = ['workflow-invalid', 'workflow-invalid', 'workflow-invalid'] as const;

/** By what is wrong. */
const BAD_FILES: Readonly<Record<string, BadFile>> = {
  'a path that leaves the layer': { path: 'memory/../../x.md', codes: REFUSED },
  'a path with a dot for a part': { path: 'memory/./x.md', codes: REFUSED },
  'an empty part': { path: 'memory//x.md', codes: REFUSED },
  'an absolute path': { path: '/etc/x.md', codes: REFUSED },
  'a drive': { path: 'C:/memory/x.md', codes: REFUSED },
  'a backslash': { path: 'memory\\..\\x.md', codes: REFUSED },
  'a NUL': { path: 'memory/a\0.md', codes: REFUSED },
  'a character that is not visible': { path: 'memory/a\u202e.md', codes: REFUSED },
  'a path that is too long': {
    path: `memory/${'x'.repeat(600)}.md`,
    codes: ['bad-argument', 'bad-argument', 'invalid'],
  },
  'a script': { path: 'scripts/run.sh', codes: REFUSED },
  'a program beside an agent': { path: 'agents/run.mjs', codes: REFUSED },
  'settings with hooks': { path: '.claude/settings.json', codes: REFUSED },
  'tool servers': { path: '.mcp.json', codes: REFUSED },
  'a file of git': { path: '.git/hooks/post-checkout', codes: REFUSED },
  'broken front matter of a workflow': {
    path: 'workflows/broken.md',
    text: BROKEN_WORKFLOW,
    kind: 'workflow',
    codes: INVALID,
  },
  'broken front matter of an agent': {
    path: 'agents/broken.md',
    text: BROKEN_AGENT,
    kind: 'agent',
    codes: INVALID,
  },
  'an agent that does not exist': {
    path: 'workflows/unknown.md',
    text: UNKNOWN_AGENT,
    kind: 'workflow',
    codes: INVALID,
  },
  'a text that is longer than a proposal may have': {
    path: 'memory/long.md',
    text: 'x'.repeat(MAX_PROPOSAL_FILE_CHARS + 1),
    codes: ['', 'too-large', 'too-large'],
  },
  'a text that is longer than the page may save': {
    path: 'memory/huge.md',
    text: 'x'.repeat(MAX_INTELLIGENCE_CHARS + 1),
    codes: ['invalid', 'too-large', 'too-large'],
  },
  'a body that is larger than any': {
    path: 'memory/flood.md',
    text: 'x'.repeat(13 * 1024 * 1024),
    codes: ['too-large', 'too-large', 'too-large'],
  },
};

let node: TestControlPlane;
/** What people ask, and what the machine of an owner sends. */
let team: ProposalClient;

dbTest('a node', async () => {
  node = await startTeamNode();
  team = new ProposalClient(node, (await pairHome(node)).body.token);
});
test.after(() => node?.stop());

const toQuery = (path: string): string => `path=${encodeURIComponent(path)}`;
const readState = async () => ({
  version: (await team.ask('vic', 'GET', '/overlay')).body.version,
  proposals: (await team.ask('vic', 'GET', '/proposals')).body.length,
});
const readCode = ({ status, body }: { status: number; body: { code?: string } }): string =>
  status < 300 ? '' : (body.code ?? String(status));

for (const [what, { path, text = 'x\n', kind = 'memory', codes }] of Object.entries(BAD_FILES))
  dbTest(`refused by every door, and nothing is stored: ${what} (CLD-3)`, async () => {
    const before = await readState();
    const body = { description: 'Why.', text, etag: null };
    const proposed = await team.ask(
      'ben',
      'POST',
      `/intelligence/proposals?${toQuery(path)}`,
      body,
    );
    const reply = await team.send(
      toProposalId(what),
      toSentProposal([{ path, base: null, text }], { kind }),
    );
    // Last, since it may succeed.
    const saved = await team.ask('adm', 'PUT', `/intelligence/file?${toQuery(path)}`, { text });
    assert.equal([saved, proposed, reply].map(readCode), codes);
    const isSaved = codes[0] === '';
    assert.equal(await readState(), { ...before, version: before.version + (isSaved ? 1 : 0) });
  });

/** A proposal whose pull request the machine of the owner follows. */
async function openPull(name: string, path: string, text: string, kind: ProposalKind) {
  const id = toProposalId(name);
  const proposal = toSentProposal([{ path, base: null, text }], { kind, jobId: name });
  assert.is((await team.send(id, proposal)).status, 200);
  await team.approve('ada', id);
  assert.is((await team.apply('ben', id)).body.state, 'applying');
  const report = (body: object) =>
    team.ofRunner('POST', `/overlay/pulls/${id}`, { hash: proposal.hash, attempt: 1, ...body });
  await report({ state: 'taken' });
  await report({ state: 'open', number: 1, url: 'https://github.com/acme/workflows/pull/1' });
  return { id, report };
}

const AGENT = '---\ndescription: d\n---\nDo it.\n';
const WORKFLOW =
  '---\ninitial_phase: a\nphases:\n  - { name: a, agent: agents/coder.md, status: coding }\n---\n\nW.\n';

/** Texts that a reviewer has put into the branch, by what is wrong with them. */
const BAD_MERGES: Readonly<
  Record<string, { path: string; text: string; good: string; kind: ProposalKind }>
> = {
  'broken front matter of a workflow': {
    path: 'workflows/merged.md',
    text: BROKEN_WORKFLOW,
    good: WORKFLOW,
    kind: 'workflow',
  },
  'broken front matter of an agent': {
    path: 'agents/merged.md',
    text: BROKEN_AGENT,
    good: AGENT,
    kind: 'agent',
  },
  'a program that no one has approved': {
    path: 'agents/runs.md',
    text: '---\ndescription: d\ncommand: [sh, run.sh]\n---\nDo it.\n',
    good: AGENT,
    kind: 'agent',
  },
  'more bytes than a file may have': {
    path: 'memory/large.md',
    text: 'ж'.repeat(MAX_LAYER_FILE_BYTES / 2 + 1),
    good: 'x\n',
    kind: 'memory',
  },
};

dbTest('the overlay is in a repository', async () => {
  const overlayRepository = { forge: 'github', repository: 'a/b', branch: null, folder: null };
  assert.is((await team.ask('adm', 'PATCH', '', { overlayRepository })).status, 200);
});

for (const [what, { path, text, good, kind }] of Object.entries(BAD_MERGES))
  dbTest(`a merge makes no version, and a person decides: ${what} (CLD-3)`, async () => {
    const { id, report } = await openPull(what, path, good, kind);
    const { version } = await readState();
    await report({ state: 'merged', files: [{ path, text }] });
    const { body } = await team.ask('vic', 'GET', `/proposals/${id}`);
    assert.equal([body.state, (await readState()).version], ['conflicted', version]);
    assert.ok(body.problem.includes(path), body.problem);
  });

for (const path of ['memory/../x.md', '/etc/x.md', '.git/config', 'scripts/run.sh'])
  dbTest(`a merge of another file is refused: ${path} (CLD-3)`, async () => {
    const { id, report } = await openPull(`other ${path}`, 'memory/other.md', 'x\n', 'memory');
    const reply = await report({ state: 'merged', files: [{ path, text: 'x\n' }] });
    assert.is(reply.body.code, 'bad-argument');
    assert.is((await team.ask('vic', 'GET', `/proposals/${id}`)).body.state, 'applying');
  });

test.run();
