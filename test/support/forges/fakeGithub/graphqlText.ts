export interface Field {
  kind: 'field';
  name: string;
  alias: string;
  args: Record<string, unknown>;
  fields: Selection[];
}
export interface Fragment {
  kind: 'fragment';
  type: string;
  fields: Selection[];
}
export type Selection = Field | Fragment;

/**
 * Reads a query; throws for anything that GraphQL's grammar (the part that is used) does not allow.
 */
export function parseQuery(text: string, variables: Record<string, unknown>): Selection[] {
  const tokens = [...text.matchAll(/\.\.\.|[A-Za-z_]\w*|-?\d+|"(?:[^"\\]|\\.)*"|[{}()[\]:!$,=]/g)]
    .map(([token]) => token)
    .filter((token) => token !== ',');
  let at = 0;
  const take = (expected?: string): string => {
    const token = tokens[at++];
    if (token === undefined || (expected !== undefined && token !== expected))
      throw new Error(`expected ${expected}, found ${token} at ${at}`);
    return token;
  };
  const skipDefinitions = () => {
    for (let depth = 0; ; ) {
      const token = take();
      if (token === '(') depth += 1;
      if (token === ')' && --depth === 0) return;
    }
  };
  const value = (): unknown => {
    const token = take();
    if (token === '$') {
      const name = take();
      return variables[name];
    }
    if (token === '[') {
      const list: unknown[] = [];
      while (tokens[at] !== ']') list.push(value());
      take(']');
      return list;
    }
    if (token === '{') {
      const members: Record<string, unknown> = {};
      while (tokens[at] !== '}') {
        const key = take();
        take(':');
        members[key] = value();
      }
      take('}');
      return members;
    }
    if (token.startsWith('"')) return JSON.parse(token);
    return /^-?\d/.test(token)
      ? Number(token)
      : token === 'true'
        ? true
        : token === 'false'
          ? false
          : token === 'null'
            ? null
            : token;
  };
  const selections = (): Selection[] => {
    take('{');
    const list: Selection[] = [];
    while (tokens[at] !== '}') list.push(selection());
    take('}');
    return list;
  };
  const selection = (): Selection => {
    if (tokens[at] === '...') {
      take();
      take('on');
      return { kind: 'fragment', type: take(), fields: selections() };
    }
    const first = take();
    const renamed = tokens[at] === ':';
    if (renamed) take(':');
    const name = renamed ? take() : first;
    const args: Record<string, unknown> = {};
    if (tokens[at] === '(') {
      take('(');
      while (tokens[at] !== ')') {
        const key = take();
        take(':');
        args[key] = value();
      }
      take(')');
    }
    return {
      kind: 'field',
      name,
      alias: first,
      args,
      fields: tokens[at] === '{' ? selections() : [],
    };
  };
  if (tokens[at] === 'query' || tokens[at] === 'mutation') take();
  if (tokens[at] === '(') skipDefinitions();
  return selections();
}

export class UnknownField extends Error {
  readonly type: string;
  readonly field: string;

  constructor(type: string, field: string) {
    super(`Field '${field}' doesn't exist on type '${type}'`);
    this.type = type;
    this.field = field;
  }
}

/**
 * Picks out of values what was asked for; a function in them is called with the arguments. Throws
 * for a field that is not there.
 */
export function answer(value: unknown, fields: readonly Selection[]): unknown {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((one) => answer(one, fields));
  if (fields.length === 0) return value;
  const source = value as Record<string, unknown>;
  const picked: Record<string, unknown> = {};
  for (const one of fields) {
    if (one.kind === 'fragment') {
      if (source.__typename === one.type) Object.assign(picked, answer(value, one.fields));
      continue;
    }
    if (!(one.name in source)) throw new UnknownField(String(source.__typename), one.name);
    const member = source[one.name];
    picked[one.alias] = answer(
      typeof member === 'function' ? member(one.args) : member,
      one.fields,
    );
  }
  return picked;
}
