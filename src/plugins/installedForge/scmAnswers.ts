import Type from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { ScmMethod, ScmReply } from '../process/protocol.ts';

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Longest name of an account, a branch, a check, or an id, characters. */
const MAX_NAME_CHARS = 500;
/** Most pull requests of a list. */
export const MAX_LISTED = 500;

const Name = Type.String({ minLength: 1, maxLength: MAX_NAME_CHARS });
const Branch = Type.String({ pattern: '^[^-\\s][^\\s]*$', maxLength: MAX_NAME_CHARS });
const Commit = Type.String({ pattern: '^[0-9a-f]{40}([0-9a-f]{24})?$' });
/** People follow it: no other scheme than that of pages. */
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
  login: nullable(Type.Object({ username: Name, password: Type.String({ maxLength: 10_000 }) })),
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
  endedAt: nullable(Time),
  endedBy: nullable(User),
  mergeCommit: nullable(Commit),
});
const Comment = Type.Object({
  id: Name,
  author: User,
  body: Type.String(),
  at: Time,
  replyTo: nullable(Name),
  url: Type.Optional(Page),
  place: Type.Optional(
    Type.Object({
      path: Type.String(),
      line: nullable(Type.Integer()),
      resolved: Type.Boolean(),
    }),
  ),
});
const Review = Type.Object({
  id: Name,
  author: User,
  verdict: Type.Enum(['approved', 'changes_requested', 'withdrawn']),
  commit: nullable(Commit),
  at: Time,
  body: Type.Optional(Type.String()),
});
const Check = Type.Object({
  id: Name,
  name: Name,
  state: Type.Enum(['pending', 'passed', 'failed', 'neutral']),
  required: Type.Boolean(),
  url: Page,
  at: nullable(Time),
});
const Detail = Type.Object({
  ...PullRequest.properties,
  mergeable: nullable(Type.Boolean()),
  mergeState: nullable(Type.Object({ word: Name, clean: Type.Boolean() })),
  comments: Type.Array(Comment),
  reviews: Type.Array(Review),
  checks: nullable(Type.Array(Check)),
});

/** The form of each method's answer; a method that answers nothing answers null. */
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
  changes: Type.Array(nullable(Type.String({ maxLength: 10_000 }))),
  repositoryAt: nullable(Slug),
};

/** Compiled on first use: most runners have no such plugin. */
const validators = new Map<ScmMethod, Validator>();

/**
 * What a forge plugin answered; a text with what is wrong about it where it has not the form that
 * the contract demands.
 */
export function parseScm<M extends ScmMethod>(
  method: M,
  value: unknown,
): { answer: ScmReply<M> } | { wrong: string } {
  const validator = validators.get(method) ?? Compile(FORMS[method]);
  validators.set(method, validator);
  const given = method === 'approve' ? null : value;
  // The schemas repeat the contract; a house test compares the two.
  if (validator.Check(given)) return { answer: given as ScmReply<M> };
  const [first] = validator.Errors(given);
  const place = first?.instancePath.replaceAll('/', '.').replace(/^\./, '') ?? '';
  return { wrong: `${place === '' ? 'the answer' : place} ${first?.message ?? 'is wrong'}` };
}
