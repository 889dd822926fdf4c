import { systemClock } from '../../../src/base/time/clock.ts';
import { neverAway } from '../../../src/base/concurrency/unlessAway.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CallKeys } from '../../../src/executors/tools/host/callKeys.ts';
import { AWAY_CALL_MS, PhaseTools } from '../../../src/executors/tools/host/phaseTools.ts';
import { FakeJobPort } from '../../support/http/fakeAgentJob.ts';
import { callTool, serveTools } from '../../support/agents/toolServer.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import { unscreened } from '../../support/standIns/unscreened.ts';

const test = suite('tools: answers that do not arrive');

const numbers = ({ sent }: FakeJobPort): string[] => sent.map(({ key }) => key.slice(-2));

/** A promise and the way to settle it. */
function gate(): { opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

test('an agent that lost the answer and calls again is the same caller: the job is changed once (STR-4)', async () => {
  const port = new FakeJobPort();
  const [start, may] = [gate(), gate()];
  const receive = port.receive;
  port.receive = async (...args) => {
    start.open();
    await may.opened;
    return receive(...args);
  };
  await using served = await serveTools(port);
  const cut = new AbortController();
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'escalate', arguments: { message: 'help' } },
  };
  const request = fetch(served.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${served.opened.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
    signal: cut.signal,
  });
  await start.opened;
  cut.abort();
  await request.catch(() => undefined);
  // The server has to see that the connection is gone; another request of ours comes after that.
  const client = await served.connect();
  may.open();
  const again = await callTool(client, 'escalate', { message: 'help' });
  assert.is(again.isError, false);
  assert.equal(
    numbers(port),
    ['/1', '/1'],
    'both carry the key of the first call, which the job takes once',
  );
  await callTool(client, 'escalate', { message: 'help' });
  assert.equal(numbers(port), ['/1', '/1', '/2'], 'a third one is a call of its own');
});

test('a lost number is given out again once, the lowest first; that of a refused call is not lost', () => {
  const keys = new CallKeys(1, 1);
  const next = () => keys.next('log', { line: 'a' });
  const [first, second] = [next(), next()];
  second.lose();
  first.lose();
  assert.equal(next().key.slice(-2), '/1');
  assert.equal(next().key.slice(-2), '/2');
  assert.equal(next().key.slice(-2), '/3');
  const refused = next();
  refused.release();
  refused.lose();
  assert.equal(next().key.slice(-2), '/4');
  assert.equal(next().key.slice(-2), '/5');
  const lostFirst = next();
  lostFirst.lose();
  lostFirst.release();
  assert.equal(next().key.slice(-2), '/6');
  assert.equal(next().key.slice(-2), '/7');
});

test('calls wait while the tool server is held, running ones continue, and a client that has left meanwhile is not served (STR-2)', async () => {
  const port = new FakeJobPort();
  const watched: string[] = [];
  const watch = {
    began: () => void watched.push('began'),
    onEnd: () => void watched.push('ended'),
    onLost: () => void watched.push('lost'),
  };
  const tools = new PhaseTools(port, [], () => {}, {
    clock: systemClock,
    awaySince: neverAway,
    watch,
    screen: unscreened,
  });
  tools.hold();
  const controller = new AbortController();
  const waitingCall = tools.call('escalate', { message: 'one' });
  const leaving = tools.call('escalate', { message: 'two' }, controller.signal);
  controller.abort();
  await new Promise(setImmediate);
  assert.equal(port.sent.length, 0);
  assert.equal(watched, []);
  tools.release();
  // Held again before the waiting call has seen that it may continue.
  tools.hold();
  await new Promise(setImmediate);
  assert.is(port.sent.length, 0);
  tools.release();
  assert.is((await waitingCall).failed, undefined);
  assert.match((await leaving).text, /cancelled before it began/);
  assert.equal(port.sent.length, 1);
  assert.equal(watched, ['began', 'ended']);
});

test('a session that ends answers also the calls that wait', async () => {
  const tools = new PhaseTools(new FakeJobPort(), [], () => {}, {
    clock: systemClock,
    awaySince: neverAway,
    screen: unscreened,
  });
  tools.hold();
  const waitingCall = tools.call('escalate', { message: 'one' });
  tools.close();
  assert.match((await waitingCall).text, /This phase is over/);
});

test('a call that the control plane does not confirm is answered after 120 s, and its repeat is the same call', async () => {
  const clock = new SimulatedClock();
  const port = new FakeJobPort();
  const receive = port.receive;
  const confirmed = gate();
  port.receive = async (...args) => {
    await confirmed.opened;
    return receive(...args);
  };
  let awaySince: number | null = clock.now();
  const tools = new PhaseTools(port, [], () => {}, {
    clock,
    awaySince: () => awaySince,
    screen: unscreened,
  });
  const first = tools.call('escalate', { message: 'help' });
  await new Promise(setImmediate);
  clock.advance(AWAY_CALL_MS);
  const answer = await first;
  assert.equal([answer.failed, answer.data], [true, { code: 'cloud-unreachable' }]);
  awaySince = null;
  const again = tools.call('escalate', { message: 'help' });
  confirmed.open();
  assert.is((await again).failed, undefined);
  assert.equal(numbers(port), ['/1', '/1']);
});

test.run();
