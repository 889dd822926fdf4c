import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const NOTICES = 'third-party-licences.txt';

interface Package {
  name: string;
  version: string;
  license: string;
  /** Where its sources are; empty = it does not say. */
  source: string;
  text: string;
}

const FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Folder of the package that a module belongs to; null for modules of ours. */
export const packageFolder = (path: string): string | null => FOLDER.exec(path)?.[0] ?? null;

/**
 * Licences of a bundler's own dependencies follow its own; none of that code is in a page.
 */
const ownPart = (text: string): string =>
  text.split(/^# Licenses of bundled dependencies/m, 1)[0] ?? text;

/** Packages that only name their licence; what they say is all that can be passed on. */
const ONLY_NAMED = [
  '@ai-sdk/provider-utils',
  'clean-git-ref',
  'diff3',
  'http_ece',
  'koa-compose',
  'koa-static',
  'postgres',
];

function packageIn(folder: string): Package {
  const { name, version, license, repository, homepage } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .sort()
    .map((file) => ownPart(readFileSync(join(folder, file), 'utf8')).trim());
  if (texts.length === 0 && !ONLY_NAMED.includes(name))
    throw new Error(`${name} has no licence file: ${folder}.`);
  const source: string = repository?.url ?? repository ?? homepage ?? '';
  return { name, version, license, source: source.replace(/^git\+/, ''), text: texts.join('\n\n') };
}

const RULE = '='.repeat(78);

const notice = ({ name, version, license, source, text }: Package): string =>
  [
    RULE,
    `${name} ${version}`,
    `Licence: ${license}`,
    ...(source === '' ? [] : [`Source: ${source}`]),
    RULE,
    '',
    text === '' ? 'The package has no licence file; the line above is what it declares.' : text,
    '',
  ].join('\n');

const HEAD = /^={78}\n(?<name>\S+) (?<version>\S+)\nLicence: (?<license>.+)$/gm;

export type NamedPackage = Pick<Package, 'name' | 'version' | 'license'>;

export const parseNotices = (text: string): NamedPackage[] =>
  [...text.matchAll(HEAD)].map(({ groups: { name = '', version = '', license = '' } = {} }) => ({
    name,
    version,
    license,
  }));

/**
 * The licences of the packages in these folders, as one text. `what` contains parts of them. Throws
 * for a package without a licence file that is not known to have none.
 */
export function noticesText(what: string, folders: Iterable<string>): string {
  const packages = [...new Set(folders)]
    .map(packageIn)
    .sort((a, b) => a.name.localeCompare(b.name));
  const head = `${what} contains parts of the following ${packages.length} packages. Each has its own licence.\n`;
  return [head, ...packages.map(notice)].join('\n');
}
