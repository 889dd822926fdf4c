import { isJsonObject } from '../../src/base/json/isJsonObject.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolServer } from './sendMcpRequest.ts';

/** Of a program that is not part of a session: what keeps it from having tools. */
export class NoSession extends Error {}

const readJsonFileRecord = async (file: string): Promise<Record<string, unknown>> => {
  const text = await readFile(file, 'utf8').catch(() => 'null');
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
};

/**
 * The tool server of the session whose folder is `dir`, as it is reached from here: in a sandbox
 * whose network is cut off, through the proxy of the session. The token is read from a file, so
 * that no argument and no variable holds it. Throws NoSession.
 */
export async function readSessionServer(dir: string | undefined): Promise<ToolServer> {
  if (!dir)
    throw new NoSession(
      'No session: SVC_SESSION_DIR is not set. This command works inside a program that the runner started as an agent.',
    );
  const file = join(dir, 'mcp.json');
  const { url, token } = await readJsonFileRecord(file);
  if (typeof url !== 'string' || typeof token !== 'string')
    throw new NoSession(
      `No session: ${file} cannot be read or is not the runner's. SVC_SESSION_DIR must be the folder that the runner set.`,
    );
  const way = await readJsonFileRecord(join(dir, 'tool-way.json'));
  return typeof way.url === 'string' && typeof way.proxy === 'string'
    ? { url: way.url, proxy: way.proxy, token }
    : { url, token };
}
