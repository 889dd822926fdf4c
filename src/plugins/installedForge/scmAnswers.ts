import Type from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { ScmMethod, ScmReply } from '../process/protocol.ts';

const createNullableScmField = <T extends Type.TSchema>(schema: T) =>
  Type.Union([schema, Type.Null()]);

/** Longest name of an account, a branch, a check, or an id, characters. */
const MAX_NAME_CHARS = 500;
export const MAX_LISTED = 500;

const Name = Type.String({ minLength: 1, maxLength: MAX_NAME_CHARS });
const Branch = Type.String({ pattern: '^[^-\\s][^\\s]*$', maxLength: MAX_NAME_CHARS });
const Commit = Type.String({ pattern: '^[0-9a-f]{40}([0-9a-f]{24})?$' });
/** People follow it, so only http and https are allowed. */
const Page = Type.String({ pattern: '^(https?://[^\\s]+)?$', maxLength: 2_000 });
const Time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d', maxLength: 40 });
const Slug = Type.String({
  pattern: '^[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*$',
  maxLength: 200,
});

const User = Type.Object({
  login: Name,
  bot: Type.Optional(Type.Boolean()),
  member: Type.Optional(Type.Boolean()),
});
const Repository = Type.Object({
  repo: Slug,
  cloneUrl: Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2_000 }),
  login: createNullableScmField(
    Type.Object({ username: Name, password: Type.String({ maxLength: 10_000 }) }),
  ),
  url: Page,
  description: Type.Optional(Type.String()),
});
const PullRequest = Type.Object({
  repo: Slug,
  number: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  body: Type.String(),
  author: User,
  head: Branch,
  base: Branch,
  headCommit: Type.Union([Commit, Type.Literal('')]),
  state: Type.Enum(['open', 'merged', 'closed']),
  url: Page,
  createdAt: Time,
  endedAt: createNullableScmField(Time),
  endedBy: createNullableScmField(User),
  mergeCommit: createNullableScmField(Commit),
});
const Comment = Type.Object({
  id: Name,
  author: User,
  body: Type.String(),
  at: Time,
  replyTo: createNullableScmField(Name),
  url: Type.Optional(Page),
  place: Type.Optional(
    Type.Object({
      path: Type.String(),
      line: createNullableScmField(Type.Integer()),
      resolved: Type.Boolean(),
    }),
  ),
});
const Review = Type.Object({
  id: Name,
  author: User,
  verdict: Type.Enum(['approved', 'changes_requested', 'withdrawn']),
  commit: createNullableScmField(Commit),
  at: Time,
  body: Type.Optional(Type.String()),
});
const Check = Type.Object({
  id: Name,
  name: Name,
  state: Type.Enum(['pending', 'passed', 'failed', 'neutral']),
  required: Type.Boolean(),
  url: Page,
  at: createNullableScmField(Time),
});
/** Longest text of one hindrance, characters. */
const MAX_HINDRANCE_CHARS = 300;
const Line = Type.String({
  pattern: '^[^\\r\\n]*\\S[^\\r\\n]*$',
  maxLength: MAX_HINDRANCE_CHARS,
});
const DETAILS = {
  mergeable: createNullableScmField(Type.Boolean()),
  mergeState: createNullableScmField(Type.Object({ word: Name, clean: Type.Boolean() })),
  comments: Type.Array(Comment),
  reviews: Type.Array(Review),
  checks: createNullableScmField(Type.Array(Check)),
  hindrances: Type.Optional(Type.Array(Line)),
};
const Detail = Type.Object({ ...PullRequest.properties, ...DETAILS });
const Change = createNullableScmField(Type.String({ maxLength: 10_000 }));

/** The schema of each method's answer; a method without an answer returns null. */
const FORMS: Readonly<Record<ScmMethod, Type.TSchema>> = {
  self: Name,
  repository: Repository,
  pullRequests: Type.Array(PullRequest),
  pullRequest: Detail,
  diff: Type.String(),
  createPullRequest: PullRequest,
  comment: Comment,
  approve: Type.Null(),
  merge: PullRequest,
  createRepository: Repository,
  changes: Type.Array(Change),
  repositoryAt: createNullableScmField(Slug),
};

