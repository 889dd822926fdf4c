import { answerCalls } from '../../hostProcess.ts';
import { monotonicMs } from '../../monotonic.ts';
import { driverArgs, each, packageFrom, type SenderCalls } from '../driver.ts';
import { type BullMq, type JobQueue, WAITING } from './packages.ts';

const args = driverArgs();
const { Job, Queue }: BullMq = packageFrom(args, 'bullmq');
let queue: JobQueue;

const calls: SenderCalls = {
  async connect() {
    queue = new Queue(WAITING, {
      connection: { host: '127.0.0.1', port: args.ports['redis'] ?? 0 },
    });
    await queue.waitUntilReady();
  },
  async wake(ids, senders) {
    const start = monotonicMs();
    // Promoted by its id alone: reading the job first would cost one more request.
    await each(ids, senders, (id) => new Job(queue, 'parked', {}, {}, id).promote());
    return start;
  },
};

answerCalls(calls);
