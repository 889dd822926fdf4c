import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import LoginCommand from '../../../cli/commands/login.ts';
import { type Client, createClient } from '../../../src/api/client/client.ts';
import type { TakeoverPolicy, TeamHome } from '../../../src/contract/schema/cloud/home.ts';
import type { AdoptedHome } from '../../../src/contract/schema/runner/cloudStatus.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import { toAdoptedHome } from '../../../src/host/adoption/adoptionRecord.ts';
import { CommandLine } from '../cli/commandLine.ts';
import { PATIENCE_MS } from '../inTime.ts';
import { Looks } from '../looks.ts';
import { Story } from '../story.ts';
import { PASSWORD, PeopleStage } from './peopleStage.ts';

/** Silence after which a home may be taken over here, ms. A release refuses less than half a minute. */
export const WINDOW_MS = 4_000;
const QUIET_MS = 500;

const WORKFLOW = `
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/work.md, status: working }
  - { name: finish, agent: agents/finish.md, status: finishing }
`;

/** Commits and opens a pull request, then waits until the test lets it end its turn. */
const WORK = `
const checkout = process.cwd();
git('switch', '-q', '-C', 'fix');
writeFileSync(checkout + '/fix.txt', 'fixed');
git('add', '.');
git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'Fix it');
tool('local_create_pr', { head: 'fix', title: 'Fix it' });
writeFileSync(checkout + '/uncommitted.txt', 'not committed');
// Without the folder of the test it ends too: its runner may have been killed.
while (!existsSync(GO) && existsSync(FOLDER)) await new Promise((resolve) => setTimeout(resolve, 50));
`;

export interface TeamRunner {
  story: Story;
  /** As the team knows it. */
  id: string;
  name: string;
}

/** Two or more real runners of one person at a real control plane, with agents that wait for the test. */
export class TakeoverStage {
  readonly people: PeopleStage;
  readonly teamId: string;
  readonly token: string;
  readonly runners: TeamRunner[] = [];
  #first: Story | null = null;

  private constructor(people: PeopleStage, teamId: string, token: string) {
    this.people = people;
    this.teamId = teamId;
    this.token = token;
  }

  static async open(): Promise<TakeoverStage> {
    const people = await PeopleStage.open({
      takeover: { windowMs: WINDOW_MS, quietMs: QUIET_MS },
    });
    const teamId = await people.addTeam('acme');
    await people.addPerson('ada', 'owner', teamId);
    const { access_token } = await people.logIn(await people.openVisitor('ada'));
    return new TakeoverStage(people, teamId, access_token);
  }

  /** Starts a runner with this name, which works on the repository of the first one. */
  async addRunner(
    name: string,
    { isOfPool = false, ...cloud }: { isOfPool?: boolean } & Record<string, unknown> = {},
  ): Promise<TeamRunner> {
    const first = this.#first;
    const story = new Story({
      workflow: WORKFLOW,
      programs: first === null ? { work: '', finish: '' } : {},
      config: {
        cloud: { name, ...cloud },
        ...(first === null
          ? {}
          : {
              tenant: { overlay: { kind: 'localDir', path: join(first.dir, 'tenant') } },
              forges: { local: { repos: { repo: first.repository } } },
            }),
      },
    });
    if (first === null) {
      this.#first = story;
      const program = join(story.dir, 'tenant', 'programs', 'work.mjs');
      const [folder, go] = [story.dir, join(story.dir, 'go')].map((path) => JSON.stringify(path));
      appendFileSync(program, `const FOLDER = ${folder};\nconst GO = ${go};\n${WORK}`);
    }
    await this.#pair(story, name, isOfPool);
    await story.runner.start();
    await story.settled(
      async () => (await story.client.health()).cloud?.connection === 'connected',
    );
    const { runner } = (await story.client.health()).cloud ?? {};
    if (runner == null) throw new Error(`${name} is not known`);
    const added = { story, id: runner.id, name };
    this.runners.push(added);
    return added;
  }

  async #pair(story: Story, name: string, isOfPool: boolean): Promise<void> {
    const line = new CommandLine({ SVC_HOME: story.home, SVC_NO_OPEN: '1' }, `${PASSWORD}\n`);
    line.fetch = globalThis.fetch;
    const how = isOfPool
      ? ['--pair', await this.#createPoolCode()]
      : ['--email', 'ada@svc.example', '--password', '-'];
    const argv = ['--cloud-url', this.people.cloud.publicUrl, ...how, '--json'];
    const { code, err } = await line.run(LoginCommand, argv);
    if (code !== 0) throw new Error(`${name} could not be paired: ${err}`);
  }

