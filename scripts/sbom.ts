import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type NamedPackage, NOTICES, parseNotices } from './notices.ts';

export const SBOM = 'dist/sbom.cdx.json';

export const NOTICE_FILES = [join('dist', NOTICES), join('dist/ui', NOTICES)];

interface Lockfile {
  packages: Record<string, { name?: string; version?: string; integrity?: string }>;
}

const SHA512 = /^sha512-(\S+)$/;

const formatPurl = ({ name, version }: Pick<NamedPackage, 'name' | 'version'>): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** SPDX: a single id, or an expression such as `MIT OR Apache-2.0`. */
const toLicenses = (license: string): object[] =>
  /^[\w.-]+$/.test(license) ? [{ license: { id: license } }] : [{ expression: license }];

/** SHA-512 in hexadecimal digits, by purl, of the archives that npm fetches. */
function readHashes({ packages }: Lockfile): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const [path, { name = path.replace(/^.*node_modules\//, ''), ...locked }] of Object.entries(
    packages,
  )) {
    const [, base64] = SHA512.exec(locked.integrity ?? '') ?? [];
    if (locked.version !== undefined && base64 !== undefined)
      hashes.set(
        formatPurl({ name, version: locked.version }),
        Buffer.from(base64, 'base64').toString('hex'),
      );
  }
  return hashes;
}

/** CycloneDX 1.6 of what is bundled; without date and serial number, so that it is reproducible. */
export function createSbom(
  bundled: readonly NamedPackage[],
  product: NamedPackage,
  lockfile: Lockfile,
): object {
  const hashes = readHashes(lockfile);
  const describe = (type: string, { name, version, license }: NamedPackage) => {
    const purl = formatPurl({ name, version });
    const hash = hashes.get(purl);
    return {
      type,
      'bom-ref': purl,
      name,
      version,
      ...(hash === undefined ? {} : { hashes: [{ alg: 'SHA-512', content: hash }] }),
      licenses: toLicenses(license),
      purl,
    };
  };
  const components = bundled.map((one) => describe('library', one));
  const byPurl = new Map(components.map((component) => [component.purl, component]));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: describe('application', product) },
    components: [...byPurl.keys()].sort().map((purl) => byPurl.get(purl)),
  };
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

/** Writes the SBOM of what the notices in dist/ name; without a dashboard that was built, of the rest. */
export function writeSbom(): void {
  const texts = NOTICE_FILES.filter((file) => existsSync(file)).map((file) =>
    readFileSync(file, 'utf8'),
  );
  const sbom = createSbom(
    texts.flatMap(parseNotices),
    readJson('package.json'),
    readJson('package-lock.json'),
  );
  writeFileSync(SBOM, `${JSON.stringify(sbom, null, 2)}\n`);
}
