import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { COMMAND_MEMBERS, MANIFEST_FILE } from '../../scripts/oclifManifest.ts';
import { BUILD_NAME, computeBuildName } from '../../src/host/upgrade/program.ts';

const test = suite('house: the build');

/** Built JavaScript below a folder of dist/; `npm test` builds first. */
function listBuiltFiles(folder: string): string[] {
  assert.ok(existsSync(folder), `${folder} is not there: run npm run build`);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.name.endsWith('.js'),
  );
  return entries.map((entry) => join(entry.parentPath, entry.name));
}

test('the runner and all commands share one class of errors, so that what one throws the other knows', () => {
  const withClass = ['dist/runner', 'dist/chunks', 'dist/cli']
    .flatMap(listBuiltFiles)
    .filter((file) =>
      /\bSvcError = class\b[^{]*extends Error|class SvcError extends Error/.test(
        readFileSync(file, 'utf8'),
      ),
    );
  assert.is(withClass.length, 1, withClass.join(', '));
});

test('svc start and svc tool load neither oclif nor, for a tool, the runner', () => {
  const loadsOclif = ['dist/cli/start.js', 'dist/cli/tool.js'].filter((file) =>
    /@oclif\/core/.test(readFileSync(file, 'utf8')),
  );
  assert.equal(loadsOclif, []);
  const loaded = loadedWith('dist/cli/tool.js');
  assert.ok(loaded.length > 1, 'it imports nothing');
  assert.equal(
    loaded.filter((path) => /start|runner\/main/.test(path)),
    [],
  );
});

test('what is imported on demand exports the names that are taken from it', () => {
  const imports = ['dist/runner', 'dist/chunks', 'dist/cli']
    .flatMap(listBuiltFiles)
    .flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /(?:const|let) \{([^}]+)\} = await Promise\.resolve\(\)\.then\(\(\) => require\("(\.[^"]+)"\)\)/g,
        ),
      ].map(([, names = '', path = '']) => ({ names, from: join(file, '..', path) })),
    );
  assert.ok(imports.length > 3, 'nothing is imported on demand');
  const missing = imports.flatMap(({ names, from }) => {
    const text = readFileSync(from, 'utf8');
    const exported = [...text.matchAll(/(?:^|; )exports\.(\w+) = /gm)].map(([, name]) => name);
    return names
      .split(',')
      .map((name) => name.split(':')[0]?.trim())
      .filter((name) => !exported.includes(name))
      .map((name) => `${name} of ${from}`);
  });
  assert.equal(missing, []);
});

