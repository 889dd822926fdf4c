import { fork } from 'node:child_process';
import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_OPEN_REQUESTS_OF_MEMBER } from '../../../src/contract/channel/limits.ts';
import { CloudLink } from '../../../src/cloudLink/cloudLink.ts';
import { findTestProgram } from '../../support/findTestProgram.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import {
  asUser,
  linkOptions,
  openOwnServer,
  pairHome,
  startTeamNode,
  waitUntil,
} from '../../support/cloud/testTeam.ts';

const test = suite('cloud: thousands of streams of one person');
const dbTest = defineDatabaseTests(test);

const STREAMS = 10_000;
/** Longest time until each is answered, ms. */
const ANSWERED_MS = 300_000;

dbTest(
  'of 10,000 streams at once each one is carried, or its answer says why it is not and when to try again',
  async () => {
    const node = await startTeamNode();
    const open = new Set<object>();
    const own = await openOwnServer((_, res) => {
      open.add(res);
      res.once('close', () => open.delete(res));
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(': begin\n\n');
    });
    const { body } = await pairHome(node, { homeId: 'streams', name: 'streams' });
    const states: string[] = [];
    const link = new CloudLink({
      ...linkOptions(node.url, body.token, own.listener, { homeId: 'streams' }),
      onConnection: (state) => void states.push(state),
    });
    await waitUntil(() => states.at(-1) === 'connected');
    const path = `/teams/acme/jobs/any/stream?runner=${body.runnerId}`;
    const client = fork(await findTestProgram('test/support/cloud/manyStreams.ts'), [
      new URL(node.url).port,
      path,
      JSON.stringify(asUser('ada')),
      String(STREAMS),
    ]);
    const [answers] = await once(client, 'message', { signal: AbortSignal.timeout(ANSWERED_MS) });
    console.log(`\nnote: ${JSON.stringify(answers)}`);
    const carried = MAX_OPEN_REQUESTS_OF_MEMBER;
    assert.is(answers['200'], carried);
    assert.is(
      Object.values<number>(answers).reduce((sum, n) => sum + n),
      STREAMS,
    );
    // By the runner, which takes 64 of a member, and by the node, where more of a login wait for their answers than it takes.
    const documented = ['200', '503 busy 1', '429 rate-limited 1'];
    assert.equal(
      Object.keys(answers).filter((answer) => !documented.includes(answer)),
      [],
    );
    assert.is((await node.ask('/teams/acme/runners', { headers: asUser('ben') })).status, 200);
    client.kill('SIGKILL');
    await waitUntil(() => open.size === 0);
    assert.equal([...new Set(states)], ['connecting', 'connected']);
    link.close();
    await own.close();
    await node.stop();
  },
);

test.run();
