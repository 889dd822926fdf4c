import { createServer } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  findPortRange,
  isPortInUse,
  listPortRanges,
} from '../../../../src/jobs/workspace/checkouts/findPortRange.ts';

const test = suite('ranges of ports of checkouts');

const RANGES = listPortRanges({ first: 2000, last: 2034, perCheckout: 10 }, 0);
const free = async () => false;

test('only whole ranges are given out, beginning anywhere', () => {
  assert.equal(
    RANGES.map(({ port }) => port),
    [2000, 2010, 2020],
  );
  assert.equal(
    listPortRanges({ first: 2000, last: 2034, perCheckout: 10 }, 5).map(({ port }) => port),
    [2020, 2000, 2010],
  );
  assert.equal(listPortRanges({ first: 2000, last: 2034, perCheckout: 0 }, 0), []);
});

test('a range shares no port with one that is taken, of whatever size', async () => {
  assert.is((await findPortRange(RANGES, [{ port: 1995, ports: 6 }], free))?.port, 2010);
  assert.is((await findPortRange(RANGES, [{ port: 2005, ports: 10 }], free))?.port, 2020);
  assert.is(await findPortRange(RANGES, [{ port: 2000, ports: 30 }], free), null);
});

test('a range with a port that a program uses is passed over', async () => {
  assert.is((await findPortRange(RANGES, [], async (port) => port === 2009))?.port, 2010);
});

test('a port that a program listens on is in use', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0 }, resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  assert.is(await isPortInUse(port), true);
  await new Promise((resolve) => server.close(resolve));
  assert.is(await isPortInUse(port), false);
});

test.run();
