import {
  ACTS,
  type Clause,
  GUARDED_TOOLS,
  type Invariant,
  INVARIANT_ID_PATTERN,
  JOB_FACTS,
  MAX_FACTS,
  MAX_VISITS,
  phaseIn,
  PR_FACTS,
  type Rule,
} from './invariant.ts';

/** What is wrong with one rule: at which of its keys (null = the rule as a whole). */
export interface InvariantProblem {
  key: string | null;
  /** Finishes "invariants[0].unless …". */
  message: string;
  /** The word that is not known, and those that are; left out = another mistake. */
  word?: { written: string; known: readonly string[] };
}

export interface ReadInvariant {
  /** Null where there is a problem. */
  invariant: Invariant | null;
  problems: InvariantProblem[];
}

/** Names of facts, as an author may write them. `approved` alone means the pull request. */
export const FACT_WORDS: readonly string[] = [
  ...PR_FACTS,
  ...JOB_FACTS,
  'approved',
  'approved(<phase>)',
  'phase(<phase>)',
];
const ACT_WORDS: readonly string[] = [...ACTS, 'phase(<phase>)'];
const KEYS: readonly string[] = [
  'id',
  'never',
  'unless',
  'before',
  'need',
  'at-most',
  'only-in',
  'tool',
];
const FORMS =
  'one of: never (and unless), before and need, at-most, only-in and tool. For example { id: merge-approved, never: merge, unless: approved since push }';

class Unfit extends Error {
  readonly word: InvariantProblem['word'];
  constructor(message: string, word?: InvariantProblem['word']) {
    super(message);
    this.word = word;
  }
}

const isPhaseWord = (word: string): boolean => phaseIn(word) !== null;

function fact(written: string): string {
  const word = written === 'approved' ? 'approved(pr)' : written;
  if ([...PR_FACTS, ...JOB_FACTS].some((one) => one === word) || isPhaseWord(word)) return word;
  throw new Unfit(`names the unknown fact "${written}"`, {
    written,
    known: FACT_WORDS,
  });
}

function clause(words: readonly string[], text: string): Clause {
  const not = words[0] === 'not';
  const rest = not ? words.slice(1) : words;
  const [first = '', since, last, ...more] = rest[0] === 'once' ? rest.slice(1) : rest;
  const isWhole = since === undefined || (since === 'since' && last !== undefined);
  if (first === '' || !isWhole || more.length > 0)
    throw new Unfit(
      `is not a condition: ${text}. Write facts such as "approved since push", joined by "and" and "or"`,
    );
  const own = fact(first);
  const other = last === undefined ? undefined : fact(last);
  if (own === other) throw new Unfit(`says "${own} since ${own}": name two different facts`);
  return {
    fact: own,
    ...(other === undefined ? {} : { since: other }),
    ...(not ? { not: true as const } : {}),
  };
}

/** `a since b and c or not d`: "and" binds more strongly than "or". */
function condition(value: unknown): Clause[][] {
  if (typeof value !== 'string' || value.trim() === '')
    throw new Unfit('must be a condition such as "approved since push"');
  const text = value.trim();
  const lists = text
    .split(/\s+or\s+/)
    .map((all) => all.split(/\s+and\s+/).map((one) => clause(one.trim().split(/\s+/), text)));
  if (lists.flat().length > MAX_FACTS) throw new Unfit(`names more than ${MAX_FACTS} facts`);
  return lists;
}

function act(value: unknown): string {
  const word = String(value);
  if (ACTS.some((one) => one === word) || (isPhaseWord(word) && word.startsWith('phase(')))
    return word;
  throw new Unfit(`names "${word}", which no agent does`, { written: word, known: ACT_WORDS });
}

const name = (value: unknown): string => {
  if (typeof value === 'string' && /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(value)) return value;
  throw new Unfit('must be the name of a phase');
};

function visits(value: unknown): { visits: string; atMost: number } {
  const [, count, phase] = /^(\d{1,4}) visits? of (\S+)$/.exec(String(value).trim()) ?? [];
  const atMost = Number(count);
  if (phase === undefined || !(atMost >= 1 && atMost <= MAX_VISITS))
    throw new Unfit(`must be like "3 visits of coding", with 1 to ${MAX_VISITS} visits`);
  return { visits: name(phase), atMost };
}

function phases(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0) throw new Unfit('must name at least one phase');
  return list.map(name);
}

function tool(value: unknown): string {
  const written = String(value);
  const plain = written.replace(/^(scm|tracker|local|github|gitlab|bitbucket)_/, '');
  if (GUARDED_TOOLS.some((one) => one === plain)) return plain;
  throw new Unfit(`names "${written}", which is not a call that the job takes`, {
    written: plain,
    known: GUARDED_TOOLS,
  });
}

/**
 * Reads one rule as front matter and the configuration write it. Never throws; says every mistake
 * with its key.
 */
export function parseInvariant(value: unknown): ReadInvariant {
  const problems: InvariantProblem[] = [];
  const fail = (key: string | null, message: string, word?: InvariantProblem['word']): void => {
    problems.push({ key, message, ...(word === undefined ? {} : { word }) });
  };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    fail(null, `must be a map with id and ${FORMS}`);
    return { invariant: null, problems };
  }
  const given: Record<string, unknown> = Object(value);
  for (const key of Object.keys(given))
    if (!KEYS.includes(key)) fail(key, 'is not a key of a rule', { written: key, known: KEYS });
  const { id } = given;
  const isNamed = typeof id === 'string' && INVARIANT_ID_PATTERN.test(id);
  if (!isNamed)
    fail(id === undefined ? null : 'id', 'needs an id of lowercase letters, digits and hyphens');
  const read = <T>(key: string, part: (given: unknown) => T): T | null => {
    try {
      return part(given[key]);
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      fail(key, error.message, error.word);
      return null;
    }
  };
  const rule = ruleOf(given, read, fail);
  const isGood = problems.length === 0 && rule !== null && isNamed;
  return { invariant: isGood ? { id, ...rule } : null, problems };
}

type Read = <T>(key: string, part: (given: unknown) => T) => T | null;
type Fail = (key: string | null, message: string) => void;

function ruleOf(given: Record<string, unknown>, read: Read, fail: Fail): Rule | null {
  const forms = ['never', 'before', 'at-most', 'only-in'].filter((key) =>
    Object.hasOwn(given, key),
  );
  const [form] = forms;
  if (form === undefined || forms.length > 1) {
    fail(null, `must have exactly ${FORMS}`);
    return null;
  }
  const partners: Readonly<Record<string, string>> = {
    never: 'unless',
    before: 'need',
    'only-in': 'tool',
  };
  for (const key of ['unless', 'need', 'tool'])
    if (Object.hasOwn(given, key) && partners[form] !== key) fail(key, `does not go with ${form}`);
  if (form === 'never') {
    const never = read('never', act);
    const unless = Object.hasOwn(given, 'unless') ? read('unless', condition) : [];
    return never === null || unless === null ? null : { never, unless };
  }
  if (form === 'before') {
    const before = read('before', name);
    const unless = read('need', condition);
    return before === null || unless === null ? null : { never: `phase(${before})`, unless };
  }
  if (form === 'at-most') return read('at-most', visits);
  const onlyIn = read('only-in', phases);
  const only = read('tool', tool);
  return onlyIn === null || only === null ? null : { tool: only, onlyIn };
}
