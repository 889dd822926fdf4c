import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import { FakeJira } from '../forges/fakeTrackers/fakeJira.ts';
import { FakeLinear } from '../forges/fakeTrackers/fakeLinear.ts';
import { PATIENCE_MS } from '../inTime.ts';
import { Story } from '../story.ts';
import { installSender } from './installSender.ts';
import { COMMENT_SENDERS, type CommentSender } from './senderComments.ts';
import type { TestControlPlane } from './startTestControlPlane.ts';
import { asUser, pairHome, startTeamNode, waitUntil } from './testTeam.ts';
import { addWebhook, sendWebhook } from './webhookTeam.ts';

const TOKEN = 'token-of-the-account';
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9';

export const WORKFLOW = `
initial_phase: work
initial_status: coding
phases:
  - { name: work, agent: agents/worker.md, status: coding, tools: [shell, await_event] }
`;

/** Waits for a comment on its ticket, and ends once it has read one. */
export const WORKER = `
if (!kickoff.includes('commented on')) tool('await_event', {});
else if (!kickoff.includes('Continue with the payment page')) throw new Error(kickoff);
`;

/** A node, and a runner of its team that has every sender of the tests; its configuration names no webhook secret. */
export class SenderStage {
  readonly node: TestControlPlane;
  readonly story: Story;
  readonly #jira = new FakeJira(3);
  readonly #linear = new FakeLinear();

  private constructor(node: TestControlPlane, senders: readonly CommentSender[]) {
    this.node = node;
    const settings: Record<string, object> = {
      github: { token: 'ghp_none', baseUrl: NOWHERE, selfIsPerson: true, pollSeconds: 1 },
      gitlab: { token: 'glpat-none', baseUrl: NOWHERE, wakeAuthors: 'root', pollSeconds: 1 },
      bitbucket: {
        username: 'svc@example.test',
        token: 'none',
        baseUrl: NOWHERE,
        wakeAuthors: '557058:c0b72ad0-1cb5-4018-9cdc-0cde8492c443',
      },
    };
    const plugins = senders.flatMap(({ plugin }) =>
      settings[plugin] === undefined ? [] : [[plugin, { config: settings[plugin] }]],
    );
    this.story = new Story({
      workflow: WORKFLOW,
      programs: { worker: WORKER },
      config: { plugins: { installed: Object.fromEntries(plugins) } },
    });
  }

  static async open(senders: readonly CommentSender[] = COMMENT_SENDERS): Promise<SenderStage> {
    const stage = new SenderStage(await startTeamNode(), senders);
    await stage.story.runner.start();
    await stage.#openTrackers(senders);
    await stage.#join();
    // While it is connected: the control plane hears of their manifests.
    await stage.#install(senders);
    return stage;
  }

  /** Starts a job about the ticket of the sender; resolves once it waits for a comment there. */
  async startWaiting({ plugin, ticket, commentIn }: CommentSender): Promise<string> {
    const isTracker = commentIn !== undefined || plugin === 'jira' || plugin === 'linear';
    const jobId = await this.story.job({
      jiraTicketId: ticket,
      ...(isTracker ? { trackerProvider: plugin } : {}),
    });
    const job = await this.story.until(jobId, ({ parked, ended }) => parked !== null || ended);
    if (job.parked?.kind !== 'event')
      throw new Error(`${plugin}: ${JSON.stringify([job.parked, job.escalationMessage])}`);
    return jobId;
  }

  /** Sends a comment as the sender does, to the address of the team. */
  async send({ plugin, report }: CommentSender, secret: string) {
    const at = Date.now();
    const text = 'Continue with the payment page.';
    const body = Buffer.from(JSON.stringify(report({ text, at })));
    return sendWebhook(this.node, plugin, { secret, at, body });
  }

  /** Takes the webhooks of the sender, once the control plane knows how it signs; resolves with the secret. */
  async addWebhook({ plugin, commentIn }: CommentSender): Promise<string> {
    const isKnown = async () => {
      const reply = await this.node.ask('/teams/acme/webhooks', { headers: asUser('ben') });
      const { offered } = await reply.json();
      return offered.some((one: { plugin: string }) => one.plugin === plugin);
    };
    if (commentIn !== undefined) await waitUntil(isKnown, PATIENCE_MS);
    return addWebhook(this.node, plugin);
  }

  /** The job once it has ended. */
  ended(jobId: string): Promise<Job> {
    return this.story.until(jobId, ({ ended }) => ended);
  }

  async close(): Promise<void> {
    await this.story.end();
    await Promise.all([this.node.stop(), this.#jira.stop(), this.#linear.stop()]);
  }

  /** Jira and Linear are asked which account svc has there. */
  async #openTrackers(senders: readonly CommentSender[]): Promise<void> {
    const accounts = {
      jira: { fake: this.#jira, config: { username: 'svc@example.test', token: TOKEN } },
      linear: { fake: this.#linear, config: { apiKey: TOKEN } },
    };
    for (const [id, { fake, config }] of Object.entries(accounts)) {
      fake.store.addUser(TOKEN, 'svc');
      await fake.start();
      if (senders.some(({ plugin }) => plugin === id))
        await this.story.client.updateConfig({
          plugins: { installed: { [id]: { config: { baseUrl: fake.url, ...config } } } },
        });
    }
  }

  async #install(senders: readonly CommentSender[]): Promise<void> {
    for (const sender of senders) await installSender(this.story, sender, {});
  }

  async #join(): Promise<void> {
    const { client, home } = this.story;
    const homeId = JSON.parse(readFileSync(join(home, 'home.json'), 'utf8')).id;
    const { body } = await pairHome(this.node, { homeId, name: 'mac' });
    await client.updateConfig({ cloud: { url: this.node.url, token: body.token } });
    await waitUntil(async () => {
      const { cloud } = await client.health();
      return cloud?.connection === 'connected' && cloud.state.place === 'replicated';
    }, PATIENCE_MS);
  }
}
