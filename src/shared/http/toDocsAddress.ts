/** Where the documentation of svc is: an installed package holds none of it but the lint codes. */
const DOCS = 'https://github.com/svc/runner/blob/main/docs/';

/** The address of a page, such as `guides/agents.md`. */
export const toDocsAddress = (page: string): string => `${DOCS}${page}`;
