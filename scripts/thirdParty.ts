import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** Name of the file with the notices, beside index.html. */
export const NOTICES = 'third-party-licences.txt';

interface Package {
  name: string;
  version: string;
  license: string;
  /** Where its sources are; empty = it does not say. */
  source: string;
  /** Its licence files, concatenated. */
  text: string;
}

/** What a bundler adds of itself has an id without a file, `\0<package>/…`. */
const ADDED = /^\0(vite|rolldown)\//;

/** The innermost folder of a package in a path. */
const FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Folder of the package that a module belongs to; null for modules of ours. */
function folderOf(id: string, root: string): string | null {
  const added = ADDED.exec(id)?.[1];
  return added === undefined ? (FOLDER.exec(id)?.[0] ?? null) : join(root, 'node_modules', added);
}

/**
 * Licences of a bundler's own dependencies follow its own; none of that code is in a page.
 */
const ownPart = (text: string): string =>
  text.split(/^# Licenses of bundled dependencies/m, 1)[0] ?? text;

function packageIn(folder: string): Package {
  const { name, version, license, repository, homepage } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .sort()
    .map((file) => ownPart(readFileSync(join(folder, file), 'utf8')).trim());
  if (texts.length === 0) throw new Error(`${name} has no licence file: ${folder}.`);
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
    text,
    '',
  ].join('\n');

const idsOf = (bundle: Rolldown.OutputBundle): string[] =>
  Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));

/**
 * Writes the licences of all packages that parts of came into the bundle beside it: `page` for the
 * bundle of the page, `worker` for those of its workers, which are bundled before. Fails for a
 * package without a licence text.
 */
export function thirdParty(root: string): { page: Plugin; worker: Plugin } {
  const inWorkers = new Set<string>();
  const worker: Plugin = {
    name: 'svc-third-party-worker',
    generateBundle(_options, bundle) {
      for (const id of idsOf(bundle)) inWorkers.add(id);
    },
  };
  const page: Plugin = {
    name: 'svc-third-party',
    generateBundle(_options, bundle) {
      const ids = [...idsOf(bundle), ...inWorkers];
      const folders = new Set(ids.flatMap((id) => folderOf(id.split('?', 1)[0] ?? id, root) ?? []));
      const packages = [...folders].map(packageIn).sort((a, b) => a.name.localeCompare(b.name));
      const head = `The dashboard contains parts of the following ${packages.length} packages. Each has its own licence.\n`;
      this.emitFile({
        type: 'asset',
        fileName: NOTICES,
        source: [head, ...packages.map(notice)].join('\n'),
      });
    },
  };
  return { page, worker };
}
