import { copyFileSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { projectFiles, read } from '../checks/projectFiles.ts';
import { markdownFiles } from './markdownFiles.ts';

/** Folder of the documents that make up the site; what is outside goes to {@link PROJECT}. */
const DOCS = 'docs/';
const PROJECT = 'project';

/** Where a document is in the site: docs/ is its root, a README is named after its folder. */
export function sitePath(file: string): string {
  if (file.startsWith(DOCS)) return file.slice(DOCS.length);
  const name = file === 'README.md' ? file : file.replace(/\/README\.md$/, '.md');
  return `${PROJECT}/${name.replaceAll('/', '-').toLowerCase()}`;
}

/** Rewrites prose only: blocks are skipped, and code spans are replaced by a placeholder. */
function mapProse(text: string, rewrite: (prose: string) => string): string {
  const code: string[] = [];
  const keep = (part: string): string => `\uE000${code.push(part) - 1}\uE000`;
  const prose = text
    .replace(/^ *(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ *\1[^\n]*$/gm, keep)
    .replace(/`[^`\n]+`/g, keep);
  return rewrite(prose).replace(/\uE000(\d+)\uE000/g, (_, at: string) => code[Number(at)] ?? '');
}

/** The document at a path of the project; a folder stands for its README or its index. */
function documentAt(path: string, documents: ReadonlySet<string>): string | null {
  const full = path.replace(/\/$/, '');
  return [full, `${full}/README.md`, `${full}/index.md`].find((one) => documents.has(one)) ?? null;
}

const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;

/**
 * A document as a page of the site: links lead to pages; a link to a file that is not a page, such as
 * a source, is left as its text. Comments are left out.
 */
export function asPage(file: string, text: string, documents: ReadonlySet<string>): string {
  return mapProse(text, (prose) =>
    prose
      .replace(/<!--[\s\S]*?-->\n?/g, '')
      .replace(LINK, (whole, image: string, label: string, target: string) => {
        if (/^(?:[a-z][a-z0-9+.-]*:|#)/i.test(target)) return whole;
        const [path = '', hash] = target.split('#');
        const full = posix.join(posix.dirname(file), path);
        const document = image === '' ? documentAt(full, documents) : full;
        if (document === null) return label;
        const to = posix.relative(posix.dirname(sitePath(file)), sitePath(document));
        return `${image}[${label}](${to}${hash === undefined ? '' : `#${hash}`})`;
      }),
  );
}

/**
 * Writes the pages of the site, and the pictures of docs/, into `folder`. Answers how many pages.
 */
export function stagePages(folder: string): number {
  rmSync(folder, { recursive: true, force: true });
  const documents = new Set(markdownFiles());
  for (const file of documents) {
    const to = join(folder, sitePath(file));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, asPage(file, read(file), documents));
  }
  for (const file of projectFiles().filter((one) => /^docs\/.*\.(png|svg|jpg)$/.test(one))) {
    const to = join(folder, sitePath(file));
    mkdirSync(dirname(to), { recursive: true });
    if (existsSync(file) && statSync(file).isFile()) copyFileSync(file, to);
  }
  return documents.size;
}