test('the runner has one list of media types and one package of HTTP errors, no encodings but those of JSON, and one reader of YAML', () => {
  const files = ['dist/runner', 'dist/chunks']
    .flatMap(listBuiltFiles)
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^\/\/ \S*?node_modules\/(\S+)$/gm)].map(
        ([, path = '']) => path,
      ),
    );
  const listMatchingFiles = (part: RegExp) => files.filter((file) => part.test(file));
  assert.is(listMatchingFiles(/mime-db\/db\.json$/).length, 1);
  assert.is(listMatchingFiles(/http-errors\/index\.js$/).length, 1);
  assert.equal(listMatchingFiles(/iconv-lite\/encodings\/tables\//), []);
  assert.equal(listMatchingFiles(/js-yaml\/lib\//), []);
  assert.ok(listMatchingFiles(/^yaml\//).length > 10, 'yaml is the one that reads');
});

/** Built files that are loaded with this one, whatever it then does. */
function loadedWith(...entries: string[]): string[] {
  const loaded = new Set<string>();
  const follow = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    // All that a file loads at once is in its first line.
    const [first = ''] = readFileSync(file, 'utf8').split('\n', 1);
    for (const [, path = ''] of first.matchAll(/\brequire\("(\.[^"]+)"\)/g))
      follow(join(file, '..', path));
  };
  for (const entry of entries) follow(entry);
  return [...loaded];
}

/** The packages among them that the pattern names. */
const packagesIn = (files: readonly string[], names: RegExp): string[] =>
  files.filter((file) => names.test(readFileSync(file, 'utf8')));

test('a command that only asks the runner loads no library of schemas', () => {
  const loaded = loadedWith('dist/cli/commands/jobs.js');
  assert.ok(loaded.length > 3, 'it imports nothing');
  assert.equal(packagesIn(loaded, /^\/\/ node_modules\/(?:typebox|koa|xstate)\//m), []);
});

test('the build brings the name that its files give it', async () => {
  assert.is(readFileSync(BUILD_NAME, 'utf8'), await computeBuildName('.'));
});

test('svc start does not load what only sessions, repositories, backups and forms need', () => {
  const loaded = loadedWith('dist/cli/start.js', 'dist/runner/main.js');
  assert.is(packagesIn(loaded, /^\/\/ node_modules\/koa\//m).length, 1, 'it serves');
  const late =
    /^\/\/ node_modules\/(?:@modelcontextprotocol|ajv|zod|isomorphic-git|tar-stream|prom-client|ai|@ai-sdk|qs|@octokit|undici)\//m;
  assert.equal(packagesIn(loaded, late), []);
});

test('only svc cloud start names the control plane, which loads most of itself while PostgreSQL starts', () => {
  const namesIt = (file: string) => /"dist", "cloud", name\)/.test(readFileSync(file, 'utf8'));
  const others = ['dist/cli/start.js', 'dist/runner/main.js', 'dist/cli/tool.js'];
  assert.equal(loadedWith(...others, 'dist/cli/commands/jobs.js').filter(namesIt), []);
  assert.is(loadedWith('dist/cli/cloudStart.js').filter(namesIt).length, 1);
  // An ES module, unlike the others.
  const entry = readFileSync('dist/cloud/main.js', 'utf8');
  const first = [...entry.matchAll(/^\} from "\.\/([^"]+)";$/gm)].map(([, name = '']) => name);
  assert.ok(first.length > 0, 'it imports nothing');
  const files = ['main.js', ...first].map((name) => join('dist/cloud', name));
  assert.equal(
    packagesIn(
      files,
      /^\/\/ node_modules\/(?:koa|oidc-provider|openid-client|oauth4webapi|jose|ws)\//m,
    ),
    [],
  );
});

test("a runner without a team loads nothing of a home's log", () => {
  const ofLog = /^\/\/ src\/kernel\/sqlite\/log\//m;
  const loaded = loadedWith('dist/cli/start.js', 'dist/runner/main.js');
  assert.equal(packagesIn(loaded, ofLog), []);
  assert.ok(
    packagesIn(listBuiltFiles('dist/chunks'), ofLog).length > 0,
    'the build has none of it',
  );
});

test('a runner loads nothing of what sends traces before its settings name a collector', () => {
  const ofTraces = /^\/\/ src\/host\/traces\//m;
  const loaded = loadedWith('dist/cli/start.js', 'dist/runner/main.js');
  assert.equal(packagesIn(loaded, ofTraces), []);
  assert.ok(
    packagesIn(listBuiltFiles('dist/chunks'), ofTraces).length > 0,
    'the build has none of it',
  );
});

/** Commands of oclif's own plugins. */
const BROUGHT = ['autocomplete/create', 'autocomplete/index', 'autocomplete/script', 'help'];

test('every command is built, and nothing else is among them but those of oclif', () => {
  const sources = readdirSync('cli/commands', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts'),
  );
  const commands = listBuiltFiles('dist/cli/commands').map((file) =>
    file.replace('dist/cli/commands/', '').replace(/\.js$/, '.ts'),
  );
  assert.equal(commands.sort(), [...sources, ...BROUGHT.map((name) => `${name}.ts`)].sort());
});

test('the manifest contains what oclif reads of a command and nothing of the machine that built it', () => {
  const { commands }: { commands: Record<string, object> } = JSON.parse(
    readFileSync(MANIFEST_FILE, 'utf8'),
  );
  const members = new Set(Object.values(commands).flatMap((command) => Object.keys(command)));
  assert.ok(members.has('flags'), 'no command has flags');
  assert.equal(
    [...members].filter((name) => !COMMAND_MEMBERS.includes(name)),
    [],
  );
});

test('the manifest names every command by its place within the package', () => {
  const { commands }: { commands: Record<string, { relativePath: string[] }> } = JSON.parse(
    readFileSync(MANIFEST_FILE, 'utf8'),
  );
  const outside = Object.values(commands).filter(({ relativePath }) => relativePath[0] !== 'dist');
  assert.equal(outside, []);
});

test('the dashboard sends requests only to the runner, and has no inline script or style', () => {
  const page = readFileSync('dist/ui/index.html', 'utf8');
  const addresses = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
  assert.ok(addresses.length >= 3, page);
  assert.equal(
    addresses.filter((address) => !address.startsWith('/dashboard/assets/')),
    ['/dashboard/manifest.webmanifest', '/dashboard/icon-apple-180.png'],
  );
  assert.not.match(page, /<style|style="|<script(?![^>]*\ssrc=)/);
});

test.run();
