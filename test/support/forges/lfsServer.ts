import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execFileSync } from 'node:child_process';
import { formatPointer } from '../../../src/git/contents/lfsPointers.ts';
import { answerGit } from './fakeForge/gitHttp.ts';

export const hasGitLfs = (): boolean => {
  try {
    execFileSync('git', ['lfs', 'version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** The pointer of these contents, as git-lfs commits it. */
export const toLfsPointer = (contents: string): string =>
  formatPointer({
    oid: createHash('sha256').update(contents).digest('hex'),
    size: Buffer.byteLength(contents),
  });

const LFS_TYPE = 'application/vnd.git-lfs+json';

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

async function readText(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of req) text += String(chunk);
  return text;
}

interface LfsServerOptions {
  /** Of the repository `shop`. */
  gitDir: string;
  username: string;
  password: string;
  /** Contents that the server has. */
  contents: readonly string[];
}

/**
 * A forge with one repository, served by git, and its contents of Git LFS by the batch API; the contents are at
 * another server, as at most forges. The forge wants a login, the other server none.
 */
export async function openLfsServer({ gitDir, username, password, contents }: LfsServerOptions) {
  const login = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const byOid = new Map(
    contents.map((text) => [createHash('sha256').update(text).digest('hex'), text]),
  );
  /** `Authorization` of each request at the server with the contents. */
  const storageLogins: (string | undefined)[] = [];
  const batches: { operation: string; objects: { oid: string; size: number }[] }[] = [];
  const storage = createServer((req, res) => {
    storageLogins.push(req.headers.authorization);
    const text = byOid.get((req.url ?? '').slice(1));
    res.writeHead(text === undefined ? 404 : 200, { 'content-type': 'application/octet-stream' });
    res.end(text);
  });
  const storageUrl = await listen(storage);
  const forge = createServer(async (req, res) => {
    const url = req.url ?? '';
    if (req.headers.authorization !== login) {
      res.writeHead(401, {
        'www-authenticate': 'Basic realm="forge"',
        'lfs-authenticate': 'Basic realm="Git LFS"',
        'content-type': LFS_TYPE,
      });
      res.end(JSON.stringify({ message: 'Credentials needed' }));
      return;
    }
    if (url !== '/shop.git/info/lfs/objects/batch') {
      answerGit({ gitDir }, { login: username }, url.replace(/^\/shop\.git/, ''), req, res);
      return;
    }
    const batch = JSON.parse(await readText(req));
    batches.push(batch);
    res.writeHead(200, { 'content-type': LFS_TYPE });
    res.end(
      JSON.stringify({
        transfer: 'basic',
        objects: batch.objects.map((object: { oid: string; size: number }) =>
          byOid.has(object.oid)
            ? { ...object, actions: { download: { href: `${storageUrl}/${object.oid}` } } }
            : { ...object, error: { code: 404, message: 'Object does not exist' } },
        ),
      }),
    );
  });
  const forgeUrl = await listen(forge);
  return {
    url: `${forgeUrl}/shop.git`,
    batches,
    storageLogins,
    end: async (): Promise<void> => {
      for (const server of [forge, storage]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}
