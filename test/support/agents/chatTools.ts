import { systemClock } from '../../../src/base/time/clock.ts';
import { neverAway } from '../../../src/base/concurrency/unlessAway.ts';
import { createServer } from 'node:http';
import type { ReadTool } from '../../../src/contract/planning/chat.ts';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { createToolHost, type ToolHost } from '../../../src/executors/tools/host/createToolHost.ts';
import { unscreened } from '../standIns/unscreened.ts';

export interface LookedUp {
  name: string;
  args: Readonly<Record<string, unknown>>;
}

const schema = (...names: string[]): ReadTool['inputSchema'] => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
  additionalProperties: false,
});

/** Two tools of a plan-mode chat over a shop of one file and one ticket; they add to `lookups`. */
export function shopTools(
  lookups: LookedUp[],
  answers: Readonly<Record<string, string>> = {},
): ReadTool[] {
  const tool = (name: string, field: string, answer: string): ReadTool => ({
    name,
    description: `Reads one ${field}.`,
    inputSchema: schema(field),
    async run(args) {
      lookups.push({ name, args });
      return { text: answers[name] ?? answer, failed: false };
    },
  });
  return [
    tool('scm_read_file', 'path', 'export const price = 7;'),
    tool('tracker_get_issue', 'id', 'SHOP-1: the price is wrong'),
  ];
}

export interface ChatHost {
  host: ToolHost;
  open(tools: readonly ReadTool[]): { url: string; token: string; close(): void };
  [Symbol.asyncDispose](): Promise<void>;
}

/** The real tool host on a bare loopback server. */
export async function openChatHost(screen = unscreened): Promise<ChatHost> {
  const host = createToolHost({
    clock: systemClock,
    awaySince: neverAway,
    visible: unscreened,
    screen,
    ids: randomIds,
    onError: () => {},
  });
  const server = createServer((req, res) => void host.handle(req, res, undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    host,
    open(tools) {
      const { path, token, close } = host.openChat(tools);
      return { url: `http://127.0.0.1:${port}${path}`, token, close };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
