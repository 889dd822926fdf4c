/**
 * npm run test:openapi
 *
 * Runs the contract suite, the tests of the GitHub forge and its storm against the fake GitHub,
 * keeps the exchanges, and lets Prism judge them by GitHub's own API description: each request
 * whole, and of each answer of the fake the part it gives (it leaves out what svc does not read).
 * GraphQL and git are not in the description. Prism needs Node 22, and the description is large:
 * all of it comes from the npm registry into a folder outside the project. Last line: N exchanges,
 * N passed, N failed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Exchange } from '../test/support/forges/fakeGithub/exchanges.ts';

const DESCRIPTION = '@octokit/openapi@23.0.2';
const PRISM = '@stoplight/prism-cli@5.14.2';
const TESTS = [
  'test/providers/contract/github.test.ts',
  'test/providers/github',
  'test/sim/forgeStorm.test.ts',
];
/**
 * Exchanges of one operation with one status that are judged at most: a storm makes thousands that
 * differ by a number.
 */
const MOST_ALIKE = 10;
/** Refusals that every operation may have, and that the description seldom names. */
const REFUSALS = new Set([401, 403, 404, 429]);
/**
 * Answers about a renamed repository, which every operation may have. The description names them
 * for few operations, and Prism would follow them to a server that is gone: it gets them without
 * their address.
 */
const REDIRECTS = new Set([301, 302, 307, 308]);
/** Longest time until Prism has read the description, ms. */
const READY_MS = 180_000;
/** Header by which an answer is found again behind Prism. */
const NUMBER = 'x-svc-exchange';

interface Violation {
  location: string[];
  code?: string | number;
  message: string;
}

