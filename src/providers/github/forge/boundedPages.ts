/** Most pages of one list that are read, of a hundred things each. */
const MAX_PAGES = 50;

/**
 * Ends a list of Octokit after 50 pages: one whose next page is one that was read has no end. For each
 * list a new one.
 */
export function boundedPages<T>(): (page: { data: T[] }, done: () => void) => T[] {
  let pages = 0;
  return ({ data }, done) => {
    pages += 1;
    if (pages >= MAX_PAGES) done();
    return Array.isArray(data) ? data : [];
  };
}
