/** The names of active states, as a chart gives them. */
type StateNames = string | { readonly [name: string]: StateNames | undefined };

/** JSON of the names of states: a chart names them once and for all. */
const quotedNames = new Map<string, string>();

const quote = (name: string): string => {
  const quotedName = quotedNames.get(name);
  if (quotedName !== undefined) return quotedName;
  const text = JSON.stringify(name);
  quotedNames.set(name, text);
  return text;
};

/** Exactly what `JSON.stringify` gives for a state value, with texts that are kept. */
export function stringifyStateValue(value: StateNames): string {
  if (typeof value === 'string') return quote(value);
  let text = '';
  for (const name of Object.keys(value)) {
    const inner = value[name];
    if (inner !== undefined) text += `,${quote(name)}:${stringifyStateValue(inner)}`;
  }
  return `{${text.slice(1)}}`;
}

/** The same for the states that a step passed through, as texts. */
export const stringifyStatePath = (path: readonly string[]): string =>
  `[${path.map(quote).join()}]`;
