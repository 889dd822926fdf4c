import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bundleDashboard } from '../../scripts/bundleDashboard.ts';
import { NOTICES } from '../../scripts/notices.ts';

const test = suite('ui: licences of what is bundled');

const folder = mkdtempSync(join(tmpdir(), 'svc-notices-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));
await bundleDashboard(folder);
const notices = readFileSync(join(folder, NOTICES), 'utf8');

/**
 * Packages that source maps name, the last one of each path: what a package brings itself is its
 * own.
 */
function packagesInMaps(): Set<string> {
  const assets = join(folder, 'assets');
  const maps = readdirSync(assets).filter((file) => file.endsWith('.map'));
  assert.ok(maps.length > 5);
  const sources = maps.flatMap(
    (file): string[] => JSON.parse(readFileSync(join(assets, file), 'utf8')).sources,
  );
  return new Set(
    sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []),
  );
}

const entries = [...notices.matchAll(/^={78}\n(\S+) (\S+)\nLicence: (.+)\n/gm)].map(
  ([, name, version, licence]) => ({
    name,
    version,
    licence,
  }),
);

test('every package in a script of the dashboard is named, with its version and its licence', () => {
  const names = new Set(entries.map(({ name }) => name));
  const bundled = packagesInMaps();
  assert.ok(bundled.size > 10, [...bundled].join());
  assert.equal(
    [...bundled].filter((name) => !names.has(name)),
    [],
  );
  for (const { name, version } of entries) {
    const installed = JSON.parse(
      readFileSync(
        join(import.meta.dirname, '../../node_modules', name ?? '', 'package.json'),
        'utf8',
      ),
    );
    assert.is(version, installed.version, name);
  }
});

test('the layout worker is served unmodified; its licence and the location of its sources are named', () => {
  assert.ok(readdirSync(join(folder, 'assets')).some((file) => file.startsWith('elk-worker')));
  const elk = entries.find(({ name }) => name === 'elkjs');
  assert.is(elk?.licence, 'EPL-2.0 OR GPL-3.0-or-later');
  assert.match(notices, /\nelkjs .*\nLicence: .*\nSource: \S*github\.com\/kieler\/elkjs/);
  assert.match(notices, /Eclipse Public License - v 2\.0/);
});

test('each package brings the text of its licence', () => {
  const texts = notices
    .split(/^={78}$/m)
    .slice(2)
    .filter((_, index) => index % 2 === 0);
  assert.is(texts.length, entries.length);
  assert.equal(
    texts.flatMap((text, index) => (text.trim().length < 500 ? [entries[index]?.name] : [])),
    [],
  );
});

test.run();
