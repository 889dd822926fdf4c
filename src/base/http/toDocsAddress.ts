/** Address of the documentation; `svc docs` prints the pages that an installed package holds. */
const DOCS = 'https://github.com/svc/runner/blob/main/docs/';

/** The address of a page, such as `guides/agents.md`. */
export const toDocsAddress = (page: string): string => `${DOCS}${page}`;
