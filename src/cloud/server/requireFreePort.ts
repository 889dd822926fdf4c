import { createServer } from 'node:http';
import { bindPort } from '../../base/system/network/bindPort.ts';
import { toBindError } from './toBindError.ts';

/**
 * Opens the port and gives it back: a start that could not listen fails before it installs or starts anything. Port 0 is
 * always free.
 * @throws SvcError `conflict` when it is taken, `bad-argument` where it cannot be opened
 */
export async function requireFreePort(options: { host: string; port: number }): Promise<void> {
  if (options.port === 0) return;
  const { port } = options;
  const host = options.host.replace(/^\[|\]$/g, '');
  const server = createServer();
  await bindPort(server, { host, port }, (error) => toBindError(error, { host, port }));
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