  async #createPoolCode(): Promise<string> {
    const reply = await this.#post(`/teams/${this.teamId}/pairing-codes`, {
      pool: true,
      labels: [],
    });
    return (await reply.json()).code;
  }

  async #post(path: string, body: object): Promise<Response> {
    const reply = await this.people.ask(path, this.token, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(await reply.text());
    return reply;
  }

  /** A person lets another runner continue the home, whatever its policy. */
  async release({ id }: TeamRunner): Promise<void> {
    await this.#post(`/teams/${this.teamId}/runners/${id}/release`, {});
  }

  /** Lets every agent end its turn, now and later. */
  letAgentsEnd(): void {
    if (this.#first !== null) writeFileSync(join(this.#first.dir, 'go'), '');
  }

  async setPolicy({ id }: TeamRunner, policy: TakeoverPolicy): Promise<void> {
    const reply = await this.people.ask(`/teams/${this.teamId}/runners/${id}`, this.token, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ policy }),
    });
    if (!reply.ok) throw new Error(await reply.text());
  }

  async home({ id }: TeamRunner): Promise<TeamHome> {
    const reply = await this.people.ask(`/teams/${this.teamId}/homes`, this.token);
    const { homes } = (await reply.json()) as { homes: TeamHome[] };
    const home = homes.find(({ runner }) => runner.id === id);
    if (home === undefined) throw new Error(`The team has no home of ${id}.`);
    return home;
  }

  /** Where the log of a home is at the control plane. */
  async position({ id }: TeamRunner) {
    const [row] = await this.people.database.sql`
      select generation, head from homes where runner_id = ${id}`;
    return row && { generation: Number(row.generation), head: Number(row.head) };
  }

  /** Waits until the control plane has the home's log. */
  async logged(runner: TeamRunner): Promise<void> {
    await this.settled(async () => (await this.home(runner).catch(() => null))?.state === 'open');
  }

  /** The home that a runner continues for another one, once its process answers. */
  async adopted({ story }: TeamRunner): Promise<AdoptedHome & { url: string }> {
    let adopted: AdoptedHome | undefined;
    await this.settled(async () => {
      adopted = (await story.client.health()).cloud?.adopted?.[0];
      return adopted?.url != null;
    });
    return adopted as AdoptedHome & { url: string };
  }

  /** The job's pull requests, each by the forge that has them. */
  async pullRequests(client: Client): Promise<number[]> {
    return (await client.pullRequests('repo')).map(({ number }) => number);
  }

  /** Asks the process of an adopted home. */
  client({ story }: TeamRunner, { homeId, url }: AdoptedHome & { url: string }): Client {
    const token = readFileSync(
      join(toAdoptedHome(story.home, homeId), 'runner.token'),
      'utf8',
    ).trim();
    return createClient({ baseUrl: url, token });
  }

  async isComplete(jobId: string): Promise<boolean> {
    return (await this.jobs()).find(({ id }) => id === jobId)?.status === 'complete';
  }

  /** The rows of the team's list. */
  async jobs(): Promise<(Job & { runner: { name: string } })[]> {
    const reply = await this.people.ask(`/teams/${this.teamId}/jobs`, this.token);
    return reply.json();
  }

  async settled(isSo: () => Promise<boolean>, patienceMs = PATIENCE_MS): Promise<void> {
    const deadline = Date.now() + patienceMs;
    const looks = new Looks();
    let problem = 'it is not so';
    const look = (): Promise<boolean> =>
      isSo().catch((error: unknown) => {
        problem = String(error);
        return false;
      });
    while (!(await look())) {
      if (Date.now() > deadline)
        throw new Error(`it did not come to that: ${problem}\n${await this.#describe()}`);
      await looks.pause();
    }
  }

  async close(): Promise<void> {
    for (const { story } of this.runners.toReversed()) {
      await story.runner.stop();
      await story.end();
    }
    await this.people.close();
  }

  async #describe(): Promise<string> {
    const homes = await this.people
      .ask(`/teams/${this.teamId}/homes`, this.token)
      .then((reply) => reply.text(), String);
    const logs = this.runners.map(({ name, story }) => {
      const inner = this.#adoptedLogs(story);
      return `--- ${name}\n${story.runner.said.slice(-6_000)}${inner}`;
    });
    return `${homes}\n${logs.join('\n')}`;
  }

  #adoptedLogs(story: Story): string {
    const folder = join(story.home, 'adopted');
    if (!existsSync(folder)) return '';
    return readdirSync(folder)
      .map((name) => {
        const log = join(folder, name, 'logs', 'runner.1.log');
        return existsSync(log)
          ? `\n--- adopted ${name}\n${readFileSync(log, 'utf8').slice(-8_000)}`
          : '';
      })
      .join('');
  }
}