/** A part of an answer that was dropped because it does not match the contract. */
export interface LeftOut {
  /** Member of the answer; empty = the answer itself is the list. */
  member: '' | keyof typeof DETAILS;
  /** Index of the item in its list; null = the whole member. */
  index: number | null;
  /** A clause that names what is wrong. */
  why: string;
}

/** Droppable members: the member, the schema of its items, and its replacement. */
const LISTS = [
  ['comments', Comment, []],
  ['reviews', Review, []],
  ['checks', Check, null],
  ['hindrances', Line, []],
] as const;
const VALUES = ['mergeable', 'mergeState'] as const;

/** Compiled on first use: most runners have no such plugin. */
const validators = new Map<Type.TSchema, Validator>();

function createValidator(form: Type.TSchema): Validator {
  const validator = validators.get(form) ?? Compile(form);
  validators.set(form, validator);
  return validator;
}

/** The first mistake in a value, with its path; null = none. */
function findFault(form: Type.TSchema, value: unknown, name: string): string | null {
  const validator = createValidator(form);
  if (validator.Check(value)) return null;
  const [first] = validator.Errors(value);
  const place = first?.instancePath.replaceAll('/', '.') ?? '';
  return `${`${name}${place}`.replace(/^\./, '') || 'the answer'} ${first?.message ?? 'is wrong'}`;
}

/** The valid items; `instead` replaces the others, which are dropped by default. */
function readItems(
  member: LeftOut['member'],
  form: Type.TSchema,
  items: readonly unknown[],
  leftOut: LeftOut[],
  instead: readonly unknown[] = [],
): unknown[] {
  return items.flatMap((item, index) => {
    const why = findFault(form, item, `${member}.${index}`);
    if (why === null) return [item];
    leftOut.push({ member, index, why });
    return instead;
  });
}

function readDetail(value: object, leftOut: LeftOut[]): object {
  const read: Record<string, unknown> = { ...value };
  for (const [member, form, instead] of LISTS) {
    const rawValue = read[member];
    const why = findFault(DETAILS[member], rawValue, member);
    // An optional member may be left out.
    if (why === null || (member === 'hindrances' && rawValue === undefined)) continue;
    if (Array.isArray(rawValue)) read[member] = readItems(member, form, rawValue, leftOut);
    else {
      leftOut.push({ member, index: null, why });
      read[member] = instead;
    }
  }
  for (const member of VALUES) {
    const why = findFault(DETAILS[member], read[member], member);
    if (why === null) continue;
    leftOut.push({ member, index: null, why });
    read[member] = null;
  }
  return read;
}

function readPartly(method: ScmMethod, value: unknown, leftOut: LeftOut[]): unknown {
  if (method === 'pullRequest' && typeof value === 'object' && value !== null)
    return readDetail(value, leftOut);
  if (method === 'pullRequests' && Array.isArray(value))
    return readItems('', PullRequest, value, leftOut);
  // Each text belongs to the pull request at the same index.
  if (method === 'changes' && Array.isArray(value))
    return readItems('', Change, value, leftOut, [null]);
  return value;
}

export interface ParsedScm<M extends ScmMethod> {
  answer: ScmReply<M>;
  leftOut: readonly LeftOut[];
}

/**
 * Parses the answer of a forge plugin without items and parts that do not match the contract.
 * Returns a text with the mistake where the answer is useless without them.
 */
export function parseScm<M extends ScmMethod>(
  method: M,
  value: unknown,
): ParsedScm<M> | { wrong: string } {
  const form = FORMS[method];
  const rawAnswer = method === 'approve' ? null : value;
  // The schemas repeat the contract; a house test compares the two.
  if (createValidator(form).Check(rawAnswer))
    return { answer: rawAnswer as ScmReply<M>, leftOut: [] };
  const leftOut: LeftOut[] = [];
  const read = readPartly(method, rawAnswer, leftOut);
  const wrong = findFault(form, read, '');
  return wrong === null ? { answer: read as ScmReply<M>, leftOut } : { wrong };
}