const root = resolve(import.meta.dirname, '..');
// The package of this platform itself: `node` would fetch it in an install script, which npm may
// refuse to run.
const nodePackage = `node-${process.platform}-${process.arch}`;
const prefix = join(tmpdir(), 'svc-openapi-23.0.2-5.14.2');
const node = join(prefix, 'node_modules', nodePackage, 'bin', 'node');
const prism = join(prefix, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js');
const description = join(
  prefix,
  'node_modules',
  '@octokit',
  'openapi',
  'generated',
  'api.github.com.json',
);

if (![node, prism, description].every((file) => existsSync(file))) {
  mkdirSync(prefix, { recursive: true });
  const args = [
    'install',
    '--prefix',
    prefix,
    '--no-save',
    '--no-fund',
    '--no-audit',
    '--ignore-scripts',
    '--force',
  ];
  const { status } = spawnSync('npm', [...args, DESCRIPTION, PRISM, `${nodePackage}@22`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
}

const operationOf = ({ method, path }: Exchange): string =>
  `${method} ${path
    .replace(/\?.*/, '')
    .replace(/^\/repos\/[^/]+\/[^/]+/, '/repos/:owner/:repo')
    .replaceAll(/\/([0-9a-f]{40}|\d+)/g, '/:n')}`;

/**
 * GitHub redirects to a repository's number, a form that the description does not list: such a
 * request is judged as the one by name.
 */
const describedPath = (path: string): string =>
  path.replace(/^\/repositories\/\d+/, '/repos/acme/shop');

/** At most so many of each operation and status. */
function chosen(all: readonly Exchange[]): Exchange[] {
  const alike = new Map<string, number>();
  return all.filter((one) => {
    const key = `${operationOf(one)} ${one.answer.status}`;
    alike.set(key, (alike.get(key) ?? 0) + 1);
    return (alike.get(key) ?? 0) <= MOST_ALIKE;
  });
}

/** Runs the tests; answers what went over the wire, each exchange once. */
function recorded(): Exchange[] {
  const dir = mkdtempSync(join(tmpdir(), 'svc-exchanges-'));
  const file = join(dir, 'exchanges.jsonl');
  try {
    const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'test/run.ts', ...TESTS], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, SVC_EXCHANGES: file },
    });
    if (status !== 0) process.exit(status ?? 1);
    const lines = readFileSync(file, 'utf8').split('\n');
    return chosen(
      [...new Set(lines.filter((line) => line !== ''))].map((line) => JSON.parse(line) as Exchange),
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * Takes out what an answer must have: the fake gives what svc reads, and Prism would drown
 * everything else in what it lacks.
 */
function withoutRequired(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutRequired);
  if (node === null || typeof node !== 'object') return node;
  const kept = Object.entries(node).filter(
    ([name, value]) => !(name === 'required' && Array.isArray(value)),
  );
  // What fits several forms without the names that it must have, fits one of them.
  const named = (name: string): string => (name === 'oneOf' ? 'anyOf' : name);
  return Object.fromEntries(
    kept.map(([name, value]) =>
      name === 'requestBody' ? [name, value] : [named(name), withoutRequired(value)],
    ),
  );
}

const judged = join(prefix, 'judged.json');
writeFileSync(
  judged,
  JSON.stringify(withoutRequired(JSON.parse(readFileSync(description, 'utf8')))),
);

const exchanges = recorded();
const answers = createServer((req, res) => {
  const exchange = exchanges[Number(req.headers[NUMBER])];
  req.resume();
  if (!exchange) return void res.writeHead(500).end();
  const { status, headers, body } = exchange.answer;
  const { location, ...others } = headers;
  const kept = REDIRECTS.has(status) || location === undefined ? others : { ...others, location };
  res.writeHead(status, kept).end(body ?? undefined);
});
answers.listen(0, '127.0.0.1');
await once(answers, 'listening');
const portOf = (address: ReturnType<typeof answers.address>): number =>
  address && typeof address === 'object' ? address.port : 0;
const free = createServer().listen(0, '127.0.0.1');
await once(free, 'listening');
const port = portOf(free.address());
free.close();
const judge = spawn(
  node,
  [
    prism,
    'proxy',
    judged,
    `http://127.0.0.1:${portOf(answers.address())}`,
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
  ],
  { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1' } },
);
let said = '';
const listening = new Promise<void>((ready, failed) => {
  const listen = (chunk: Buffer) => {
    said = (said + String(chunk)).slice(-10_000);
    if (said.includes('Prism is listening')) ready();
  };
  judge.stdout.on('data', listen);
  judge.stderr.on('data', listen);
  judge.once('exit', (code) => failed(new Error(`Prism ended with ${code}: ${said}`)));
  setTimeout(() => failed(new Error(`Prism is not ready: ${said}`)), READY_MS).unref();
});

let failed = 0;
const operations = new Set<string>();
try {
  await listening;
  for (const [n, exchange] of exchanges.entries()) {
    const { method, path, headers, body } = exchange;
    const sent = { ...headers, [NUMBER]: String(n) };
    const response = await fetch(`http://127.0.0.1:${port}${describedPath(path)}`, {
      method,
      headers: sent,
      redirect: 'manual',
      ...(body === '' ? {} : { body }),
    });
    const text = await response.text();
    const { status } = exchange.answer;
    // The description knows a pull request as JSON alone, though GitHub documents its diff; of that
    // the request is judged.
    const described =
      !REFUSALS.has(status) && !REDIRECTS.has(status) && !headers.accept?.includes('diff');
    const violations = (
      JSON.parse(response.headers.get('sl-violations') ?? '[]') as Violation[]
    ).filter(({ location }) => described || location[0] !== 'response');
    const known = response.status === status;
    operations.add(operationOf(exchange));
    if (known && violations.length === 0) continue;
    failed += 1;
    console.log(
      `FAIL  ${method} ${path} ${known ? '' : `Prism answers ${response.status} for ${status}: ${text.slice(0, 300)}`}`,
    );
    for (const { location, code, message } of violations)
      console.log(`      ${location.join('.')}: ${message} (${code})`);
  }
} finally {
  judge.kill();
  answers.close();
}
console.log([...operations].toSorted().join('\n'));
console.log(`${exchanges.length} exchanges, ${exchanges.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 && exchanges.length > 0 ? 0 : 1);
