import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createTeam } from '../demo/cloud/createTeam.ts';
import {
  askTeam,
  createTeamClient,
  readTeamPlace,
  type TeamPlace,
} from '../demo/cloud/teamClient.ts';
import { connectMachine, makeTeamMachine, type TeamMachine } from '../demo/cloud/teamMachine.ts';
import { actAsReviewer } from '../demo/jobDemo.ts';
import { type Client, createClient } from '../src/api/client/client.ts';
import type { TakeoverSettings } from '../src/cloud/homes/takeovers.ts';
import type { TeamHome } from '../src/contract/schema/cloud/home.ts';
import type { Job } from '../src/contract/schema/job/job.ts';
import { HostProcess } from './hostProcess.ts';
import type { NodeHostCalls } from './hosts/nodeHost.ts';
import type { ProxyHostCalls } from './hosts/proxyHost.ts';
import type { Lab } from './lab.ts';
import type { Network } from './openSlowProxy.ts';
import { waitUntil } from './waitUntil.ts';

const OWNER = { name: 'Ada', email: 'ada@bench.invalid' };
const REPO = 'titles';
const LOOK_MS = 50;

/** A team with the agents of the demo: a node, and runners of the pool behind a network. */
export class TeamLab implements AsyncDisposable {
  readonly #dir: string;
  readonly #bin: string;
  readonly #network: Network;
  readonly #node: HostProcess<NodeHostCalls>;
  readonly #proxy: HostProcess<ProxyHostCalls>;
  readonly #owner: TeamMachine;
  readonly #machines: TeamMachine[] = [];
  readonly #publicUrl: string;
  readonly place: TeamPlace;

  private constructor(parts: {
    dir: string;
    bin: string;
    network: Network;
    node: HostProcess<NodeHostCalls>;
    proxy: HostProcess<ProxyHostCalls>;
    owner: TeamMachine;
    publicUrl: string;
  }) {
    this.#dir = parts.dir;
    this.#bin = parts.bin;
    this.#network = parts.network;
    this.#node = parts.node;
    this.#proxy = parts.proxy;
    this.#owner = parts.owner;
    this.#publicUrl = parts.publicUrl;
    this.place = readTeamPlace(parts.owner.home);
  }

  static async open(
    lab: Lab,
    database: string,
    { takeover, network }: { takeover: Partial<TakeoverSettings>; network: Network },
  ): Promise<TeamLab> {
    const dir = lab.folder('team');
    cpSync('demo/intelligence', join(dir, 'tenant'), { recursive: true });
    const bin = await lab.program();
    const node = await HostProcess.start<NodeHostCalls>(lab, 'nodeHost');
    const { publicUrl, ownerLink } = await node.call('start', database, takeover);
    const { email, password } = await createTeam(ownerLink ?? '', 'Bench', OWNER);
    const owner = makeTeamMachine(dir, bin, { name: 'owner', repo: REPO });
    const who = ['--email', email, '--password', '-'];
    await owner.runner.commandWithInput(`${password}\n`, 'login', '--cloud-url', publicUrl, ...who);
    const proxy = await HostProcess.start<ProxyHostCalls>(lab, 'proxyHost');
    return new TeamLab({ dir, bin, network, node, proxy, owner, publicUrl });
  }

  /** A machine whose runner belongs to no team yet. */
  prepare(name: string): TeamMachine {
    const machine = makeTeamMachine(this.#dir, this.#bin, { name, repo: REPO });
    this.#machines.push(machine);
    return machine;
  }

  /** Pairs it, starts its runner, and waits until the control plane has its state. */
  async join(machine: TeamMachine): Promise<void> {
    const pairing = await this.#owner.runner.command('cloud', 'pair', '--pool', '--json');
    const at = ['--cloud-url', this.#publicUrl];
    await machine.runner.command('login', ...at, '--pair', JSON.parse(pairing).code);
    const port = Number(new URL(this.#publicUrl).port);
    const front = await this.#proxy.call('open', port, this.#network);
    const file = join(machine.home, 'config.json');
    const config = JSON.parse(readFileSync(file, 'utf8'));
    config.cloud.url = `http://127.0.0.1:${front}`;
    writeFileSync(file, JSON.stringify(config));
    await connectMachine(machine);
    await waitUntil(async () => (await this.home(machine))?.state === 'open', LOOK_MS);
  }

  async home({ name }: TeamMachine): Promise<TeamHome | undefined> {
    const { homes } = await askTeam<{ homes: TeamHome[] }>(this.place, '/homes');
    return homes.find(({ runner }) => runner.name === name);
  }

  client({ runner }: TeamMachine): Client {
    return createClient({ baseUrl: runner.url, token: runner.token });
  }

  /** Begins a job of the demo on a machine. */
  async begin(machine: TeamMachine): Promise<string> {
    const { jobId } = await this.client(machine).createJob({
      type: 'job',
      workflowPath: 'workflows/job.md',
      params: {
        repoSlug: REPO,
        description: 'The tests of this repository fail. Find out why and fix it.',
        reviewers: ['reviewer'],
      },
    });
    return jobId;
  }

  /** Acts as the reviewer of a job until this is so. */
  async play(machine: TeamMachine, jobId: string, isSo: (job: Job) => boolean): Promise<void> {
    const client = this.client(machine);
    for (;;) {
      const job = await client.job(jobId);
      if (isSo(job)) return;
      await actAsReviewer(client, job);
      await wait(LOOK_MS);
    }
  }

  /** Resolves when another runner of the team has made the next step of a job. */
  async awaitContinuation({ name }: TeamMachine, jobId: string, before: number): Promise<void> {
    const client = createTeamClient(this.place, name);
    await waitUntil(async () => {
      const job = await client.job(jobId).catch(() => null);
      return job !== null && 'prMappings' in job && job.journalLength > before;
    }, LOOK_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { runner } of this.#machines) await runner.stop();
    await this.#owner.runner.stop();
    await this.#node[Symbol.asyncDispose]();
    await this.#proxy[Symbol.asyncDispose]();
  }
}
