import { execFileSync, spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { GitPlace } from './gitStore.ts';

const BACKEND = join(
  execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(),
  'git-http-backend',
);

/** Serves git over HTTP as a forge does, by git's own program. */
export function answerGit(
  repo: GitPlace,
  user: { login: string },
  rest: string,
  req: IncomingMessage,
  res: ServerResponse,
): void {
  const [path = '', query = ''] = rest.split('?');
  const child = spawn(BACKEND, [], {
    env: {
      PATH: process.env.PATH ?? '',
      GIT_PROJECT_ROOT: repo.gitDir,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: req.method ?? 'GET',
      CONTENT_TYPE: req.headers['content-type'] ?? '',
      REMOTE_USER: user.login,
      GIT_CONFIG_NOSYSTEM: '1',
      HOME: '/nonexistent',
      ...(req.headers['content-encoding'] === 'gzip' ? { HTTP_CONTENT_ENCODING: 'gzip' } : {}),
      ...(req.headers['git-protocol'] ? { GIT_PROTOCOL: String(req.headers['git-protocol']) } : {}),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  req.pipe(child.stdin);
  child.stdin.on('error', () => {});
  let head: Buffer<ArrayBufferLike> | null = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    if (head === null) return void res.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    const lines = head.subarray(0, end).toString('latin1').split('\r\n');
    const headers = lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ]);
    const status = Number(headers.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? 200);
    res.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
    res.write(head.subarray(end + 4));
    head = null;
  });
  child.on('close', () => res.end());
}
