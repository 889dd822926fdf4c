import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createTeam } from '../../../demo/cloud/createTeam.ts';
import { RunnerProcess } from '../../../demo/runnerProcess.ts';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { giveStartCode } from '../cli/startCode.ts';
import { PATIENCE_MS } from '../inTime.ts';
import { createTestDatabase } from './openTestDatabase.ts';
import { openSwitch } from './openSwitch.ts';
import { TEST_CLOUD_KEY } from './startTestControlPlane.ts';
import { TeamLoad } from './teamLoad.ts';
import { waitUntil } from './testTeam.ts';

const RUNNERS = ['mac', 'pool-1'];
/** Between a start of the load and the first change, and after each change, ms: both versions have to serve for a while. */
const SETTLE_MS = 3_000;
/** A job waits for an approval at once, and no program runs. */
const WORKFLOW = `---
initial_phase: only
phases:
  - { name: only, agent: null, status: planning, interactive_checkpoint: true }
---
`;

/** A node of one version of svc, started as an operator does. */
class NodeProgram {
  readonly #child: ChildProcess;
  url = '';
  ownerLink: string | null = null;

  constructor(root: string, home: string, database: string, publicUrl: string) {
    const args = ['cloud', 'start', '--port', '0', '--public-url', publicUrl, '--json'];
    this.#child = spawn(process.execPath, [join(root, 'cli/bin/run.js'), ...args], {
      env: { ...commandEnv(home), DATABASE_URL: database, SVC_CLOUD_KEY: TEST_CLOUD_KEY },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  }

  async ready(): Promise<this> {
    const { stdout } = this.#child;
    if (stdout === null) throw new Error('the node has no output');
    const [line] = await once(createInterface(stdout), 'line');
    const { url, ownerLink, error } = JSON.parse(String(line));
    if (error) throw new Error(JSON.stringify(error));
    this.url = url;
    this.ownerLink = ownerLink;
    return this;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
  }
}

const commandEnv = (home: string): NodeJS.ProcessEnv => ({
  ...process.env,
  SVC_HOME: home,
  NO_COLOR: '1',
});

const binary = (root: string): string => join(root, 'cli/bin/run.js');

/** What the database of a home that no process uses has. */
interface HomeRecord {
  /** IDs of the webhooks of the load that it took. */
  deliveries: string[];
  jobs: string[];
  /** Version of its schema. */
  schema: number;
}

/** A team of the previous version under load: two nodes on one database behind one address, and two runners. */
export class UpgradeDrill {
  readonly dir = mkdtempSync(join(tmpdir(), 'svc-drill-'));
  readonly #roots: { before: string; after: string };
  #database = '';
  #front: Awaited<ReturnType<typeof openSwitch>> | null = null;
  #nodes: NodeProgram[] = [];
  readonly #runners: RunnerProcess[] = [];
  load: TeamLoad | null = null;

  constructor(roots: { before: string; after: string }) {
    this.#roots = roots;
  }

