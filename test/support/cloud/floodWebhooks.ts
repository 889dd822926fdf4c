import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { reserveHomeId } from '../../../src/host/backup/homeRecord.ts';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { issueEvent } from '../forges/webhookStage.ts';
import { Story } from '../story.ts';
import { createDice } from './createDice.ts';
import { KilledNodes } from './killedNodes.ts';
import { createTestDatabase } from './openTestDatabase.ts';
import { openSwitch } from './openSwitch.ts';
import { addWebhook, type Node } from './webhookTeam.ts';
import { pairHome, seedTeams, waitUntil } from './testTeam.ts';

/** A job waits for an approval at once, and no program runs. */
const WORKFLOW = `
initial_phase: only
phases:
  - { name: only, agent: null, status: planning, interactive_checkpoint: true }
`;
/** Each with a runner of its own: what is of one team is in no journal of another. */
const TEAMS = ['acme', 'beta', 'gamma'];
const JOBS_PER_RUNNER = 20;
/** Deliveries that are on their way at the same time. */
const SENDERS = 12;
/** Before a delivery is sent again, ms. */
const AGAIN_MS = 250;
/** How long a runner may take to start, ms: after a kill it waits until the time of its last process is over. */
const START_MS = 120_000;
/** Longest time until every runner has everything, ms. */
const LAST_MS = 900_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export interface FloodReport {
  /** Deliveries that were accepted, of each team. */
  sent: string[][];
  /** Deliveries in the journals of the jobs of its runner, of each team. */
  journaled: string[][];
  copies: number;
  nodeKills: number;
  runnerKills: number;
}

/** A runner of one team, with jobs on whose tickets people comment. */
interface FloodedTeam {
  slug: string;
  story: Story;
  secret: string;
  sent: string[];
}

/** The IDs of deliveries in the journals of a home that no process uses. */
function readJournals(home: string): string[] {
  const db = new Database(join(home, 'state.db'));
  try {
    return db
      .all("SELECT event FROM journal WHERE event LIKE '%flood-%'")
      .map(({ event }) => /flood-\d+/.exec(String(event))?.[0] ?? '');
  } finally {
    db.close();
  }
}

async function addTeams(databaseUrl: string): Promise<void> {
  await seedTeams(databaseUrl);
  const { sql, close } = await openDatabase(databaseUrl, { log: silentLog, max: 1 });
  const now = new Date();
  for (const id of TEAMS.slice(1)) {
    await sql`insert into teams (id, slug, name, created_at) values (${id}, ${id}, ${id}, ${now})`;
    await sql`insert into members (team_id, user_id, role, created_at) values (${id}, 'adm', 'owner', ${now})`;
  }
  await close();
}

async function openTeam(node: Node, frontUrl: string, slug: string): Promise<FloodedTeam> {
  const story = new Story({
    workflow: WORKFLOW,
    programs: {},
    config: {
      runner: { maxConcurrentJobs: JOBS_PER_RUNNER },
      plugins: {
        installed: {
          // No account is asked, and nothing of a network answers.
          github: {
            config: { token: 'ghp_none', baseUrl: 'http://127.0.0.1:9', selfIsPerson: true },
          },
        },
      },
    },
  });
  const homeId = await reserveHomeId(story.home, randomIds);
  const { body } = await pairHome(node as Parameters<typeof pairHome>[0], {
    team: slug,
    userId: 'adm',
    homeId,
    name: slug,
  });
  const cloud = { url: frontUrl, token: body.token, name: slug, adoptSlots: 0 };
  const file = join(story.home, 'config.json');
  const config: object = JSON.parse(readFileSync(file, 'utf8'));
  story.write(file, JSON.stringify({ ...config, cloud }));
  await story.runner.start();
  for (let n = 1; n <= JOBS_PER_RUNNER; n += 1) {
    const jobId = await story.job({ jiraTicketId: `acme/shop#${n}` });
    await story.until(jobId, ({ parked }) => parked?.kind === 'approval', START_MS);
  }
  return { slug, story, secret: await addWebhook(node, 'github', slug), sent: [] };
}

