import { execFileSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import type { Lab } from '../../lab.ts';
import type { PeerServer } from './peerServer.ts';
import { freePorts, ServerProcess } from './serverProcess.ts';
import { systemProgram } from './systemProgram.ts';

/** PostgreSQL refuses to run as root: the user that it runs as instead. */
const USER = 'postgres';

const readAccountId = (flag: '-u' | '-g'): number =>
  Number(execFileSync('id', [flag, USER], { encoding: 'utf8' }));

/** PostgreSQL as it comes: `fsync` and `synchronous_commit` are on. */
export async function postgres(lab: Lab): Promise<PeerServer> {
  const program = systemProgram('postgres', 'postgresql');
  const initdb = systemProgram('initdb', 'postgresql');
  const dir = lab.folder('postgres');
  const data = join(dir, 'data');
  const owner =
    process.getuid?.() === 0 ? { uid: readAccountId('-u'), gid: readAccountId('-g') } : undefined;
  if (owner) chownSync(dir, owner.uid, owner.gid);
  const places = ['--pgdata', data, '--username', USER, '--auth', 'trust'];
  execFileSync(initdb, [...places, '--encoding', 'UTF8', '--no-locale'], {
    stdio: 'ignore',
    cwd: dir,
    ...owner,
  });
  const ports = await freePorts('postgres');
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(ports.postgres),
    unix_socket_directories: dir,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const ready = (output: string) =>
    output.includes('database system is ready to accept connections');
  const command = { program, args: ['-D', data, ...args], ready, ...(owner && { owner }) };
  return { ports, start: () => ServerProcess.start(command) };
}
