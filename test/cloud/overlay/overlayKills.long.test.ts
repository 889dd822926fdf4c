import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDice } from '../../support/cloud/createDice.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { startNodeProcess } from '../../support/cloud/startNodeProcess.ts';
import { ProposalClient, toProposalId, toSentProposal } from '../../support/cloud/teamProposals.ts';
import { asUser, pairHome, startTeamNode } from '../../support/cloud/testTeam.ts';

const test = suite('cloud: a node is killed while it changes an overlay');
const dbTest = defineDatabaseTests(test);

const ROUNDS = 8;
/** From the request until the kill, ms: an answer takes about half of it. */
const MOST_MS = 60;

dbTest('a proposal is applied as a whole, or can be applied again (CLD-3)', async () => {
  const dice = createDice(48);
  const node = await startTeamNode();
  const { body: paired } = await pairHome(node, { homeId: 'home1', name: 'ada' });
  const team = new ProposalClient(node, paired.token);
  const outcomes: string[] = [];
  try {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const id = toProposalId(`round ${round}`);
      const files = [
        { path: `memory/one-${round}.md`, base: null, text: 'one\n' },
        { path: `memory/two-${round}.md`, base: null, text: 'two\n' },
      ];
      await team.send(id, toSentProposal(files, { jobId: `job-${round}` }));
      await team.approve('ben', id);
      const other = await startNodeProcess(node.databaseUrl);
      const request = fetch(`${other.url}/teams/acme/proposals/${id}/apply`, {
        method: 'POST',
        headers: asUser('ben'),
        body: '{}',
      }).then(
        ({ status }) => status,
        () => null,
      );
      await new Promise((resolve) => setTimeout(resolve, dice() * MOST_MS));
      await other.kill();
      const answer = await request;
      // A statement of the killed node may still end; the next one for the same row waits for it.
      const again = await team.apply('ben', id);
      assert.ok(again.status === 200 || again.status === 409, JSON.stringify(again.body));
      if (answer === 200) assert.is(again.status, 409, 'what was answered counts');
      outcomes.push(`${answer} ${again.status}`);
      const { body: overlay } = await team.ask('vic', 'GET', '/overlay');
      assert.is(overlay.version, round, outcomes.join());
      assert.is(overlay.files.length, 2 * round);
      const { body: proposal } = await team.ask('vic', 'GET', `/proposals/${id}`);
      assert.is(proposal.state, 'applied');
    }
    assert.ok(
      outcomes.some((outcome) => outcome.startsWith('null')),
      'some were killed in time',
    );
  } finally {
    await node.stop();
  }
});

dbTest(
  'a saved file is the old one or the new one, and what was answered counts (CLD-3)',
  async () => {
    const dice = createDice(480);
    const node = await startTeamNode();
    const { body: paired } = await pairHome(node, { homeId: 'home1', name: 'ada' });
    const team = new ProposalClient(node, paired.token);
    const path = '/intelligence/file?path=memory/saved.md';
    const save = (url: string, etag: string | null, text: string) =>
      fetch(`${url}/teams/acme${path}`, {
        method: 'PUT',
        headers: { ...asUser('adm'), ...(etag === null ? {} : { 'If-Match': etag }) },
        body: JSON.stringify({ text }),
      });
    const outcomes: string[] = [];
    let etag: string | null = null;
    let old: string | null = null;
    try {
      for (let round = 1; round <= ROUNDS; round += 1) {
        const text = `round ${round}\n`;
        const other = await startNodeProcess(node.databaseUrl);
        const request = save(other.url, etag, text).then(
          ({ status }) => status,
          () => null,
        );
        await new Promise((resolve) => setTimeout(resolve, dice() * MOST_MS));
        await other.kill();
        const answer = await request;
        const readText = async () => (await team.ask('vic', 'GET', path)).body.text ?? null;
        const currentText = await readText();
        assert.ok(currentText === old || currentText === text, `${currentText}`);
        // A statement of the killed node may still end; the next version waits for it.
        const again = await save(node.url, etag, text);
        assert.ok(again.status === 200 || again.status >= 412, `${again.status}`);
        if (answer === 200 || currentText === text)
          assert.is.not(again.status, 200, 'what was saved counts');
        assert.is(await readText(), text);
        const { body: overlay } = await team.ask('vic', 'GET', '/overlay');
        assert.equal([overlay.version, overlay.files.length], [round, 1]);
        etag = `"${overlay.files[0].sha256}"`;
        old = text;
        outcomes.push(`${answer} ${again.status}`);
      }
      assert.ok(
        outcomes.some((outcome) => outcome === 'null 200'),
        outcomes.join(),
      );
    } finally {
      await node.stop();
    }
  },
);

test.run();
