import { answerCalls } from '../../hostProcess.ts';
import { monotonicMs } from '../../monotonic.ts';
import { driverArgs, each, packageFrom, type SenderCalls } from '../driver.ts';
import { ingressUrl, type RestateClients } from './packages.ts';

const args = driverArgs();
const clients: RestateClients = packageFrom(args, '@restatedev/restate-sdk-clients');
const ingress = clients.connect({ url: ingressUrl(args.ports) });

const calls: SenderCalls = {
  // The server answered before this program was asked.
  async connect() {},
  async wake(awakeables, senders) {
    const start = monotonicMs();
    await each(awakeables, senders, (id) => ingress.resolveAwakeable(id, 'continue'));
    return start;
  },
};

answerCalls(calls);
