import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Longest folder, characters: the path of a socket has 107, and the runtime's names take 45. */
const MAX_CHARS = 60;

/**
 * Where the sockets of a sandbox lie: the folder for temporary files, unless the inside does not see
 * it (it has a /dev of its own) or its path leaves no room for the name of a socket.
 */
export function chooseSocketFolder(): string {
  const own = realpathSync(tmpdir());
  return own.startsWith('/dev/') || own.length > MAX_CHARS ? '/tmp' : own;
}
