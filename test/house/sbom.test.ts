import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSbom, NOTICE_FILES, SBOM } from '../../scripts/sbom.ts';

const test = suite('house: the SBOM');

interface Component {
  type: string;
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  licenses: ({ license: { id: string } } | { expression: string })[];
  hashes: { alg: string; content: string }[];
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

/** `npm test` builds first. */
const sbom: {
  bomFormat: string;
  specVersion: string;
  version: number;
  metadata: { component: Component };
  components: Component[];
} = readJson(SBOM);
const { components } = sbom;

const formatComponent = ({ name, version, licenses }: Component): string =>
  [
    name,
    version,
    ...licenses.map((one) => ('expression' in one ? one.expression : one.license.id)),
  ].join(' ');

const notices = NOTICE_FILES.map((file) => readFileSync(file, 'utf8'));
const noticePackages = notices.flatMap((text) =>
  [...text.matchAll(/^={78}\n(\S+ \S+)\nLicence: (.+)$/gm)].map(
    ([, who, license]) => `${who} ${license}`,
  ),
);

/** Name and version of each package whose code is in a built script of the program. */
function readBundledPackages(): Set<string> {
  const scripts = ['dist/chunks', 'dist/cli', 'dist/cloud', 'dist/runner', 'dist/demo'].flatMap(
    (folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.name.endsWith('.js'))
        .map((entry) => join(entry.parentPath, entry.name)),
  );
  const paths = scripts.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^\/\/ (node_modules\/\S+)$/gm)].map(
      ([, path = '']) => path,
    ),
  );
  const folders = paths.flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? [],
  );
  return new Set(
    [...new Set(folders)].map((folder) => {
      const { name, version } = readJson(join(folder, 'package.json'));
      return `${name} ${version}`;
    }),
  );
}

test('it is CycloneDX 1.6', () => {
  assert.is(`${sbom.bomFormat} ${sbom.specVersion}`, 'CycloneDX 1.6');
});

test('its subject is svc in the version of the package', () => {
  const { name, version } = readJson('package.json');
  assert.is(sbom.metadata.component.purl, `pkg:npm/${name.replace('@', '%40')}@${version}`);
});

test('it names every package that the notices name, with version and licence, and no other', () => {
  assert.ok(noticePackages.length > 200, `only ${noticePackages.length} notices`);
  assert.equal(components.map(formatComponent).sort(), [...new Set(noticePackages)].sort());
});

test('it names every package whose code is in a built script', () => {
  const bundled = readBundledPackages();
  assert.ok(bundled.size > 150, `only ${bundled.size} packages`);
  const names = new Set(components.map(({ name, version }) => `${name} ${version}`));
  assert.equal(
    [...bundled].filter((one) => !names.has(one)),
    [],
  );
});

test('each component has the hash that the lockfile has', () => {
  const locked: { integrity?: string }[] = Object.values(readJson('package-lock.json').packages);
  const known = new Set(locked.map(({ integrity }) => integrity));
  const wrong = components.filter(
    ({ hashes: [hash] }) =>
      !known.has(`sha512-${Buffer.from(hash?.content ?? '', 'hex').toString('base64')}`),
  );
  assert.equal(wrong, []);
});

test('each component has a purl of its own, which is its reference', () => {
  assert.is(new Set(components.map(({ purl }) => purl)).size, components.length);
  assert.equal(
    components.filter((one) => one.purl !== one['bom-ref'] || !/^pkg:npm\/\S+@\d/.test(one.purl)),
    [],
  );
});

test('the order of what was bundled does not change it', () => {
  const product = { name: '@svc/runner', version: '1.0.0', license: 'MIT' };
  const bundled = [
    { name: '@a/b', version: '2.0.0', license: '(MIT OR Apache-2.0)' },
    { name: 'c', version: '1.0.0', license: 'ISC' },
  ];
  const create = (packages: typeof bundled) =>
    JSON.stringify(createSbom(packages, product, { packages: {} }));
  assert.is(create(bundled), create([...bundled, ...bundled].reverse()));
});

test('licences: an id, or an expression of several', () => {
  const product = { name: 'p', version: '1.0.0', license: 'MIT' };
  const bundled = [
    { name: 'a', version: '1.0.0', license: '(MIT OR Zlib)' },
    { name: 'b', version: '1.0.0', license: 'ISC' },
  ];
  const sbom = JSON.parse(JSON.stringify(createSbom(bundled, product, { packages: {} })));
  assert.equal(
    sbom.components.map(({ licenses }: Component) => licenses[0]),
    [{ expression: '(MIT OR Zlib)' }, { license: { id: 'ISC' } }],
  );
});

test('a package without a hash in the lockfile is named without one', () => {
  const one = { name: 'a', version: '1.0.0', license: 'MIT' };
  const sbom = JSON.parse(JSON.stringify(createSbom([one], one, { packages: {} })));
  assert.is(sbom.components[0].hashes, undefined);
});

test.run();
