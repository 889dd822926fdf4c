import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Exchange } from '../../test/support/forges/exchanges.ts';
import { unasked } from './githubEndpoints.ts';
import { chooseExchanges, type ExchangeChecker } from './exchangeChecker.ts';

const DESCRIPTION = '@octokit/openapi@23.0.2';
const PRISM = '@stoplight/prism-cli@5.14.2';
// The package of this platform itself: `node` would fetch it in an install script, which npm may
// refuse to run.
const NODE = `node-${process.platform}-${process.arch}`;

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

const withoutBase = (path: string): string => path.replace(/^\/api\/v3/, '');

const formatOperation = ({ method, path }: Exchange): string =>
  `${method} ${withoutBase(path)
    .replace(/\?.*/, '')
    .replace(/^\/repos\/[^/]+\/[^/]+/, '/repos/:owner/:repo')
    .replace(/(?<=\/collaborators\/)[^/]+/, ':login')
    .replaceAll(/\/([0-9a-f]{40}|\d+)/g, '/:n')}`;

/** GitHub redirects to a repository's number, which the description lacks; checked as by name. */
const describedPath = (path: string): string =>
  withoutBase(path).replace(/^\/repositories\/\d+/, '/repos/acme/shop');

/** Removes `required`: the fake gives only what svc reads, and Prism would report the rest. */
function withoutRequired(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutRequired);
  if (node === null || typeof node !== 'object') return node;
  const members = Object.entries(node).filter(
    ([name, value]) => !(name === 'required' && Array.isArray(value)),
  );
  // What fits several forms without the names that it must have, fits one of them.
  const replaceOldUnion = (name: string): string => (name === 'oneOf' ? 'anyOf' : name);
  return Object.fromEntries(
    members.map(([name, value]) =>
      name === 'requestBody' ? [name, value] : [replaceOldUnion(name), withoutRequired(value)],
    ),
  );
}

/** Each request is checked completely, of each answer only the part that the fake gives. */
async function checkAll(all: readonly Exchange[], folder: string) {
  const modules = join(folder, 'node_modules');
  const description = join(modules, '@octokit', 'openapi', 'generated', 'api.github.com.json');
  const node = join(modules, NODE, 'bin', 'node');
  const prism = join(modules, '@stoplight', 'prism-cli', 'dist', 'index.js');
  const checked = join(folder, 'github.json');
  writeFileSync(
    checked,
    JSON.stringify(withoutRequired(JSON.parse(readFileSync(description, 'utf8')))),
  );
  const exchanges = chooseExchanges(all, formatOperation);
  const answers = createServer((req, res) => {
    const exchange = exchanges[Number(req.headers[NUMBER])];
    req.resume();
    if (!exchange) return void res.writeHead(500).end();
    const { status, headers, body } = exchange.answer;
    const { location, ...others } = headers;
    const sentHeaders =
      REDIRECTS.has(status) || location === undefined ? others : { ...others, location };
    res.writeHead(status, sentHeaders).end(body ?? undefined);
  });
  answers.listen(0, '127.0.0.1');
  await once(answers, 'listening');
  const getPort = (address: ReturnType<typeof answers.address>): number =>
    address && typeof address === 'object' ? address.port : 0;
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const port = getPort(free.address());
  free.close();
  const checker = spawn(
    node,
    [
      prism,
      'proxy',
      checked,
      `http://127.0.0.1:${getPort(answers.address())}`,
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1' } },
  );
  let output = '';
  const listening = new Promise<void>((ready, failed) => {
    const listen = (chunk: Buffer) => {
      output = (output + String(chunk)).slice(-10_000);
      if (output.includes('Prism is listening')) ready();
    };
    checker.stdout.on('data', listen);
    checker.stderr.on('data', listen);
    checker.once('exit', (code) => failed(new Error(`Prism ended with ${code}: ${output}`)));
    setTimeout(() => failed(new Error(`Prism is not ready: ${output}`)), READY_MS).unref();
  });

  const failures: string[] = [];
  const operations = new Set<string>();
  try {
    await listening;
    for (const [n, exchange] of exchanges.entries()) {
      const { method, path, headers, body } = exchange;
      const numberedHeaders = { ...headers, [NUMBER]: String(n) };
      const response = await fetch(`http://127.0.0.1:${port}${describedPath(path)}`, {
        method,
        headers: numberedHeaders,
        redirect: 'manual',
        ...(body === '' ? {} : { body }),
      });
      const text = await response.text();
      const { status } = exchange.answer;
      // The description has a pull request only as JSON, though GitHub documents its diff; then
      // only the request is checked.
      const described =
        !REFUSALS.has(status) && !REDIRECTS.has(status) && !headers.accept?.includes('diff');
      const violations = (
        JSON.parse(response.headers.get('sl-violations') ?? '[]') as Violation[]
      ).filter(({ location }) => described || location[0] !== 'response');
      const known = response.status === status;
      operations.add(formatOperation(exchange));
      if (known && violations.length === 0) continue;
      const why = known
        ? violations.map(
            ({ location, code, message }) => `${location.join('.')}: ${message} (${code})`,
          )
        : [`Prism answers ${response.status} for ${status}: ${text.slice(0, 300)}`];
      failures.push(`${method} ${path}: ${why.join('; ')}`);
    }
  } finally {
    checker.kill();
    answers.close();
  }
  return {
    operations,
    checked: exchanges.length,
    failures,
    uncovered: [
      ...unasked(exchanges.map(({ method, path }) => ({ method, path: describedPath(path) }))),
      'git over HTTP: GitHub describes it nowhere; the tests use git itself',
    ],
  };
}

/** GitHub's own description of its REST API; Prism, which needs Node 22, checks by it. */
export const github: ExchangeChecker = {
  provider: 'github',
  packages: [DESCRIPTION, PRISM, `${NODE}@22`],
  tests: [
    'test/providers/contract/github.test.ts',
    'test/providers/contract/githubIssues.test.ts',
    'test/providers/github',
    'test/sim/forgeStorm.long.test.ts',
  ],
  check: checkAll,
};
