import { fields, text } from '../lib/untrusted.ts';
import type { ProposedRun } from '../schema/proposedRun.ts';

/**
 * Params that the model may fill in. Everything else that it writes is taken out: what gives a run
 * power (`interactive`, `autoApprove`, budgets, guardrails, provider, model) is a person's to set.
 */
const FILLED: ReadonlySet<string> = new Set([
  'repoSlug',
  'description',
  'reviewers',
  'language',
  'gitProvider',
  'jiraTicketId',
  'serviceName',
]);

/** Longest value, characters, and longest list. */
const MAX_VALUE_CHARS = 100_000;
const MAX_VALUES = 50;

function filled(name: string, value: unknown): string | string[] | null {
  if (name === 'reviewers') {
    const names: readonly unknown[] = Array.isArray(value) ? value : [];
    const texts = names.filter((one): one is string => typeof one === 'string' && one !== '');
    return texts.length === 0 || texts.length > MAX_VALUES ? null : texts;
  }
  const one = text(value);
  return one === '' || one.length > MAX_VALUE_CHARS ? null : one;
}

/**
 * The run that a `<run>` block proposes, with nothing in it that a model must not decide.
 * `workflows`: paths that may be chosen. `isRepo`: whether a repository may be.
 */
export function proposedRun(
  block: unknown,
  workflows: readonly string[],
  isRepo: (slug: string) => boolean,
): Pick<ProposedRun, 'workflowPath' | 'params' | 'removed'> {
  const { workflowPath, params, ...rest } = fields(block);
  const given = { ...rest, ...fields(params) };
  const isListed = typeof workflowPath === 'string' && workflows.includes(workflowPath);
  const kept: ProposedRun['params'] = {};
  const removed: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const clean = FILLED.has(name) ? filled(name, value) : null;
    const isUnknownRepo = name === 'repoSlug' && !isRepo(text(value));
    if (clean === null || isUnknownRepo) removed.push(name);
    else kept[name] = clean;
  }
  if (workflowPath !== undefined && !isListed) removed.push('workflowPath');
  return { workflowPath: isListed ? workflowPath : null, params: kept, removed: removed.sort() };
}
