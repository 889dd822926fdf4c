/** Variables of svc's own that do not begin with `SVC_`. */

/** `${NAME}` and `${NAME:-default}` in a declaration of a tool server, as Claude Code writes them. */
export const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** Most variables of one text that are named. */
const MAX_VARIABLES = 100;

/** Names of the variables that a text refers to, each once, sorted; at most 100. */
export const listVariableNames = (text: string): string[] =>
  [...new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name))]
    .sort()
    .slice(0, MAX_VARIABLES);

/** Variables of svc's own that do not begin with `SVC_`. */
const OTHERS: ReadonlySet<string> = new Set(['LEGACY_API_KEY', 'COMPLETION_GATE_MAX_RETRIES']);

/** Form of the name of an environment variable. */
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/**
 * Whether svc itself reads its settings and tokens from this variable, in whatever case it is
 * written. No program of a job and no tool server gets one.
 */
export const isOwnVariable = (name: string): boolean =>
  name.toUpperCase().startsWith('SVC_') || OTHERS.has(name.toUpperCase());
