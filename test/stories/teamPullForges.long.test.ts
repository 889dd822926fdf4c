import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import { createShiftedClock } from '../support/cloud/shiftedClock.ts';
import { ProposalClient, toProposalId, toSentProposal } from '../support/cloud/teamProposals.ts';
import { asUser, pairHome, startTeamNode, waitUntil } from '../support/cloud/testTeam.ts';
import { PULL_FORGES, type PullForge } from '../support/forges/pullForges.ts';
import { PATIENCE_MS } from '../support/inTime.ts';
import { Story } from '../support/story.ts';

const test = suite('story: pull requests for the overlay of a team, at each forge');
const dbTest = defineDatabaseTests(test);

const WORKFLOW = 'initial_phase: a\nphases:\n  - { name: a, agent: agents/a.md, status: coding }';
/** After this time a runner that could not follow a pull request is asked again, ms. */
const ASKED_AGAIN_MS = 10 * 60_000;

/** A team whose overlay is in a repository of the forge, with the runner of an owner. */
class PullStage {
  readonly clock = createShiftedClock();
  readonly forge: PullForge;
  readonly story: Story;
  #node: Awaited<ReturnType<typeof startTeamNode>> | null = null;
  #team: ProposalClient | null = null;

  constructor(forge: PullForge) {
    this.forge = forge;
    const { id, config } = forge;
    this.story = new Story({
      workflow: WORKFLOW,
      programs: {},
      config: { tenant: {}, plugins: { installed: { [id]: { config } } } },
    });
  }

  async start(): Promise<void> {
    const node = await startTeamNode({ clock: this.clock });
    this.#node = node;
    await this.story.runner.start();
    const homeId = JSON.parse(readFileSync(join(this.story.home, 'home.json'), 'utf8')).id;
    const { token } = (await pairHome(node, { homeId })).body;
    await this.story.client.updateConfig({ cloud: { url: node.url, token } });
    const { id, repo } = this.forge;
    const overlayRepository = { forge: id, repository: repo, branch: null, folder: 'team' };
    await node.ask('/teams/acme', {
      method: 'PATCH',
      headers: asUser('adm'),
      body: JSON.stringify({ overlayRepository }),
    });
    this.#team = new ProposalClient(node, token);
  }

  async stop(): Promise<void> {
    await this.story.runner.kill();
    await this.story.end();
    await this.#node?.stop();
    await this.forge.stop();
  }

  get team(): ProposalClient {
    if (this.#team === null) throw new Error('not started');
    return this.#team;
  }

  async #send(name: string): Promise<string> {
    const id = toProposalId(name);
    const proposal = toSentProposal([{ path: `memory/${name}.md`, base: null, text: 'make\n' }]);
    await this.team.send(id, { ...proposal, jobId: name });
    await this.team.approve('ada', id);
    return id;
  }

  async show(name: string) {
    return (await this.team.ask('vic', 'GET', `/proposals/${toProposalId(name)}`)).body;
  }

  /** An approved proposal whose pull request is open. */
  async open(name: string): Promise<void> {
    await this.team.apply('ben', await this.#send(name));
    await waitUntil(async () => (await this.show(name)).link !== null, PATIENCE_MS);
  }

  async becomes(name: string, state: string): Promise<string> {
    await this.#nudge();
    await waitUntil(async () => (await this.show(name)).state === state, PATIENCE_MS);
    return (await this.show(name)).problem ?? '';
  }

  async hasProblem(name: string, words: RegExp): Promise<void> {
    await this.#nudge();
    await waitUntil(async () => words.test((await this.show(name)).problem ?? ''), PATIENCE_MS);
  }

  #nudges = 0;
  /** The runner looks now, not within a minute: something else of the team has changed. */
  async #nudge(): Promise<void> {
    this.#nudges += 1;
    const id = await this.#send(`nudge-${this.#nudges}`);
    await this.team.ask('ben', 'POST', `/proposals/${id}/reject`, {});
  }

  async readVersion(): Promise<number> {
    return (await this.team.ask('vic', 'GET', '/overlay')).body.version;
  }
}

for (const [id, openForge] of Object.entries(PULL_FORGES))
  dbTest(
    `${id}: opened, merged, closed, with a link in place of the text, and with its repository gone (CLD-3)`,
    async () => {
      const forge = await openForge();
      const stage = new PullStage(forge);
      const { git, place } = forge;
      const toHead = (name: string) => `svc/proposal-${toProposalId(name)}`;
      try {
        await stage.start();

        await stage.open('merged');
        assert.equal(forge.listHeads(), [toHead('merged')]);
        assert.is(git.commitsBetween(place, 'main', toHead('merged')), 1);
        git.commit(place, toHead('merged'), { 'team/memory/merged.md': 'ninja\n' });
        forge.merge(1);
        await stage.becomes('merged', 'applied');
        assert.is(await stage.readVersion(), 1);
        const { files } = (await stage.team.ask('vic', 'GET', '/intelligence/layers')).body
          .layers[1];
        assert.equal(files, [{ path: 'memory/merged.md', bytes: 'ninja\n'.length }]);

        await stage.open('closed');
        forge.close(2);
        assert.match(await stage.becomes('closed', 'conflicted'), /closed without a merge/);

        await stage.open('linked');
        git.commit(place, toHead('linked'), {
          'team/memory/linked.md': { mode: '120000', body: '../../../etc/passwd' },
        });
        forge.merge(3);
        assert.match(await stage.becomes('linked', 'conflicted'), /linked\.md .* is a link/);

        await stage.open('gone');
        forge.removeRepository();
        await stage.hasProblem('gone', /\S/);
        assert.is((await stage.show('gone')).state, 'applying');
        assert.is(await stage.readVersion(), 1);
        forge.restoreRepository();
        forge.merge(4);
        stage.clock.shift(ASKED_AGAIN_MS + 1_000);
        await stage.becomes('gone', 'applied');
        assert.is(await stage.readVersion(), 2);
      } finally {
        await stage.stop();
      }
    },
  );

test.run();
