import { createTestDatabase } from './openTestDatabase.ts';
import { DoubleHome, DoubleRunner, toJsonReply, toProblemReply } from './doubleRunner.ts';
import { createDice } from './createDice.ts';
import { KilledNodes } from './killedNodes.ts';
import { type ListedDispatch, TeamCaller } from './teamCaller.ts';
import { pairHome, seedTeams, waitUntil } from './testTeam.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Longest time that a home takes before a job is made, and again before it answers, ms: most kills hit a request. */
const MOST_WORK_MS = 500;

/** A home whose process is killed at any moment: what was made stays made, what was not answered is lost. */
class KilledHome {
  readonly home = new DoubleHome();
  readonly #nodes: KilledNodes;
  readonly #token: string;
  readonly #homeId: string;
  readonly #dice: () => number;
  #runner: DoubleRunner | null = null;
  #process = 0;
  #isOver = false;

  constructor(nodes: KilledNodes, token: string, homeId: string, dice: () => number) {
    this.#nodes = nodes;
    this.#token = token;
    this.#homeId = homeId;
    this.#dice = dice;
  }

  /** Connects, again and again, until it is over. */
  async run(): Promise<void> {
    while (!this.#isOver) {
      this.#process += 1;
      const mine = this.#process;
      const running = new Set<string>();
      const runner = new DoubleRunner(this.#nodes.pick(this.#dice), this.#token, {
        homeId: this.#homeId,
        home: this.home,
        hello: { instance: `${this.#homeId}-${mine}`, slots: 500 },
        free: 500,
        answer: async ({ method, path, headers }) => {
          const key = headers['idempotency-key'] ?? '';
          if (method !== 'POST' || path !== '/jobs') return toJsonReply(200, {});
          if (running.has(key)) return toProblemReply(409, 'conflict', { running: true });
          running.add(key);
          await pause(this.#dice() * MOST_WORK_MS);
          if (this.#process !== mine) return null;
          this.home.asked += 1;
          const jobId = this.home.make(key);
          await pause(this.#dice() * MOST_WORK_MS);
          running.delete(key);
          return this.#process === mine
            ? toJsonReply(201, { jobId, status: 'queued', streamUrl: '/' })
            : null;
        },
      });
      this.#runner = runner;
      const ending = Promise.race([
        runner.bare.closed,
        runner.bare.refused,
        new Promise((resolve) => runner.bare.socket.once('error', resolve)),
      ]);
      await Promise.race([runner.connect().catch(() => undefined), ending]);
      await ending;
      await pause(50);
    }
  }

  kill(): void {
    this.#process += 1;
    this.#runner?.close();
  }

  end(): void {
    this.#isOver = true;
    this.kill();
  }
}

export interface KillReport {
  dispatches: ListedDispatch[];
  /** Keys of the jobs that each home has made. */
  made: string[][];
  /** Requests to make a job that reached a home. */
  asked: number;
  /** Waiting dispatches that were seen without a reason. */
  unexplained: number;
}

/** Dispatches jobs to three homes while homes and nodes are killed. */
export async function killDispatches(plan: {
  dispatches: number;
  kills: number;
  seed: number;
}): Promise<KillReport> {
  const dice = createDice(plan.seed);
  const databaseUrl = await createTestDatabase();
  await seedTeams(databaseUrl);
  const nodes = new KilledNodes(databaseUrl);
  await Promise.all([nodes.start(), nodes.start()]);
  const homes: KilledHome[] = [];
  for (const homeId of ['h1', 'h2', 'h3']) {
    const { body } = await pairHome(nodes.pick(dice) as Parameters<typeof pairHome>[0], {
      homeId,
      name: homeId,
      pool: true,
      userId: 'adm',
    });
    homes.push(new KilledHome(nodes, body.token, homeId, dice));
  }
  const running = homes.map((home) => home.run());
  const caller = new TeamCaller(() => nodes.pick(dice));

  const kill = async (): Promise<void> => {
    if (dice() < 0.5) homes[Math.floor(dice() * homes.length)]?.kill();
    else {
      await nodes.start();
      await nodes.kill();
    }
  };

  const sends: Promise<void>[] = [];
  for (let count = 1; count <= plan.kills; count += 1) {
    // A few are on their way whenever something is killed.
    while (sends.length < (plan.dispatches * count) / plan.kills)
      sends.push(caller.dispatch({ n: sends.length }));
    await pause(dice() * 2 * MOST_WORK_MS);
    await kill();
  }
  await Promise.all(sends);
  await waitUntil(async () => {
    const list = await caller.list();
    return list.length === plan.dispatches && list.every(({ state }) => state === 'placed');
  }, 90_000);
  const dispatches = await caller.list();
  for (const home of homes) home.end();
  await Promise.all(running);
  await nodes.end();
  return {
    dispatches,
    made: homes.map(({ home }) => [...home.made.keys()]),
    asked: homes.reduce((sum, { home }) => sum + home.asked, 0),
    unexplained: caller.unexplained,
  };
}
