import { once } from 'node:events';
import { createServer } from 'node:http2';
import { answerCalls } from '../../hostProcess.ts';
import { residentMemory } from '../../memory.ts';
import { monotonicMs } from '../../monotonic.ts';
import { Begun } from '../begun.ts';
import { driverArgs, each, packageFrom, parkedName, type WorkerCalls } from '../driver.ts';
import { CONCURRENT, STEPS } from '../sizes.ts';
import { ingressUrl, type RestateClients, type RestateSdk, SERVICE } from './packages.ts';
import './withResolvers.ts';

/**
 * Restate: a workflow is a handler of a service, a step is `ctx.run`. What is parked awaits an
 * awakeable, which the event resolves.
 */
const args = driverArgs();
const sdk: RestateSdk = packageFrom(args, '@restatedev/restate-sdk');
const clients: RestateClients = packageFrom(args, '@restatedev/restate-sdk-clients');
/** Stock is a minute, until which a waiting handler keeps its stream and memory, ms. */
const SUSPEND_MS = 1_000;

const beginnings = new Begun();
const awakeables = new Map<string, string>();
let appeared = (): void => {};
let ran = 0;

const service = sdk.service({
  name: SERVICE,
  handlers: {
    async workflow(context) {
      let stepCount = 0;
      for (let n = 1; n <= STEPS; n++) {
        await context.run(`step ${n}`, () => {
          ran += 1;
        });
        stepCount += 1;
      }
      return stepCount;
    },
    async wait(context, name) {
      const { id, promise } = context.awakeable();
      awakeables.set(name, id);
      appeared();
      await promise;
      beginnings.note(name);
    },
  },
  ...(args.parksLong && { options: { inactivityTimeout: SUSPEND_MS } }),
});

const handler = sdk.createEndpointHandler({ services: [service], logger: () => {} });
const server = createServer(handler as never).listen(args.ports['worker'], '127.0.0.1');
await once(server, 'listening');
const ingress = clients.connect({ url: ingressUrl(args.ports) });

const calls: WorkerCalls = {
  async steps(workflows) {
    const client = ingress.serviceClient({ name: SERVICE });
    const before = ran;
    let halfDone = 0;
    const start = monotonicMs();
    await each(
      Array.from({ length: workflows }, (_, n) => String(n)),
      CONCURRENT,
      async (input) => {
        if ((await client.workflow(input)) !== STEPS) halfDone += 1;
      },
    );
    const ms = monotonicMs() - start;
    // A step whose attempt was interrupted runs again.
    if (halfDone > 0 || ran - before < workflows * STEPS)
      throw new Error(`${halfDone} workflows ended without all their steps, ${ran - before} ran`);
    return ms;
  },
  async park(from, to) {
    const names = Array.from({ length: to - from }, (_, n) => parkedName(from + n));
    const client = ingress.serviceSendClient({ name: SERVICE });
    const parked = () => names.every((name) => awakeables.has(name));
    const all = new Promise<void>((resolve) => {
      let remaining = names.length;
      appeared = () => {
        remaining -= 1;
        // Handlers may run twice: what counts is whether all of them wait.
        if (remaining <= 0 && parked()) resolve();
      };
    });
    await each(names, CONCURRENT, (name) => client.wait(name));
    await all;
    return names.map((name) => awakeables.get(name) ?? '');
  },
  begun: (count) => beginnings.take(count),
  memory: residentMemory,
};

answerCalls(calls);
