import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collectAnchors, listLinks } from '../../scripts/docs/links.ts';
import { otherWarnings } from '../../scripts/lifecycle/installed.ts';
import {
  releaseProblems,
  VERSIONED_FILES,
  withVersion,
} from '../../scripts/package/releaseFiles.ts';
import { packedReadme, listSources } from '../../scripts/package/packedReadme.ts';
import { pluginModule } from '../../scripts/package/pluginModule.ts';
import { restoreReadme, swapReadme } from '../../scripts/package/readmeSwap.ts';

const test = suite('house: the package');

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const sources = listSources(manifest);
const page = packedReadme(readFileSync('README.md', 'utf8'), sources);

test('svc needs one package at run time, the one with a native binary', () => {
  assert.equal(Object.keys(manifest.dependencies), ['@photostructure/sqlite']);
});

test('every link of the packed README leads to a file of this version, or to a heading of it', () => {
  const links = listLinks(page).map(({ target }) => target);
  assert.ok(links.length > 15, `only ${links.length} links`);
  const start = new RegExp(`^${sources.web}/(?:blob|raw)/v${sources.version}/`);
  const wrong = links.filter((target) => {
    if (target.startsWith('#')) return !collectAnchors(page).has(target.slice(1));
    const path = target.replace(start, '').split('#', 1)[0] ?? '';
    return start.test(target) ? !existsSync(path) : !target.startsWith('https://');
  });
  assert.equal(wrong, []);
});

test('its pictures are addresses of the files themselves', () => {
  const pictures = [...page.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, target = '']) => target);
  assert.ok(pictures.length > 0);
  assert.equal(
    pictures.filter((target) => !target.startsWith(`${sources.web}/raw/v${sources.version}/`)),
    [],
  );
});

test('it has no diagram that a registry would print as code', () => {
  assert.not.match(page, '```mermaid');
});

test('homepage and bugs are those of the repository', () => {
  assert.is(manifest.homepage, `${sources.web}#readme`);
  assert.is(manifest.bugs, `${sources.web}/issues`);
});

test('a repository without an address on the web is refused with the form that it must have', () => {
  assert.throws(
    () => listSources({ repository: { url: 'github:svc' }, version: '1.0.0' }),
    /"github:svc": it must be git\+https:\/\/<host>\/<owner>\/<name>\.git/,
  );
});

test('source maps and what runs only in a clone are not in the package', () => {
  assert.ok(manifest.files.includes('!dist/**/*.map'));
  assert.ok(manifest.files.includes('!cli/bin/dev.mjs'));
});

test('of the warnings of npm only the one about the script of SQLite is allowed', () => {
  const scripts = (name: string) =>
    `npm warn install-scripts 1 package has install scripts not yet covered by allowScripts:\nnpm warn install-scripts   ${name}@1.2.1 (install: node-gyp-build)\n`;
  assert.equal(otherWarnings(`${scripts('@photostructure/sqlite')}added 4 packages\n`), []);
  assert.equal(otherWarnings(scripts('left-pad')), [
    'npm warn install-scripts   left-pad@1.2.1 (install: node-gyp-build)',
  ]);
  const engine = 'npm warn EBADENGINE Unsupported engine';
  assert.equal(otherWarnings(`${engine}\n`), [engine]);
});

test('what svc demo plays is in the package', () => {
  assert.equal(
    ['demo/intelligence', 'demo/more.md', 'dist', 'intelligence'].filter(
      (path) => !manifest.files.includes(path),
    ),
    [],
  );
});

test('a packing that was killed is put right by the next; a README edited meanwhile stays', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-readme-'));
  const before = process.cwd();
  process.chdir(folder);
  try {
    writeFileSync('README.md', 'own');
    swapReadme((own) => `${own}, packed`);
    assert.is(readFileSync('README.md', 'utf8'), 'own, packed');
    restoreReadme();
    assert.is(readFileSync('README.md', 'utf8'), 'own');
    swapReadme((own) => `${own}, packed`);
    writeFileSync('README.md', 'edited');
    restoreReadme();
    assert.is(readFileSync('README.md', 'utf8'), 'edited');
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the plugin contract is a module of two values, with the types of all of it', async () => {
  const { js, types } = await pluginModule();
  const { definePlugin, KICKOFF } = await import(`data:text/javascript,${encodeURIComponent(js)}`);
  assert.is(KICKOFF, 'kickoff');
  assert.is(definePlugin(manifest), manifest);
  assert.match(types, /^export type Plugin = /m);
  assert.not.match(types, /\bfrom '|import\(/);
});

test('npm version writes every file that holds the version, and packing refuses another one', () => {
  assert.match(manifest.scripts.version, 'scripts/releaseVersion.ts');
  const texts = Object.fromEntries(
    VERSIONED_FILES.map((file) => [file, readFileSync(file, 'utf8')]),
  );
  const { version } = JSON.parse(readFileSync('oclif.manifest.json', 'utf8'));
  assert.equal(releaseProblems(manifest.version, version, texts), []);
  const next = releaseProblems('99.0.0-rc.1', '0.2.0', texts);
  assert.match(next[0] ?? '', 'oclif.manifest.json is of 0.2.0');
  assert.is(next[1], `${VERSIONED_FILES.join(', ')}: another version than 99.0.0-rc.1 is named.`);
  const written = Object.entries(texts).map(([file, text]) => [file, withVersion(text, '99.0.0')]);
  assert.equal(releaseProblems('99.0.0', '99.0.0', Object.fromEntries(written)), []);
});

test('no other file of the package names it with a version', () => {
  const tracked = execFileSync('git', ['grep', '-lE', '@svc/runner@[0-9]'], { encoding: 'utf8' });
  const others = tracked.split('\n').filter((file) => file !== '' && !file.startsWith('test/'));
  assert.equal(others.sort(), [...VERSIONED_FILES].sort());
});

test.run();
