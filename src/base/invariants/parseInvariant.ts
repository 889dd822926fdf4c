import {
  ACTS,
  type Clause,
  GUARDED_TOOLS,
  type Invariant,
  INVARIANT_ID_PATTERN,
  JOB_FACTS,
  MAX_FACTS,
  MAX_VISITS,
  parsePhaseWord,
  PR_FACTS,
  type Rule,
} from './invariant.ts';

/** What is wrong with one rule, and at which key; null = the whole rule. */
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

class UnfitInvariantError extends Error {
  readonly word: InvariantProblem['word'];
  constructor(message: string, word?: InvariantProblem['word']) {
    super(message);
    this.word = word;
  }
}

const isPhaseWord = (word: string): boolean => parsePhaseWord(word) !== null;

function parseFact(text: string): string {
  const word = text === 'approved' ? 'approved(pr)' : text;
  if ([...PR_FACTS, ...JOB_FACTS].some((one) => one === word) || isPhaseWord(word)) return word;
  throw new UnfitInvariantError(`names the unknown fact "${text}"`, {
    written: text,
    known: FACT_WORDS,
  });
}

function parseClause(words: readonly string[], text: string): Clause {
  const not = words[0] === 'not';
  const rest = not ? words.slice(1) : words;
  const [first = '', since, last, ...more] = rest[0] === 'once' ? rest.slice(1) : rest;
  const isComplete = since === undefined || (since === 'since' && last !== undefined);
  if (first === '' || !isComplete || more.length > 0)
    throw new UnfitInvariantError(
      `is not a condition: ${text}. Write facts such as "approved since push", joined by "and" and "or"`,
    );
  const own = parseFact(first);
  const other = last === undefined ? undefined : parseFact(last);
  if (own === other)
    throw new UnfitInvariantError(`says "${own} since ${own}": name two different facts`);
  return {
    fact: own,
    ...(other === undefined ? {} : { since: other }),
    ...(not ? { not: true as const } : {}),
  };
}

/** `a since b and c or not d`: "and" binds more strongly than "or". */
function parseFactCondition(value: unknown): Clause[][] {
  if (typeof value !== 'string' || value.trim() === '')
    throw new UnfitInvariantError('must be a condition such as "approved since push"');
  const text = value.trim();
  const lists = text
    .split(/\s+or\s+/)
    .map((all) => all.split(/\s+and\s+/).map((one) => parseClause(one.trim().split(/\s+/), text)));
  if (lists.flat().length > MAX_FACTS)
    throw new UnfitInvariantError(`names more than ${MAX_FACTS} facts`);
  return lists;
}

function parseForbiddenAct(value: unknown): string {
  const word = String(value);
  if (ACTS.some((one) => one === word) || (isPhaseWord(word) && word.startsWith('phase(')))
    return word;
  throw new UnfitInvariantError(`names "${word}", which no agent does`, {
    written: word,
    known: ACT_WORDS,
  });
}

const parsePhaseName = (value: unknown): string => {
  if (typeof value === 'string' && /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(value)) return value;
  throw new UnfitInvariantError('must be the name of a phase');
};

function parseVisitLimit(value: unknown): { visits: string; atMost: number } {
  const [, count, phase] = /^(\d{1,4}) visits? of (\S+)$/.exec(String(value).trim()) ?? [];
  const atMost = Number(count);
  if (phase === undefined || !(atMost >= 1 && atMost <= MAX_VISITS))
    throw new UnfitInvariantError(
      `must be like "3 visits of coding", with 1 to ${MAX_VISITS} visits`,
    );
  return { visits: parsePhaseName(phase), atMost };
}

function parsePhaseNames(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0) throw new UnfitInvariantError('must name at least one phase');
  return list.map(parsePhaseName);
}

function parseGuardedTool(value: unknown): string {
  const text = String(value);
  const plain = text.replace(/^(scm|tracker|local|github|gitlab|bitbucket)_/, '');
  if (GUARDED_TOOLS.some((one) => one === plain)) return plain;
  throw new UnfitInvariantError(`names "${text}", which is not a call that the job takes`, {
    written: plain,
    known: GUARDED_TOOLS,
  });
}

/** Reads one rule of front matter or configuration. Never throws; reports each mistake by key. */
export function parseInvariant(value: unknown): ReadInvariant {
  const problems: InvariantProblem[] = [];
  const fail = (key: string | null, message: string, word?: InvariantProblem['word']): void => {
    problems.push({ key, message, ...(word === undefined ? {} : { word }) });
  };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    fail(null, `must be a map with id and ${FORMS}`);
    return { invariant: null, problems };
  }
  const fields: Record<string, unknown> = Object(value);
  for (const key of Object.keys(fields))
    if (!KEYS.includes(key)) fail(key, 'is not a key of a rule', { written: key, known: KEYS });
  const { id } = fields;
  const isNamed = typeof id === 'string' && INVARIANT_ID_PATTERN.test(id);
  if (!isNamed)
    fail(id === undefined ? null : 'id', 'needs an id of lowercase letters, digits and hyphens');
  const read = <T>(key: string, part: (value: unknown) => T): T | null => {
    try {
      return part(fields[key]);
    } catch (error) {
      if (!(error instanceof UnfitInvariantError)) throw error;
      fail(key, error.message, error.word);
      return null;
    }
  };
  const rule = parseRule(fields, read, fail);
  const isGood = problems.length === 0 && rule !== null && isNamed;
  return { invariant: isGood ? { id, ...rule } : null, problems };
}

type Read = <T>(key: string, part: (value: unknown) => T) => T | null;
type Fail = (key: string | null, message: string) => void;

function parseRule(fields: Record<string, unknown>, read: Read, fail: Fail): Rule | null {
  const forms = ['never', 'before', 'at-most', 'only-in'].filter((key) =>
    Object.hasOwn(fields, key),
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
    if (Object.hasOwn(fields, key) && partners[form] !== key) fail(key, `does not go with ${form}`);
  if (form === 'never') {
    const never = read('never', parseForbiddenAct);
    const unless = Object.hasOwn(fields, 'unless') ? read('unless', parseFactCondition) : [];
    return never === null || unless === null ? null : { never, unless };
  }
  if (form === 'before') {
    const before = read('before', parsePhaseName);
    const unless = read('need', parseFactCondition);
    return before === null || unless === null ? null : { never: `phase(${before})`, unless };
  }
  if (form === 'at-most') return read('at-most', parseVisitLimit);
  const onlyIn = read('only-in', parsePhaseNames);
  const only = read('tool', parseGuardedTool);
  return onlyIn === null || only === null ? null : { tool: only, onlyIn };
}
