import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KernelError } from '../../src/kernel/contract.ts';
import { Mail } from '../../src/kernel/mail.ts';
import type { Submit } from '../../src/kernel/work.ts';
import type { MailRow } from '../../src/kernel/writer.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';

const test = suite('durable mail');

const message = (from: string, seq: number, to: string): MailRow => ({
  id: `${from}/${seq}/0`,
  to,
  event: { type: `${from}${seq}` },
});

/** Mail on a store of which the first commits fail. */
const setUp = (failures: number) => {
  const clock = new SimulatedClock();
  const arrived: string[] = [];
  let remaining = failures;
  const submit: Submit = async ({ sends = [] }) => {
    if (remaining-- > 0) throw new KernelError('commit-failed', 'the disk is full');
    arrived.push(...sends.map(({ to, event }) => `${event.type} to ${to}`));
    return { started: [], sends: [] };
  };
  const mail = new Mail(submit, clock, () => undefined);
  const quiet = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  };
  return { mail, clock, arrived, quiet };
};

test('messages of one sender to one receiver keep their order when the first has to be retried (RUN-4)', async () => {
  const { mail, clock, arrived, quiet } = setUp(1);
  mail.deliver([message('a', 9, 'x')]);
  await quiet();
  mail.deliver([message('a', 10, 'x'), message('b', 1, 'x'), message('a', 11, 'y')]);
  await quiet();
  assert.equal(arrived, ['b1 to x', 'a11 to y'], 'others do not wait for it');
  clock.advance(1_000);
  await quiet();
  assert.equal(arrived, ['b1 to x', 'a11 to y', 'a9 to x', 'a10 to x']);
});

test('a message that cannot be delivered does not block the next ones', async () => {
  const arrived: unknown[] = [];
  const submit: Submit = async ({ mailDone }) => {
    if (mailDone === 'a/1/0') throw new KernelError('chart-error', 'broken');
    arrived.push(mailDone);
    return { started: [], sends: [] };
  };
  const mail = new Mail(submit, new SimulatedClock(), () => undefined);
  mail.deliver([message('a', 1, 'x'), message('a', 2, 'x')]);
  await new Promise(setImmediate);
  assert.equal(arrived, ['a/2/0']);
});

test('after the stop nothing is delivered; the messages wait in the store', async () => {
  const { mail, arrived, quiet } = setUp(0);
  mail.stop();
  mail.deliver([message('a', 1, 'x')]);
  await quiet();
  assert.equal(arrived, []);
});

test.run();