/**
 * Sends comments to teams over two nodes, every tenth one twice, while nodes and runners are killed with SIGKILL and one
 * runner is away for half of the time. Each delivery is sent until a node has accepted it.
 */
export async function floodWebhooks(plan: {
  deliveries: number;
  nodeKills: number;
  runnerKills: number;
  seed: number;
}): Promise<FloodReport> {
  const dice = createDice(plan.seed);
  const databaseUrl = await createTestDatabase();
  await addTeams(databaseUrl);
  const nodes = new KilledNodes(databaseUrl);
  await Promise.all([nodes.start(), nodes.start()]);
  const front = await openSwitch(...nodes.urls);
  const teams: FloodedTeam[] = [];
  let copies = 0;
  try {
    for (const slug of TEAMS) teams.push(await openTeam(nodes.pick(dice), front.url, slug));

    const post = async (team: FloodedTeam, id: string, body: string): Promise<void> => {
      const digest = createHmac('sha256', team.secret).update(body).digest('hex');
      for (;;) {
        const reply = await fetch(`${front.url}/webhook/${team.slug}/github`, {
          method: 'POST',
          headers: {
            Connection: 'close',
            'X-GitHub-Event': 'issue_comment',
            'X-GitHub-Delivery': id,
            'X-Hub-Signature-256': `sha256=${digest}`,
          },
          body,
        }).catch(() => null);
        const text = await reply?.text().catch(() => null);
        if (reply?.status === 202 && text) return;
        await pause(AGAIN_MS);
      }
    };
    let next = 0;
    const send = async (): Promise<void> => {
      for (let n = next++; n < plan.deliveries; n = next++) {
        const team = teams[n % teams.length];
        if (team === undefined) return;
        const id = `flood-${n}`;
        const number = 1 + (Math.floor(n / teams.length) % JOBS_PER_RUNNER);
        const event = issueEvent('created', 'ann', {
          number,
          comment: id,
          at: new Date().toISOString(),
        });
        const body = JSON.stringify(event);
        await post(team, id, body);
        team.sent.push(id);
        if (n % 10 === 0) {
          copies += 1;
          await post(team, id, body);
        }
      }
    };
    const sending = Promise.all(Array.from({ length: SENDERS }, send));

    const awaitShare = (share: number) => waitUntil(() => next >= share * plan.deliveries, LAST_MS);
    const killNodes = async (): Promise<void> => {
      for (let count = 1; count <= plan.nodeKills; count += 1) {
        await awaitShare(count / (plan.nodeKills + 1));
        await nodes.start();
        await nodes.kill();
        front.lead(...nodes.urls);
      }
    };
    const killRunners = async (): Promise<void> => {
      const [first] = teams;
      for (let count = 1; count <= plan.runnerKills; count += 1) {
        await awaitShare(count / (plan.runnerKills + 1));
        await first?.story.runner.kill();
        await first?.story.runner.start();
      }
    };
    const beAway = async (): Promise<void> => {
      const away = teams.at(-1);
      await awaitShare(0.25);
      await away?.story.runner.stop();
      await awaitShare(0.75);
      await away?.story.runner.start();
    };
    await Promise.all([sending, killNodes(), killRunners(), beAway()]);

    const { sql, close } = await openDatabase(databaseUrl, { log: silentLog, max: 1 });
    await waitUntil(async () => {
      const [row] = await sql`select count(*) as waiting from webhook_sends`;
      return Number(row?.waiting) === 0;
    }, LAST_MS);
    await close();
    await Promise.all(teams.map(({ story }) => story.runner.stop()));
    return {
      sent: teams.map((team) => team.sent.toSorted()),
      journaled: teams.map(({ story }) => readJournals(story.home).toSorted()),
      copies,
      nodeKills: plan.nodeKills,
      runnerKills: plan.runnerKills,
    };
  } finally {
    await Promise.all(teams.map(({ story }) => story.end()));
    await front.close();
    await nodes.end();
  }
}
