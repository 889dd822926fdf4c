import { listLinks } from '../docs/links.ts';

/** Where the sources are, as `repository` of package.json says it, and the version that is packed. */
export interface Sources {
  /** `https://<host>/<owner>/<name>`, without an ending. */
  web: string;
  version: string;
}

/** A picture's ending: a forge shows a page about the file where the file itself is wanted. */
const PICTURE = /\.(?:png|svg|jpe?g|gif|webp)$/;

export const fileAddress = ({ web, version }: Sources, path: string): string =>
  `${web}/${PICTURE.test(path.split('#', 1)[0] ?? '') ? 'raw' : 'blob'}/v${version}/${path}`;

/** The address of the sources in a package.json. Throws if `repository` is not a web address. */
export function listSources(manifest: { repository?: { url?: string }; version: string }): Sources {
  const url = manifest.repository?.url ?? '';
  const web = /^(?:git\+)?(https:\/\/[^/]+\/[^/]+\/[^/]+?)(?:\.git)?$/.exec(url)?.[1];
  if (web === undefined)
    throw new Error(
      `repository.url of package.json is "${url}": it must be git+https://<host>/<owner>/<name>.git, the README of the package links to it.`,
    );
  return { web, version: manifest.version };
}

/**
 * The README as a page of a package registry can show it: links and pictures with the addresses of
 * this version, and no diagrams, which registries print as code.
 */
export function packedReadme(text: string, sources: Sources): string {
  const plain = text.replace(/^```mermaid\n[\s\S]*?^```\n\n?/gm, '');
  const relative = new Set(
    listLinks(plain)
      .map(({ target }) => target)
      .filter((target) => !/^(?:[a-z][a-z0-9+.-]*:|#)/i.test(target)),
  );
  return [...relative].reduce(
    (page, target) => page.replaceAll(`](${target})`, `](${fileAddress(sources, target)})`),
    plain,
  );
}
