/** Address of the documentation: an installed package holds only its lint codes. */
const DOCS = 'https://github.com/svc/runner/blob/main/docs/';

/** The address of a page, such as `guides/agents.md`. */
export const toDocsAddress = (page: string): string => `${DOCS}${page}`;
