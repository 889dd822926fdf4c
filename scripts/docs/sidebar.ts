import { capitalizeFirst } from '../../src/base/text/capitalizeFirst.ts';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listLinks } from './links.ts';

export interface SidebarItem {
  text: string;
  link?: string;
  collapsed?: boolean;
  items?: SidebarItem[];
}

/**
 * Folders in the order in which a new user needs them; others follow alphabetically.
 */
const FIRST = ['concepts', 'guides', 'reference', 'operations', 'decisions', 'project'];
/** Longer lists are collapsed until a reader opens them. */
const MOST_OPEN_ITEMS = 30;

const findTitle = (text: string, fallback: string): string =>
  (/^#\s+(.*)$/m.exec(text)?.[1] ?? fallback).replaceAll('`', '');

interface Page {
  path: string;
  title: string;
}

function pagesIn(root: string, folder: string): Page[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map(({ name }) => {
      const path = folder === '' ? name : `${folder}/${name}`;
      return { path, title: findTitle(readFileSync(join(root, path), 'utf8'), name) };
    });
}

/** Paths that a page links to, in its order: an index decides the order of the pages below it. */
function orderIn(root: string, index: string): string[] {
  if (!existsSync(join(root, index))) return [];
  const folder = index.includes('/') ? index.slice(0, index.lastIndexOf('/') + 1) : '';
  return listLinks(readFileSync(join(root, index), 'utf8')).map(
    ({ target }) => folder + target.replace(/#.*$/, '').replace(/^\.\//, ''),
  );
}

function sortPages(pages: readonly Page[], order: readonly string[]): Page[] {
  const place = ({ path }: Page) => {
    if (/(^|\/)index\.md$/.test(path)) return -1;
    const at = order.indexOf(path);
    return at < 0 ? order.length : at;
  };
  return [...pages].sort((a, b) => place(a) - place(b) || (a.path < b.path ? -1 : 1));
}

const toItem = ({ path, title }: Page): SidebarItem => ({
  text: title,
  link: `/${path.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`,
});

/** The sidebar of the pages in `root`: one group for each folder, made of titles and indexes. */
export function buildSidebar(root: string): SidebarItem[] {
  const front = orderIn(root, 'index.md');
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .filter((name) => pagesIn(root, name).length > 0);
  const ordered = [
    ...FIRST.filter((name) => folders.includes(name)),
    ...folders.filter((name) => !FIRST.includes(name)).sort(),
  ];
  const groups = ordered.map((folder) => {
    const order = [...orderIn(root, `${folder}/index.md`), ...front];
    const items = sortPages(pagesIn(root, folder), order).map(toItem);
    return { text: capitalizeFirst(folder), collapsed: items.length > MOST_OPEN_ITEMS, items };
  });
  return [{ text: 'Start', items: sortPages(pagesIn(root, ''), front).map(toItem) }, ...groups];
}
