import { answerCalls } from '../../hostProcess.ts';
import { monotonicMs } from '../../monotonic.ts';
import { driverArgs, each, packageFrom, type SenderCalls } from '../driver.ts';
import { type Dbos, type DbosClient, databaseUrl, TOPIC } from './packages.ts';

const args = driverArgs();
const { DBOSClient }: Dbos = packageFrom(args, '@dbos-inc/dbos-sdk');
let client: DbosClient;

const calls: SenderCalls = {
  async connect() {
    client = await DBOSClient.create({ systemDatabaseUrl: databaseUrl(args.ports) });
  },
  async wake(workflowIds, senders) {
    const start = monotonicMs();
    await each(workflowIds, senders, (id) => client.send(id, 'now', TOPIC));
    return start;
  },
};

answerCalls(calls);
