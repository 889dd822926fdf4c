import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Exchange } from '../../test/support/forges/exchanges.ts';
import { chooseExchanges, type ExchangeChecker } from './exchangeChecker.ts';

/** No package holds GitLab's description: this is an extract, with its sources. */
const EXTRACT = resolve(import.meta.dirname, '../../test/fixtures/openapi/gitlab.json');

type Field =
  | 'string'
  | 'boolean'
  | 'integer'
  | 'object'
  | readonly string[]
  | { readonly [member: string]: Field };

interface Operation {
  method: string;
  path: string;
  /** Left out: the source names none but in its text. */
  statuses?: readonly number[];
  query: Readonly<Record<string, Field>>;
  /** Left out: the extract does not describe it. */
  body?: Readonly<Record<string, Field>>;
  required?: readonly string[];
}

/** Answers that every operation may have: its login, its limit, a project that was moved. */
const ALWAYS = new Set([302, 401, 403, 429]);

const { operations } = JSON.parse(readFileSync(EXTRACT, 'utf8')) as {
  operations: readonly Operation[];
};
const described = operations.map((operation) => ({
  ...operation,
  pattern: new RegExp(`^/api/v4${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

const getPath = ({ path }: Exchange): string => path.replace(/\?.*/, '');
const findOperation = (one: Exchange) =>
  described.find(({ method, pattern }) => method === one.method && pattern.test(getPath(one)));
/** An exchange that the extract lacks is named without the parts that vary. */
const getOperationName = (one: Exchange): string =>
  `${one.method} ${
    findOperation(one)?.path ??
    getPath(one)
      .replace('/api/v4', '')
      .replace(/^\/(projects|namespaces)\/[^/]+/, '/$1/…')
      .replaceAll(/\/(?:\d+|[0-9a-f]{40})(?=\/|$)/g, '/…')
  }`;

function wrong(name: string, value: unknown, field: Field | undefined): string[] {
  if (field === undefined) return [`it has no ${name}`];
  if (Array.isArray(field))
    return field.includes(String(value)) ? [] : [`${name} is ${String(value)}`];
  if (typeof field === 'object')
    return Object.entries(Object(value)).flatMap(([member, part]) =>
      wrong(`${name}[${member}]`, part, Reflect.get(field, member)),
    );
  const fits = {
    string: typeof value === 'string',
    boolean: value === true || value === false || value === 'true' || value === 'false',
    integer: /^\d+$/.test(String(value)),
    object: typeof value === 'object' && value !== null,
  }[field];
  return fits ? [] : [`${name} is no ${field}`];
}

function faultsIn(exchange: Exchange): string[] {
  const operation = findOperation(exchange);
  if (operation === undefined) return [];
  const { query, body: fields, required = [], statuses } = operation;
  const { searchParams } = new URL(exchange.path, 'http://gitlab');
  const faults = [...searchParams].flatMap(([name, value]) =>
    wrong(name.replace(/\[\]$/, ''), value, query[name.replace(/\[\]$/, '')]),
  );
  if (fields !== undefined) {
    const members =
      exchange.body === '' ? {} : (JSON.parse(exchange.body) as Record<string, unknown>);
    for (const [name, value] of Object.entries(members))
      faults.push(...wrong(name, value, fields[name]));
    for (const name of required) if (!(name in members)) faults.push(`it needs ${name}`);
  }
  const { status } = exchange.answer;
  if (statuses !== undefined && !statuses.includes(status) && !ALWAYS.has(status))
    faults.push(`the fake answers ${status}, which the description does not name`);
  return faults;
}

async function checkAll(all: readonly Exchange[]) {
  const exchanges = chooseExchanges(all, getOperationName);
  const covered = exchanges.filter((one) => findOperation(one) !== undefined);
  const failures = covered.flatMap((one) => {
    const faults = faultsIn(one);
    return faults.length === 0 ? [] : [`${getOperationName(one)}: ${faults.join('; ')}`];
  });
  const others = new Set(
    exchanges.filter((one) => findOperation(one) === undefined).map(getOperationName),
  );
  return {
    operations: new Set(covered.map(getOperationName)),
    checked: covered.length,
    failures,
    uncovered: [
      ...[...others].toSorted().map((one) => `${one}: not in the extract`),
      'bodies of requests but those to merge trains and of draft notes, and bodies of answers: not in the extract',
    ],
  };
}

export const gitlab: ExchangeChecker = {
  provider: 'gitlab',
  packages: [],
  tests: ['test/providers/contract/gitlab.test.ts', 'test/providers/gitlab'],
  check: checkAll,
};
