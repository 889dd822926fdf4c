import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Lab } from '../../lab.ts';
import { packagesFolder } from '../install.ts';
import type { PeerServer } from '../servers/peerServer.ts';
import { freePorts, ServerProcess } from '../servers/serverProcess.ts';

/** The server's own program, which the package's script would start as a child. */
function serverProgram(): string {
  const scope = join(packagesFolder('restate'), 'node_modules', '@restatedev');
  const platform = readdirSync(scope).find((name) => name.startsWith('restate-server-'));
  if (!platform) throw new Error(`Restate has no server for this system in ${scope}.`);
  return join(scope, platform, 'bin', 'restate-server');
}

const isUp = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
};

/** One node of Restate as it comes: its log is on disk before it answers. */
export async function restateServer(lab: Lab): Promise<PeerServer> {
  const program = serverProgram();
  const ports = await freePorts('ingress', 'admin', 'node', 'worker');
  const env = {
    RESTATE_BASE_DIR: lab.folder('restate'),
    RESTATE_LISTEN_MODE: 'tcp',
    RESTATE_NODE_NAME: 'bench',
    RESTATE_BIND_IP: '127.0.0.1',
    RESTATE_ADVERTISED_HOST: '127.0.0.1',
    RESTATE_BIND_PORT: String(ports.node),
    RESTATE_INGRESS__BIND_PORT: String(ports.ingress),
    RESTATE_ADMIN__BIND_PORT: String(ports.admin),
    RESTATE_DISABLE_TELEMETRY: 'true',
    DO_NOT_TRACK: '1',
  };
  const ready = async () =>
    (await isUp(`http://127.0.0.1:${ports.admin}/health`)) &&
    (await isUp(`http://127.0.0.1:${ports.ingress}/restate/health`));
  return {
    ports,
    start: () => ServerProcess.start({ program, args: ['--no-logo'], env, ready }),
  };
}
