import type { Lab } from '../../lab.ts';
import type { PeerServer } from './peerServer.ts';
import { freePorts, ServerProcess } from './serverProcess.ts';
import { systemProgram } from './systemProgram.ts';

/** Redis that has every write on disk before it answers (`appendfsync always`). */
export async function redis(lab: Lab): Promise<PeerServer> {
  const program = systemProgram('redis-server', 'redis-server');
  const dir = lab.folder('redis');
  const ports = await freePorts('redis');
  const settings = {
    bind: '127.0.0.1',
    port: String(ports.redis),
    dir,
    appendonly: 'yes',
    appendfsync: 'always',
    // The append-only file has everything; copies of all data beside it would only take time.
    save: '',
    'maxmemory-policy': 'noeviction',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const ready = (output: string) => output.includes('Ready to accept connections');
  return { ports, start: () => ServerProcess.start({ program, args, ready }) };
}
