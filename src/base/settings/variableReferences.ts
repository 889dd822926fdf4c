/** `${NAME}` and `${NAME:-default}` in a declaration of a tool server, as Claude Code writes them. */
export const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** Most variables of one text that are named. */
const MAX_VARIABLES = 100;

/** Names of the variables that a text refers to, each once, sorted; at most 100. */
export const listVariableNames = (text: string): string[] =>
  [...new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name))]
    .sort()
    .slice(0, MAX_VARIABLES);
