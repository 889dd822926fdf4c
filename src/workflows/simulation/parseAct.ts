import { ProviderEventKind } from '../../contract/schema/forge/pr.ts';
import { type WorkItem, WorkItemStatus } from '../../contract/schema/job/workItem.ts';
import type { Act } from './step.ts';

/** Why a value is wrong: finishes the sentence "must be …". */
class UnfitValueError extends Error {}

const EVENT_KINDS: readonly string[] = ProviderEventKind.anyOf.map((literal) => literal.const);
const ITEM_STATUSES = WorkItemStatus.anyOf.map((literal) => literal.const);
const STOP_REASONS = ['end_turn', 'pause_turn', 'error', 'limit', 'stuck'] as const;
const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const requireActText = (value: unknown, what: string): string => {
  if (typeof value === 'string' && value !== '') return value;
  throw new UnfitValueError(what);
};
const requireChoice = <const Name extends string>(names: readonly Name[], value: unknown): Name => {
  const match = names.find((name) => name === value);
  if (match !== undefined) return match;
  throw new UnfitValueError(`one of ${names.join(', ')}`);
};
const requireActTexts = (value: unknown, what: string): string[] => {
  const list = Array.isArray(value) ? value : [value];
  return list.map((one) => requireActText(one, what));
};
const requireMembers = (
  value: unknown,
  allowedMembers: readonly string[],
): Record<string, unknown> => {
  const map = Object(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnfitValueError(`a map of ${allowedMembers.join(', ')}`);
  if (Object.keys(map).some((key) => !allowedMembers.includes(key)))
    throw new UnfitValueError(`a map of ${allowedMembers.join(', ')} only`);
  return map;
};

/** Milliseconds of `90s`, `30m`, `2h`, `1d`. */
export function parseScriptDuration(value: unknown): number {
  const [, count, unit = ''] = /^(\d{1,6})(s|m|h|d)$/.exec(String(value)) ?? [];
  const ms = Number(count) * (UNIT_MS[unit] ?? Number.NaN);
  if (ms > 0) return ms;
  throw new UnfitValueError('a duration such as 90s, 30m, 2h or 1d');
}

const parseScriptItem = (value: unknown): WorkItem => {
  const { id, title, status } = typeof value === 'string' ? { id: value } : Object(value);
  const name = requireActText(id, 'ids of work items, or maps of id, title and status');
  return {
    id: name,
    title: typeof title === 'string' ? title : name,
    status: status === undefined ? 'pending' : requireChoice(ITEM_STATUSES, status),
    loopCount: 0,
    prIds: [],
  };
};

const parseEventKinds = (value: unknown): string[] | null =>
  value === null || value === true
    ? null
    : requireActTexts(value, 'kinds of events').map((kind) => requireChoice(EVENT_KINDS, kind));

const createPlainActParser =
  (
    name:
      | 'approve'
      | 'reject'
      | 'resume'
      | 'pause'
      | 'cancel'
      | 'stop'
      | 'new-session'
      | 'push'
      | 'merge',
  ) =>
  (value: unknown) => {
    if (value === null || value === true) return { do: name };
    throw new UnfitValueError('nothing, or true');
  };

/** Parsers of the acts' values, by name. */
const ACTS: Readonly<Record<string, (value: unknown) => Act>> = {
  approve: createPlainActParser('approve'),
  reject: createPlainActParser('reject'),
  resume: createPlainActParser('resume'),
  pause: createPlainActParser('pause'),
  cancel: createPlainActParser('cancel'),
  stop: createPlainActParser('stop'),
  'new-session': createPlainActParser('new-session'),
  push: createPlainActParser('push'),
  merge: createPlainActParser('merge'),
  call: (value) => ({
    do: 'call',
    operation: requireActText(value, 'a write such as post_pr_comment'),
  }),
  message: (value) => ({ do: 'message', text: requireActText(value, 'the text of the message') }),
  rerun: (value) => ({ do: 'rerun', phase: requireActText(value, 'the name of a phase') }),
  event: (value) => {
    const kind = requireChoice(EVENT_KINDS, value);
    const kindLiteral = ProviderEventKind.anyOf.find((literal) => literal.const === kind);
    if (!kindLiteral) throw new UnfitValueError('a kind of event');
    return { do: 'event', kind: kindLiteral.const };
  },
  plan: (value) => ({ do: 'plan', text: requireActText(value, 'the text of the plan') }),
  'work-items': (value) => ({
    do: 'work-items',
    items: (Array.isArray(value) ? value : [value]).map(parseScriptItem),
  }),
  item: (value) => {
    const { id, status } = requireMembers(value, ['id', 'status']);
    return {
      do: 'item',
      id: requireActText(id, 'a map of id and status'),
      status: requireChoice(ITEM_STATUSES, status),
    };
  },
  'open-pr': (value) => ({
    do: 'open-pr',
    title: value === null ? 'The change' : requireActText(value, 'the title of the pull request'),
  }),
  await: (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { do: 'await', kinds: parseEventKinds(value), resumePhase: null };
    const { kinds = null, resumePhase } = requireMembers(value, ['kinds', 'resumePhase']);
    return {
      do: 'await',
      kinds: parseEventKinds(kinds),
      resumePhase: requireActText(resumePhase, 'a map of kinds and resumePhase'),
    };
  },
  goto: (value) => ({ do: 'goto', phase: requireActText(value, 'the name of a phase') }),
  escalate: (value) => ({ do: 'escalate', text: requireActText(value, 'the question to decide') }),
  'sub-runs': (value) => ({ do: 'sub-runs', names: requireActTexts(value, 'names of sub-runs') }),
  'sub-run': (value) => {
    const { name, outcome } = requireMembers(value, ['name', 'outcome']);
    return {
      do: 'sub-run',
      name: requireActText(name, 'a map of name and outcome'),
      outcome: requireChoice(['complete', 'failed'], outcome),
    };
  },
  end: (value) => ({
    do: 'end',
    reason: value === null ? 'end_turn' : requireChoice(STOP_REASONS, value),
  }),
  wait: (value) => ({ do: 'wait', ms: parseScriptDuration(value) }),
  expect: (value) => {
    const expected = Object.entries(
      requireMembers(value, ['phase', 'status', 'state', 'invariant']),
    );
    if (expected.length === 0)
      throw new UnfitValueError('a map of phase, status, state and invariant');
    return {
      do: 'expect',
      ...Object.fromEntries(expected.map(([key, one]) => [key, requireActText(one, 'texts')])),
    };
  },
};

export const ACT_NAMES: readonly string[] = Object.keys(ACTS);

/** The act, or why the value does not fit its name. `name` is one of {@link ACT_NAMES}. */
export function parseAct(name: string, value: unknown): { act: Act } | { must: string } {
  try {
    const parse = ACTS[name];
    return parse ? { act: parse(value) } : { must: 'known' };
  } catch (error) {
    if (error instanceof UnfitValueError) return { must: error.message };
    throw error;
  }
}
