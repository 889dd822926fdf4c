import { Environment } from '@marcbachmann/cel-js';
import { MAX_EXPRESSION_CHARS } from '../../base/agents/guardrails.ts';
import { fitsPath, fitsWildcard } from './glob.ts';
import type { Subject } from './rule.ts';

/** Most parts of an expression, which bounds the cost of a rule. */
const MAX_PARTS = 300;
/** Most entries of a list, and most characters of a text, in an expression. */
const MAX_ITEMS = 1000;
const MAX_CHARS = 65_536;
const MAX_DEPTH = 6;

/** Loops over lists: nested ones would take the product of their lengths. */
const LOOPS = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

let environment: Environment | undefined;

/** Created with the first expression: most homes have none. */
const ensureCelEnvironment = (): Environment => (environment ??= createCelEnvironment());

const createCelEnvironment = (): Environment =>
  new Environment({
    unlistedVariablesAreDyn: false,
    limits: { maxAstNodes: MAX_PARTS, maxDepth: 40, maxListElements: 100, maxMapEntries: 50 },
  })
    .registerVariable('tool', 'string')
    .registerVariable('args', 'map')
    .registerVariable({
      name: 'job',
      schema: {
        id: 'string',
        workflow: 'string',
        repository: 'string',
        interactive: 'bool',
        unattended: 'bool',
      },
    })
    .registerVariable('phase', 'string')
    .registerVariable({
      name: 'pr',
      schema: {
        known: 'bool',
        number: 'int',
        repository: 'string',
        own: 'bool',
        author: 'string',
        draft: 'bool',
        checks: 'string',
      },
    })
    .registerVariable({
      name: 'diff',
      schema: { known: 'bool', lines: 'int', paths: 'list<string>' },
    })
    .registerVariable('approvals', 'list<string>')
    .registerVariable({ name: 'budget', schema: { capped: 'bool', usdLeft: 'double' } })
    .registerVariable('actor', 'string')
    .registerFunction('like(string, string): bool', (text: string, pattern: string) =>
      fitsWildcard(pattern, text),
    )
    .registerFunction('path(string, string): bool', (path: string, pattern: string) =>
      fitsPath(pattern, path),
    );

export type Condition = (subject: Subject) => boolean;

export interface ConditionMistake {
  message: string;
  at: number;
}

interface Node {
  op: string;
  args: unknown;
  start: number;
}

const isNode = (value: unknown): value is Node =>
  typeof Object(value).op === 'string' && 'args' in Object(value);

const collectCelNodes = (value: unknown): Node[] =>
  isNode(value) ? [value] : Array.isArray(value) ? value.flatMap(collectCelNodes) : [];

/** CEL calls that svc does not offer, since they could take for ever. */
function findUnboundedCall(node: Node, inLoop: boolean): ConditionMistake | null {
  const { op, args, start } = node;
  const name = op === 'call' || op === 'rcall' ? String(Object(args)[0]) : '';
  if (name === 'matches')
    return {
      message:
        'matches() is not offered, because a regular expression can take for ever. Use like(text, "*part*"), path(file, "src/**"), contains, startsWith or endsWith.',
      at: start,
    };
  const isLoop = LOOPS.has(name);
  if (isLoop && inLoop)
    return { message: `${name}() within another loop is not offered. Write two rules.`, at: start };
  for (const child of collectCelNodes(args)) {
    const conditionMistake = findUnboundedCall(child, inLoop || isLoop);
    if (conditionMistake) return conditionMistake;
  }
  return null;
}

export function parseCondition(
  text: string,
): { condition: Condition } | { mistake: ConditionMistake } {
  if (text.length > MAX_EXPRESSION_CHARS)
    return {
      mistake: { message: `It is longer than ${MAX_EXPRESSION_CHARS} characters.`, at: 0 },
    };
  const typeCheck = ensureCelEnvironment().check(text);
  if (!typeCheck.valid) {
    const { summary = 'It is not valid.', range } = Object(typeCheck.error);
    return { mistake: { message: `${String(summary)}.`, at: Number(range?.start ?? 0) } };
  }
  if (typeCheck.type !== 'bool')
    return {
      mistake: {
        message: `It gives ${typeCheck.type}, not bool. Compare it with something.`,
        at: 0,
      },
    };
  const run = ensureCelEnvironment().parse(text);
  const mistake = isNode(run.ast) ? findUnboundedCall(run.ast, false) : null;
  if (mistake) return { mistake };
  return { condition: (subject) => run(toCelVariables(subject)) === true };
}

/** Turns whole numbers into CEL's; cuts long texts and lists. */
function boundCelValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_CHARS);
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value))
    return value.slice(0, MAX_ITEMS).map((one) => boundCelValue(one, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ITEMS)
      .map(([key, one]) => [key, boundCelValue(one, depth + 1)]),
  );
}

/** The variables of an expression. Unknown ones are empty, and `known` tells which. */
function toCelVariables({ tool, args, job, phase, pr, diff, approvals, usdLeft, actor }: Subject) {
  return {
    tool,
    args: boundCelValue(args),
    job,
    phase,
    pr: {
      known: pr !== null,
      number: BigInt(pr?.number ?? 0),
      repository: pr?.repository ?? '',
      own: pr?.own ?? false,
      author: pr?.author ?? '',
      draft: pr?.draft ?? false,
      checks: pr?.checks ?? '',
    },
    diff: {
      known: diff !== null,
      lines: BigInt(diff?.lines ?? 0),
      paths: diff?.paths ?? [],
    },
    approvals: [...approvals],
    budget: { capped: usdLeft !== null, usdLeft: usdLeft ?? 0 },
    actor,
  };
}
