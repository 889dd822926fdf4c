import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomIds, sha256 } from '../../../src/base/system/ids/ids.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { createRunnerToken } from '../../../src/cloud/runners/runnerTokens.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import { findTestProgram } from '../../support/findTestProgram.ts';
import { createTestDatabase, defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { openSwitch } from '../../support/cloud/openSwitch.ts';
import { linkOptions, seedTeams, waitUntil } from '../../support/cloud/testTeam.ts';
import { CloudLink } from '../../../src/cloudLink/cloudLink.ts';

const test = suite('cloud: many runners');
const dbTest = defineDatabaseTests(test);

const RUNNERS = 500;
/** Longest time until all are back after their node was killed, ms. */
const BACK_MS = 15_000;
const MIB = 1024;

/** A node as a process of its own. */
async function startNode(databaseUrl: string) {
  const child = fork(await findTestProgram('test/support/cloud/nodeProgram.ts'), [databaseUrl]);
  const url = await new Promise<string>((resolve) =>
    child.once('message', (text) => resolve(String(text))),
  );
  return {
    url,
    residentKib: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]),
    /** Processor time so far, clock ticks of 10 ms. */
    ticks: () => {
      const fields =
        readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return Number(fields[11]) + Number(fields[12]);
    },
    kill: () =>
      new Promise<void>((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

dbTest(
  '500 idle runners on a node, and all of them back after it was killed (RUN-2, CLD-6)',
  async () => {
    const databaseUrl = await createTestDatabase();
    await seedTeams(databaseUrl);
    const { sql, close } = await openDatabase(databaseUrl, { log: silentLog, max: 1 });
    const tokens: string[] = [];
    for (let n = 0; n < RUNNERS; n += 1) {
      const id = `r${n}`;
      const token = createRunnerToken(id, randomIds);
      tokens.push(token);
      const now = new Date();
      await sql`insert into runners (id, team_id, home_id, name, accept, token_hash, token_at, created_at)
      values (${id}, 'acme', ${id}, ${id}, 'team', ${sha256(token)}, ${now}, ${now})`;
    }
    const nodes = await Promise.all([startNode(databaseUrl), startNode(databaseUrl)]);
    const [first, second] = nodes;
    assert.ok(first && second);
    const front = await openSwitch(first.url);
    const connected = new Set<number>();
    const opened = Date.now();
    const links = tokens.map(
      (token, n) =>
        new CloudLink(
          linkOptions(front.url, token, null, {
            homeId: `r${n}`,
            random: Math.random,
            onConnection: (state) => {
              if (state === 'connected') connected.add(n);
              else connected.delete(n);
            },
          }),
        ),
    );
    await waitUntil(() => connected.size === RUNNERS, 120_000);
    const firstMs = Date.now() - opened;

    const began = { at: Date.now(), ticks: first.ticks() };
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    const share = ((first.ticks() - began.ticks) * 10) / (Date.now() - began.at);
    const mib = first.residentKib() / MIB;
    console.log(
      `node with ${RUNNERS} runners: ${mib.toFixed(0)} MiB, ${share.toFixed(3)} of a core`,
    );
    assert.ok(mib <= 300, `${mib} MiB`);
    assert.ok(share <= 0.2, `${share} of a core`);

    front.lead(second.url);
    const killed = Date.now();
    await first.kill();
    await waitUntil(() => connected.size < RUNNERS);
    await waitUntil(() => connected.size === RUNNERS, 120_000);
    const backMs = Date.now() - killed;
    console.log(`connected after ${firstMs} ms, all back after ${backMs} ms`);
    assert.ok(backMs <= BACK_MS, `${backMs} ms`);
    const [row] =
      await sql`select count(*) as n from runner_sessions join nodes on nodes.id = node_id
    where lost_at is null and nodes.address = ${second.url}`;
    assert.is(row?.n, RUNNERS);

    for (const link of links) link.close();
    await front.close();
    await second.kill();
    await close();
  },
);

test.run();
