import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { read } from '../../../scripts/checks/projectFiles.ts';
import { listFences } from '../../../scripts/docs/markdownFiles.ts';
import { Looks } from '../looks.ts';
import { AUTHORITY, SERVER } from '../network/testAuthority.ts';

const PAGE = 'docs/operations/control-plane.md';
/** Longest wait for its first connection, ms. */
const START_MS = 20_000;

/** Where a proxy of a test listens, and what is behind it. */
export interface ProxyPlaces {
  dir: string;
  /** Of https, on 127.0.0.1. */
  port: number;
  /** Port of the control plane. */
  behind: number;
}

export interface ReverseProxyKind {
  name: string;
  /** Package of Debian. */
  package: string;
  program: string | null;
  /** Writes its files with the block of the documents, and gives the arguments that start it. */
  prepare(places: ProxyPlaces): string[];
}

/** The block of the documents that has this line. */
function findBlock(line: string): string {
  const blocks = listFences(read(PAGE)).filter(({ text }) => text.includes(line));
  const [only] = blocks;
  if (only === undefined || blocks.length !== 1)
    throw new Error(`${PAGE} has ${blocks.length} blocks with "${line}"`);
  return only.text;
}

/** A word of the documents by what it is in a test. Throws where the block does not have it: the test would run something else. */
function replaceWord(text: string, word: string, by: string): string {
  if (!text.includes(word)) throw new Error(`the block of ${PAGE} does not say "${word}"`);
  return text.replaceAll(word, by);
}

const findProgram = (name: string): string | null => {
  const path = `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin`;
  const { status, stdout } = spawnSync('sh', ['-c', `command -v ${name}`], {
    env: { PATH: path },
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : null;
};

const writeCertificate = (dir: string): { cert: string; key: string } => {
  const [cert, key] = [join(dir, 'server.pem'), join(dir, 'server.key')];
  writeFileSync(cert, SERVER.cert);
  writeFileSync(key, SERVER.key);
  return { cert, key };
};

export const CADDY: ReverseProxyKind = {
  name: 'Caddy',
  package: 'caddy',
  program: findProgram('caddy'),
  prepare({ dir, port, behind }) {
    const { cert, key } = writeCertificate(dir);
    // Outside a test Caddy fetches the certificate itself.
    const site = replaceWord(
      findBlock('reverse_proxy'),
      'svc.example.com {',
      `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${cert} ${key}`,
    );
    const file = join(dir, 'Caddyfile');
    writeFileSync(
      file,
      `{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n\n${replaceWord(site, '127.0.0.1:4000', `127.0.0.1:${behind}`)}`,
    );
    return ['run', '--config', file, '--adapter', 'caddyfile'];
  },
};

export const NGINX: ReverseProxyKind = {
  name: 'nginx',
  package: 'nginx-light',
  program: findProgram('nginx'),
  prepare({ dir, port, behind }) {
    const { cert, key } = writeCertificate(dir);
    const words: readonly (readonly [string, string])[] = [
      ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
      ['server_name svc.example.com', 'server_name localhost'],
      ['/etc/ssl/svc.pem', cert],
      ['/etc/ssl/svc.key', key],
      ['127.0.0.1:4000', `127.0.0.1:${behind}`],
    ];
    const server = words.reduce(
      (text, [word, by]) => replaceWord(text, word, by),
      findBlock('proxy_pass'),
    );
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `  ${name}_temp_path ${join(dir, name)};\n`)
      .join('');
    const file = join(dir, 'nginx.conf');
    writeFileSync(
      file,
      `daemon off;\n${process.getuid?.() === 0 ? 'user root;\n' : ''}pid ${join(dir, 'pid')};\nerror_log stderr;\nevents {}\nhttp {\n  access_log off;\n${temporary}${server}\n}\n`,
    );
    return ['-c', file, '-p', dir, '-e', 'stderr'];
  },
};

/** A port that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

export interface ReverseProxy {
  url: string;
  /** File with the authority of its certificate. */
  authorityFile: string;
  stop(): Promise<void>;
}

/** Starts it in front of a control plane, and waits for its first connection. */
export async function startReverseProxy(
  kind: ReverseProxyKind,
  port: number,
  behind: number,
): Promise<ReverseProxy> {
  const dir = mkdtempSync(join(tmpdir(), 'svc-proxy-'));
  mkdirSync(join(dir, 'data'));
  const authorityFile = join(dir, 'authority.pem');
  writeFileSync(authorityFile, AUTHORITY);
  const args = kind.prepare({ dir, port, behind });
  const child = spawn(kind.program ?? '', args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: dir, XDG_DATA_HOME: join(dir, 'data') },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      output += piece;
    });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    }
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    await awaitConnection(child, port, () => output);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `https://localhost:${port}`, authorityFile, stop };
}

async function awaitConnection(
  child: ChildProcess,
  port: number,
  readOutput: () => string,
): Promise<void> {
  const deadline = Date.now() + START_MS;
  const looks = new Looks();
  while (!(await canConnect(port))) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`the proxy did not start:\n${readOutput()}`);
    await looks.pause();
  }
}

const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', ca: AUTHORITY });
    socket.once('secureConnect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