  async open(): Promise<this> {
    const { before } = this.#roots;
    this.#database = await createTestDatabase('empty');
    this.#front = await openSwitch();
    this.#nodes = [await this.#startNode(before), await this.#startNode(before)];
    this.#lead();
    const [first] = this.#nodes;
    const { url } = this.#front;
    const owner = { name: 'Ada', email: 'ada@example.com' };
    const { email, password } = await createTeam(first?.ownerLink ?? '', 'Acme', owner);
    for (const name of RUNNERS) this.#makeRunner(name);
    const [mac, pool] = this.#runners;
    if (mac === undefined || pool === undefined) throw new Error('no runners');
    const cloud = ['--cloud-url', url];
    await mac.commandWithInput(
      `${password}\n`,
      'login',
      ...cloud,
      '--email',
      email,
      '--password',
      '-',
    );
    const paired = await mac.command('cloud', 'pair', '--pool', '--json');
    await pool.command('login', ...cloud, '--pair', JSON.parse(paired).code);
    const added = await mac.command('cloud', 'webhook', 'add', 'github', '--json');
    await Promise.all(this.#runners.map((runner) => runner.start()));
    await this.connected();
    const login = JSON.parse(readFileSync(join(this.#home('mac'), 'cloud-login.json'), 'utf8'));
    const place = {
      url,
      teamId: login.team.id,
      token: login.accessToken,
      webhookSecret: JSON.parse(added).secret,
    };
    this.load = new TeamLoad(place);
    this.load.start();
    await this.settle();
    return this;
  }

  /** The new version beside the old one, then instead of it, one node after another. */
  async upgradeNodes(): Promise<void> {
    for (const old of [...this.#nodes]) {
      this.#nodes.push(await this.#startNode(this.#roots.after));
      this.#lead();
      await this.settle();
      // A load balancer first, as `GET /ready` has it do.
      this.#nodes = this.#nodes.filter((node) => node !== old);
      this.#lead();
      await old.stop();
      await this.connected();
      await this.settle();
    }
  }

  /** `svc upgrade` of the new version on each machine, one after another. */
  async upgradeRunners(): Promise<void> {
    for (const name of RUNNERS) {
      const upgrader = new RunnerProcess(this.#home(name), binary(this.#roots.after));
      await upgrader.command('upgrade');
      await this.connected();
      await this.settle();
    }
  }

  /** Resolves when every runner is connected, with the whole log of its home at the control plane. */
  async connected(): Promise<void> {
    const isReady = async (name: string): Promise<boolean> => {
      try {
        const { url } = JSON.parse(readFileSync(join(this.#home(name), 'runner.json'), 'utf8'));
        const { cloud } = await (await fetch(`${url}/health`)).json();
        return cloud?.connection === 'connected' && cloud.state.place === 'replicated';
      } catch {
        return false;
      }
    };
    for (const name of RUNNERS) await waitUntil(() => isReady(name), 3 * PATIENCE_MS);
  }

  /** Stops the runners in order, and reads what their databases have. */
  async readHomes(): Promise<HomeRecord[]> {
    await this.#stopRunners();
    return RUNNERS.map((name) => {
      const db = new Database(join(this.#home(name), 'state.db'));
      try {
        const rows = db.all(
          "SELECT delivery_id FROM webhook_deliveries WHERE delivery_id LIKE 'drill-%'",
        );
        return {
          deliveries: rows.map(({ delivery_id: id }) => String(id)),
          jobs: db.all('SELECT job_id FROM job_list').map(({ job_id: id }) => String(id)),
          schema: Number(db.get('PRAGMA user_version')?.user_version),
        };
      } finally {
        db.close();
      }
    });
  }

  async close(): Promise<void> {
    await this.load?.stop();
    await this.#stopRunners();
    await Promise.all(this.#nodes.map((node) => node.stop()));
    await this.#front?.close();
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }

  settle(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  }

  /** Their first processes pass the signal on to those that replaced them. */
  async #stopRunners(): Promise<void> {
    await Promise.all(this.#runners.map((runner) => runner.stop()));
  }

  #startNode(root: string): Promise<NodeProgram> {
    const home = mkdtempSync(join(this.dir, 'node-'));
    return new NodeProgram(root, home, this.#database, this.#front?.url ?? '').ready();
  }

  #lead(): void {
    this.#front?.lead(...this.#nodes.map(({ url }) => url));
  }

  #home(name: string): string {
    return join(this.dir, name);
  }

  #makeRunner(name: string): void {
    const home = this.#home(name);
    const tenant = join(this.dir, 'tenant');
    mkdirSync(home, { mode: 0o700 });
    mkdirSync(join(tenant, 'workflows'), { recursive: true });
    writeFileSync(join(tenant, 'workflows/story.md'), WORKFLOW);
    const config = {
      server: { port: 0 },
      // No runner continues the home of one that only restarts.
      cloud: { name, adoptSlots: 0 },
      runner: { maxConcurrentJobs: 16 },
      tenant: { overlay: { kind: 'localDir', path: tenant } },
      plugins: {
        installed: {
          // No account is asked, and nothing of a network answers.
          github: {
            config: { token: 'ghp_none', baseUrl: 'http://127.0.0.1:9', selfIsPerson: true },
          },
        },
      },
    };
    writeFileSync(join(home, 'config.json'), JSON.stringify(config), { mode: 0o600 });
    giveStartCode(home);
    this.#runners.push(new RunnerProcess(home, binary(this.#roots.before)));
  }
}
