import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RowChange } from '../../../src/contract/records/changes.ts';
import type { SvcError } from '../../../src/base/errors/errors.ts';
import { Requests } from '../../../src/jobs/commands/requests.ts';

const test = suite('runner requests');

/** Requests over one table in memory; `write` is what the kernel's commit does. */
const setUp = () => {
  const table = new Map<string, Record<string, unknown>>();
  const write = async (rows: RowChange<'requests'>[]) => {
    for (const row of rows) {
      if (row.op === 'put') table.set(String(row.row.key), row.row);
      if (row.op === 'patch') Object.assign(table.get(String(row.key.key)) ?? {}, row.set);
    }
  };
  const rows = {
    all: () => [],
    count: () => 0,
    one: (_: string, where: Record<string, unknown>) => table.get(String(where.key)),
  };
  return { requests: new Requests(rows as never, write, () => 7), rows, write, table };
};

const again = (jobId: string) => `again ${jobId}`;
const catchCode = async (call: () => Promise<unknown>): Promise<string> => {
  try {
    await call();
  } catch (error) {
    return (error as SvcError).code;
  }
  return 'none';
};

test('the same key and body is done once and answered twice (HTTP-1)', async () => {
  const { requests, write } = setUp();
  let runs = 0;
  const command = () =>
    requests.runOnce({ key: 'k', bodyHash: 'h' }, again, async ({ claim }) => {
      runs += 1;
      await write(claim('job-1'));
      return `run ${runs}`;
    });
  assert.equal(await command(), 'run 1');
  assert.equal(await command(), 'run 1');
  assert.equal(runs, 1);
});

test('a crash after the commit and before the answer was kept still does it once', async () => {
  const { requests, write } = setUp();
  const command = { key: 'k', bodyHash: 'h' };
  await requests
    .runOnce(command, again, async ({ claim }) => {
      await write(claim('job-1'));
      throw new Error('crash');
    })
    .catch(() => undefined);
  assert.is(await requests.runOnce(command, again, async () => 'a second run'), 'again job-1');
});

test('a command whose reply cannot be kept is done all the same, and is not done again', async () => {
  const { rows, write } = setUp();
  const requests = new Requests(
    rows as never,
    () => Promise.reject(new Error('the disk is full')),
    () => 7,
  );
  const command = { key: 'k', bodyHash: 'h' };
  const reply = await requests.runOnce(command, again, async ({ claim }) => {
    await write(claim('job-1'));
    return 'done';
  });
  assert.equal(reply, 'done');
  assert.equal(await requests.runOnce(command, again, async () => 'a second run'), 'again job-1');
});

test('a command that failed before its commit may be sent again with its key', async () => {
  const { requests, write } = setUp();
  const command = { key: 'k', bodyHash: 'h' };
  await requests
    .runOnce(command, again, () => Promise.reject(new Error('refused')))
    .catch(() => undefined);
  const reply = await requests.runOnce(command, again, async ({ claim }) => {
    await write(claim('job-1'));
    return 'done';
  });
  assert.is(reply, 'done');
});

test('the same key with another body is invalid, and while the first runs it is a conflict', async () => {
  const { requests, write } = setUp();
  let finish = () => {};
  const first = requests.runOnce({ key: 'k', bodyHash: 'h' }, again, async ({ claim }) => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    await write(claim('job-1'));
    return 'done';
  });
  const during = await catchCode(() =>
    requests.runOnce({ key: 'k', bodyHash: 'h' }, again, async () => 'x'),
  );
  finish();
  await first;
  const other = await catchCode(() =>
    requests.runOnce({ key: 'k', bodyHash: 'other' }, again, async () => 'x'),
  );
  assert.equal(during, 'conflict');
  assert.equal(other, 'invalid');
});

test('without a key nothing is kept', async () => {
  const { requests, table } = setUp();
  const answer = await requests.runOnce(undefined, again, async ({ claim }) =>
    String(claim('job-1').length),
  );
  assert.equal(answer, '0');
  assert.equal(table.size, 0);
});

test.run();
