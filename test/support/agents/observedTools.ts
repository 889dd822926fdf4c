import { openServices } from '../../../src/plugins/builtInServices.ts';
import type { PluginSettings } from '../../../src/contract/schema/runner/settings.ts';
import { createObservabilityTools } from '../../../src/executors/tools/forge/createObservabilityTools.ts';
import { FakeJobPort } from '../http/fakeAgentJob.ts';
import { FakeObservability } from './fakeObservability/server.ts';
import { SimulatedClock } from '../charts/simulatedClock.ts';
import { callTool, serveTools, type ToolOutcome } from './toolServer.ts';

export interface Observed {
  fake: FakeObservability;
  /** The time of the runner's clock, nanoseconds. */
  now: bigint;
  call(name: string, args?: Record<string, unknown>): Promise<ToolOutcome>;
  /** Ends the session while a call may be under way. */
  closeSession(): Promise<void>;
  /** Why a service cannot be used, by id. */
  faults: Record<string, string | null>;
}

/** Entries of `plugins.installed` for both, at this address. */
export const entriesFor = (
  baseUrl: string,
  config: Record<string, unknown> = {},
): Record<string, PluginSettings> => {
  const entry = { config: { baseUrl, ...config }, allowHosts: ['127.0.0.1'] };
  return { loki: entry, tempo: entry };
};

/** An agent with the tools, through a real MCP client, and a server like Loki and Tempo. */
export async function observed(
  run: (stage: Observed) => Promise<void>,
  entries: (url: string) => Record<string, PluginSettings> = entriesFor,
): Promise<void> {
  await using fake = await new FakeObservability().start();
  const clock = new SimulatedClock();
  const services = await openServices(entries(fake.url), clock);
  await using served = await serveTools(
    new FakeJobPort(),
    ['local'],
    true,
    createObservabilityTools(services),
  );
  const client = await served.connect();
  await run({
    fake,
    now: BigInt(clock.now()) * 1_000_000n,
    call: (name, args) => callTool(client, name, args),
    closeSession: () => served.opened.close(),
    faults: Object.fromEntries(services.all.map(({ id, problem }) => [id, problem])),
  });
}
