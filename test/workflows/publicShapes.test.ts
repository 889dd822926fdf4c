import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildRepoLayer } from '../../src/workflows/overlay/buildRepoLayer.ts';
import { parseDeclaredServers } from '../../src/workflows/toolServers/readDeclaredServers.ts';
import { parseAgent } from '../../src/workflows/definition/parseAgent.ts';
import { createUnknownToolExplainer } from '../../src/executors/tools/catalogue/toolAllowlist.ts';
import { SHAPES } from './publicShapes/shapes.ts';

const test = suite('repositories as the public ones are');

/** More findings with the same reason than this are one line. */
const MOST_ALIKE = 10;

const group = (what: string, files: readonly { path: string; reason: string }[]): string[] =>
  [...new Set(files.map(({ reason }) => reason))].flatMap((reason) => {
    const alike = files.filter((one) => one.reason === reason);
    return alike.length > MOST_ALIKE
      ? [`${what} ${alike.length} files: ${reason}`]
      : alike.map(({ path }) => `${what} ${path}: ${reason}`);
  });

/** What svc makes of a repository, one line each. */
function describe(files: Readonly<Record<string, string | Uint8Array>>): string[] {
  const encoder = new TextEncoder();
  const tree = new Map(
    Object.entries(files).map(([path, text]) => [
      path,
      typeof text === 'string' ? encoder.encode(text) : text,
    ]),
  );
  const { layer, ignored } = buildRepoLayer({ files: tree }, 'shop');
  const { servers, off, notes } = parseDeclaredServers(
    new TextDecoder().decode(tree.get('.mcp.json') ?? encoder.encode('{}')),
    {
      origin: 'repo',
      name: '.mcp.json',
      repo: 'shop',
      variables: () => ({ allowed: new Set(), env: {} }),
    },
  );
  const agents = [...layer.files].filter(([path]) => /^agents\/.+\.md$/.test(path));
  return [
    ...[...layer.files.keys()].map((path) => `used ${path}`),
    ...group('not trusted', ignored),
    ...group('left out', layer.leftOut ?? []),
    ...agents.flatMap(([path, bytes]) => {
      const context = { unknownTool: createUnknownToolExplainer([]) };
      const { tools, diagnostics } = parseAgent(bytes, path, 'repo', context);
      return [
        `${path} may use ${tools === null ? 'all tools' : tools.join(', ')}`,
        ...diagnostics.map(({ line, severity, code }) => `${path}:${line} ${severity} ${code}`),
      ];
    }),
    ...servers.map(({ id, transport }) => `server ${id} (${transport})`),
    ...off.map((id) => `server ${id} is off`),
    ...notes,
  ].sort();
}

for (const [name, { files, found }] of Object.entries(SHAPES))
  test(name, () => assert.equal(describe(files), found));

test.run();
