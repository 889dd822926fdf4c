import { answerCalls } from '../hostProcess.ts';
import { type Network, openSlowProxy } from '../openSlowProxy.ts';

/** Proxies in a process of their own. */
const calls = {
  open: async (target: number, network: Network): Promise<number> =>
    (await openSlowProxy(target, network)).port,
};

export type ProxyHostCalls = typeof calls;

answerCalls(calls);
