import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { toDocsAddress } from '../../../src/base/http/toDocsAddress.ts';
import { findClosestName } from '../../../src/base/text/findClosestName.ts';

export interface DocPage {
  /** Its path without `.md`, such as `guides/notifications`. */
  page: string;
  /** Its first heading. */
  title: string;
}

/** Parts of the documentation that are for people who use svc, in the order in which they are listed. */
const PARTS = ['guides', 'concepts', 'operations', 'reference'] as const;
const ALONE = ['start', 'security', 'differences'] as const;

const toFile = (root: string, page: string): string => join(root, 'docs', `${page}.md`);

function readTitle(file: string): string {
  const heading = /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  return heading.replaceAll('`', '');
}

const listPart = (root: string, part: string): string[] =>
  readdirSync(join(root, 'docs', part))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `${part}/${name.slice(0, -'.md'.length)}`);

/** The pages in the package whose folder is `root`. */
export function listDocPages(root: string): DocPage[] {
  const pages = [...ALONE, ...PARTS.flatMap((part) => listPart(root, part))];
  return pages.map((page) => ({ page, title: readTitle(toFile(root, page)) }));
}

const pickLastPart = (page: string): string => page.slice(page.lastIndexOf('/') + 1);

const MOST_PROPOSED = 5;

/** Pages that an unknown name may mean: those that have it in their name or title, else the closest name. */
function proposePages(name: string, pages: readonly DocPage[]): string[] {
  const word = pickLastPart(name).toLowerCase();
  const having = pages.filter(({ page, title }) => `${page} ${title}`.toLowerCase().includes(word));
  if (having.length > 0) return having.slice(0, MOST_PROPOSED).map(({ page }) => page);
  const closest = findClosestName(
    word,
    pages.map(({ page }) => pickLastPart(page)),
  );
  return pages.filter(({ page }) => pickLastPart(page) === closest).map(({ page }) => page);
}

/**
 * A page by its path, or by its last part where only one page has it: `guides/notifications`, `notifications` or
 * `docs/guides/notifications.md`. Throws SvcError `not-found` with the pages that may be meant.
 */
export function readDocPage(root: string, requestedName: string): DocPage & { text: string } {
  const pages = listDocPages(root);
  const name = requestedName.replace(/^docs\//, '').replace(/\.md$/, '');
  const exact = pages.find(({ page }) => page === name);
  const same = pages.filter(({ page }) => pickLastPart(page) === name);
  const match = exact ?? (same.length === 1 ? same[0] : undefined);
  if (match !== undefined)
    return { ...match, text: readFileSync(toFile(root, match.page), 'utf8') };
  const proposals = same.length > 1 ? same.map(({ page }) => page) : proposePages(name, pages);
  const hint = proposals.length === 0 ? '' : ` Did you mean: ${proposals.join(', ')}?`;
  throw new SvcError(
    'not-found',
    `No page of the documentation is named ${JSON.stringify(requestedName)}.${hint} svc docs lists all; online: ${toDocsAddress('index.md')}`,
  );
}
