import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProposalClient, toProposalId, toSentProposal } from '../support/cloud/teamProposals.ts';
import { defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import { asUser, pairHome, startTeamNode, waitUntil } from '../support/cloud/testTeam.ts';
import { PATIENCE_MS } from '../support/inTime.ts';
import { Story } from '../support/story.ts';

const test = suite('story: the overlay of a team in a repository');
const dbTest = defineDatabaseTests(test);

const WORKFLOW = 'initial_phase: a\nphases:\n  - { name: a, agent: agents/a.md, status: coding }';

dbTest(
  'a runner opens the pull request that applies a proposal, its merge makes the version from what is merged, and a closed one goes back to a person (CLD-3)',
  async () => {
    const node = await startTeamNode();
    const story = new Story({ workflow: WORKFLOW, programs: {}, config: { tenant: {} } });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', story.repository, ...args], { encoding: 'utf8' }).trim();
    try {
      await story.runner.start();
      const homeId = JSON.parse(readFileSync(join(story.home, 'home.json'), 'utf8')).id;
      const { token } = (await pairHome(node, { homeId })).body;
      await story.client.updateConfig({ cloud: { url: node.url, token } });
      const repository = { forge: 'local', repository: 'repo', branch: null, folder: 'team' };
      await node.ask('/teams/acme', {
        method: 'PATCH',
        headers: asUser('adm'),
        body: JSON.stringify({ overlayRepository: repository }),
      });
      const team = new ProposalClient(node, token);
      const send = async (name: string) => {
        const id = toProposalId(name);
        const proposal = toSentProposal([
          { path: `memory/${name}.md`, base: null, text: 'make\n' },
        ]);
        await team.send(id, { ...proposal, jobId: name });
        await team.approve('ada', id);
        return { id, hash: proposal.hash };
      };
      const show = async (id: string) => (await team.ask('vic', 'GET', `/proposals/${id}`)).body;
      const open = async (name: string) => {
        const { id, hash } = await send(name);
        await team.apply('ben', id);
        await waitUntil(async () => (await show(id)).link !== null, PATIENCE_MS);
        return { id, hash };
      };
      /** The runner looks now, not within a minute: something else of the team has changed. */
      const nudge = async (name: string) => {
        const { id } = await send(name);
        await team.ask('ben', 'POST', `/proposals/${id}/reject`, {});
      };

      const merged = await open('merged');
      const [pr] = await story.client.pullRequests('repo');
      assert.equal([pr?.state, pr?.head], ['open', `svc/proposal-${merged.id}`]);
      assert.ok(pr?.body.includes(merged.id) && pr.body.includes(merged.hash));
      assert.is(git('show', `${pr?.head}:team/memory/merged.md`), 'make');
      assert.is(git('rev-list', '--count', `HEAD..${pr?.head}`), '1');
      assert.is((await team.ask('vic', 'GET', '/overlay')).body.version, 0);

      // A reviewer changes the text on the branch.
      const clone = join(story.dir, 'clone');
      execFileSync('git', ['clone', '-q', '-b', String(pr?.head), story.repository, clone]);
      mkdirSync(join(clone, 'team', 'memory'), { recursive: true });
      writeFileSync(join(clone, 'team', 'memory', 'merged.md'), 'ninja\n');
      const identity = ['-c', 'user.name=r', '-c', 'user.email=r@svc.invalid'];
      execFileSync('git', ['-C', clone, ...identity, 'commit', '-qam', 'Use ninja']);
      execFileSync('git', ['-C', clone, 'push', '-q']);
      await story.client.mergePullRequest('repo', Number(pr?.number), {});
      await nudge('one');
      await waitUntil(async () => (await show(merged.id)).state === 'applied', PATIENCE_MS);
      const { body: overlay } = await team.ask('vic', 'GET', '/overlay');
      assert.equal([overlay.version, overlay.proposalId], [1, merged.id]);
      const file = `/teams/acme/overlay/files/${overlay.files[0].sha256}`;
      assert.is(await (await node.ask(file, { headers: asUser('vic') })).text(), 'ninja\n');

      const closed = await open('closed');
      await story.client.closePullRequest('repo', 2, {});
      await nudge('two');
      await waitUntil(async () => (await show(closed.id)).state === 'conflicted', PATIENCE_MS);
      assert.match((await show(closed.id)).problem, /closed without a merge/);
      await team.apply('ben', closed.id);
      const list = () => story.client.pullRequests('repo');
      await waitUntil(async () => (await list()).length === 3, PATIENCE_MS);
      assert.is((await list())[0]?.head, `svc/proposal-${closed.id}-2`);
      assert.is((await team.ask('vic', 'GET', '/overlay')).body.version, 1);
    } finally {
      await story.runner.kill();
      await story.end();
      await node.stop();
    }
  },
);

test.run();
