import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { reserveHomeId } from '../../../src/host/backup/homeRecord.ts';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { Story } from '../story.ts';
import { createDice } from './createDice.ts';
import { KilledNodes } from './killedNodes.ts';
import { createTestDatabase } from './openTestDatabase.ts';
import { openSwitch } from './openSwitch.ts';
import { type ListedDispatch, TeamCaller } from './teamCaller.ts';
import { pairHome, seedTeams, waitUntil } from './testTeam.ts';

/** A job waits for an approval at once, and no program runs: what is tried is how a job is made. */
const WORKFLOW = `
initial_phase: only
phases:
  - { name: only, agent: null, status: planning, interactive_checkpoint: true }
`;
const WORKFLOW_PATH = 'workflows/story.md';
const SLOTS = 8;
/** Longest time between two kills, ms: a runner has to come as far as taking a request. */
const MOST_BETWEEN_MS = 1_500;
/** Longest time until the last job was made, ms. */
const LAST_MS = 200_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export interface RunnerKills {
  dispatches: ListedDispatch[];
  /** Keys of the requests that made a job, of each home, by its own database. */
  made: string[][];
  /** Jobs of each home, by its own database. */
  jobs: number[];
  runnerKills: number;
  nodeKills: number;
  unexplained: number;
}

/** What the database of a home that no process uses says of the jobs that were made in it. */
function readMade(home: string): { keys: string[]; jobs: number } {
  const file = join(home, 'state.db');
  if (!existsSync(file)) return { keys: [], jobs: 0 };
  const db = new Database(file);
  try {
    return {
      keys: db.all('SELECT key FROM requests').map(({ key }) => String(key)),
      jobs: Number(db.get('SELECT count(*) AS n FROM job_list')?.n),
    };
  } finally {
    db.close();
  }
}

/** Dispatches jobs to three real runners while they and the nodes are killed with SIGKILL. */
export async function killRunners(plan: {
  dispatches: number;
  kills: number;
  seed: number;
}): Promise<RunnerKills> {
  const dice = createDice(plan.seed);
  const databaseUrl = await createTestDatabase();
  await seedTeams(databaseUrl);
  const nodes = new KilledNodes(databaseUrl);
  await Promise.all([nodes.start(), nodes.start()]);
  const front = await openSwitch(nodes.url);
  const stories: Story[] = [];
  const counts = { runnerKills: 0, nodeKills: 0 };
  try {
    for (const name of ['one', 'two', 'three']) {
      const story = new Story({
        workflow: WORKFLOW,
        programs: {},
        config: { runner: { maxConcurrentJobs: SLOTS } },
      });
      stories.push(story);
      const homeId = await reserveHomeId(story.home, randomIds);
      const node = nodes.pick(dice) as Parameters<typeof pairHome>[0];
      const { body } = await pairHome(node, { homeId, name, pool: true, userId: 'adm' });
      // No runner continues the home of one that is only killed.
      const cloud = { url: front.url, token: body.token, name, accept: 'team', adoptSlots: 0 };
      const file = join(story.home, 'config.json');
      const config: object = JSON.parse(readFileSync(file, 'utf8'));
      story.write(file, JSON.stringify({ ...config, cloud }));
    }
    await Promise.all(stories.map(({ runner }) => runner.start()));
    const caller = new TeamCaller(() => nodes.pick(dice));

    /** Those that are on their way up again. */
    const starting = new Map<Story, Promise<void>>();
    const killRunner = async () => {
      const isUp = (story: Story) => !starting.has(story);
      // One has to be up before it can be killed again.
      if (!stories.some(isUp)) await Promise.race(starting.values());
      const up = stories.filter(isUp);
      const story = up[Math.floor(dice() * up.length)];
      if (story === undefined) throw new Error('no runner is up');
      counts.runnerKills += 1;
      await story.runner.kill();
      const started = story.runner.start().finally(() => starting.delete(story));
      started.catch(() => undefined);
      starting.set(story, started);
    };
    const killNode = async () => {
      counts.nodeKills += 1;
      await nodes.start();
      front.lead(nodes.url);
      await nodes.kill();
    };

    const sends: Promise<void>[] = [];
    for (let count = 1; count <= plan.kills; count += 1) {
      // A few are on their way whenever something is killed.
      while (sends.length < (plan.dispatches * count) / plan.kills)
        sends.push(caller.dispatch({ description: `Number ${sends.length}` }, WORKFLOW_PATH));
      await pause(dice() * MOST_BETWEEN_MS);
      await (dice() < 0.5 ? killRunner() : killNode());
    }
    await Promise.all(sends);
    await waitUntil(async () => {
      const list = await caller.list();
      return list.length === plan.dispatches && list.every(({ state }) => state === 'placed');
    }, LAST_MS).catch(async (error: Error) => {
      const unplaced = (await caller.list()).filter(({ state }) => state !== 'placed');
      throw new Error(`${error.message}: ${JSON.stringify(unplaced)}`);
    });
    const dispatches = await caller.list();
    await Promise.all(starting.values());
    await Promise.all(stories.map(({ runner }) => runner.kill()));
    const homes = stories.map(({ home }) => readMade(home));
    return {
      dispatches,
      made: homes.map(({ keys }) => keys),
      jobs: homes.map(({ jobs }) => jobs),
      ...counts,
      unexplained: caller.unexplained,
    };
  } finally {
    await Promise.all(stories.map(({ runner }) => runner.kill()));
    await Promise.all(stories.map((story) => story.end()));
    await front.close();
    await nodes.end();
  }
}
