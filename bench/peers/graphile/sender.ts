import { answerCalls } from '../../hostProcess.ts';
import { monotonicMs } from '../../monotonic.ts';
import { driverArgs, each, packageFrom, type SenderCalls } from '../driver.ts';
import { createConnection, type GraphileWorker, type Utils, WAITING } from './packages.ts';

const args = driverArgs();
const graphile: GraphileWorker = packageFrom(args, 'graphile-worker');
let utils: Utils;

const calls: SenderCalls = {
  async connect() {
    const preset = { worker: createConnection(graphile, args.ports) };
    utils = await graphile.makeWorkerUtils({ preset });
  },
  async wake(names, senders) {
    const start = monotonicMs();
    await each(names, senders, (name) =>
      utils.addJob(WAITING, { name }, { jobKey: name, jobKeyMode: 'replace', runAt: new Date(0) }),
    );
    return start;
  },
};

answerCalls(calls);
