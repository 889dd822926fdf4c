import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { MAX_PARSED_BYTES, MAX_PARSED_SIZE } from '../../base/limits/inputLimits.ts';
import { suggestClosestName } from '../../base/text/findClosestName.ts';
import { type FieldError, SvcError } from '../../base/errors/errors.ts';
import { ACT_NAMES, parseScriptDuration, parseAct } from './parseAct.ts';
import type { Step } from './step.ts';

/** Most steps of a script. */
const MAX_STEPS = 1_000;

const CONDITIONS = ['in', 'after', 'refused-by'];

/**
 * Reads a script: a YAML list of steps, each a word such as `approve`, or a map of one act with its
 * value, `in` (a phase), `after` (a duration) and `refused-by` (an invariant). Throws SvcError
 * `invalid` with every mistake as `file:line:column`.
 */
export function parseScript(text: string, file: string): Step[] {
  const errors: FieldError[] = [];
  const lines = new LineCounter();
  const at = (node: unknown): { line: number; column: number } => {
    const { line, col } = lines.linePos(isNode(node) && node.range ? node.range[0] : 0);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const wrong = (node: unknown, message: string): void => {
    const { line, column } = at(node);
    errors.push({ pointer: `${file}:${line}:${column}`, message });
  };
  const finish = (steps: Step[]): Step[] => {
    if (errors.length === 0) return steps;
    throw new SvcError('invalid', `${file} is not a valid script.`, { errors });
  };
  if (Buffer.byteLength(text) > MAX_PARSED_BYTES) {
    wrong(null, `The script has more than ${MAX_PARSED_SIZE} (${MAX_PARSED_BYTES} bytes).`);
    return finish([]);
  }
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
  });
  for (const error of document.errors.slice(0, 1)) {
    const { line, col } = lines.linePos(error.pos[0]);
    errors.push({
      pointer: `${file}:${line}:${col}`,
      message: `This is not YAML: ${error.message}`,
    });
  }
  const list = document.contents;
  if (errors.length > 0 || list === null) return finish([]);
  if (!isSeq(list)) {
    wrong(list, 'A script is a list of steps, each beginning with "- ".');
    return finish([]);
  }
  if (list.items.length > MAX_STEPS) wrong(list, `A script may have at most ${MAX_STEPS} steps.`);

  const parseStep = (node: unknown): Step[] => {
    const pairs = isMap(node)
      ? node.items.map((pair) => ({
          key: String(pair.key),
          keyNode: pair.key,
          node: pair.value ?? pair.key,
          value: plainValue(pair.value),
        }))
      : isScalar(node)
        ? [{ key: String(node.value), keyNode: node, node, value: null }]
        : [];
    const acts = pairs.filter(({ key }) => !CONDITIONS.includes(key));
    const [one] = acts;
    for (const { key, keyNode } of acts) {
      if (!ACT_NAMES.includes(key))
        wrong(keyNode, `Unknown step ${key}. ${suggestClosestName(key, ACT_NAMES)}`);
    }
    if (!one || acts.length > 1) {
      wrong(node, 'A step is one act, optionally with in, after and refused-by.');
      return [];
    }
    if (!ACT_NAMES.includes(one.key)) return [];
    const read = parseAct(one.key, one.value);
    if ('must' in read) {
      wrong(one.node, `${one.key} must be ${read.must}.`);
      return [];
    }
    const phase = pairs.find(({ key }) => key === 'in');
    const after = pairs.find(({ key }) => key === 'after');
    const refusedPair = pairs.find(({ key }) => key === 'refused-by');
    return [
      {
        ...at(one.keyNode),
        in: phase ? String(phase.value) : null,
        ...(refusedPair ? { refusedBy: String(refusedPair.value) } : {}),
        after: after ? wait(after) : 0,
        act: read.act,
      },
    ];
  };
  const wait = ({ node, value }: { node: unknown; value: unknown }): number => {
    try {
      return parseScriptDuration(value);
    } catch {
      wrong(node, 'after must be a duration such as 90s, 30m, 2h or 1d.');
      return 0;
    }
  };
  const plainValue = (node: unknown): unknown =>
    isNode(node) ? node.toJS(document, { maxAliasCount: 50 }) : null;
  return finish(list.items.slice(0, MAX_STEPS).flatMap(parseStep));
}
