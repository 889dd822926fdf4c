import { toFields, toStringOrEmpty } from '../base/json/untrusted.ts';
import type {
  ProposedRun,
  RemovalReason,
  RemovedMember,
} from '../contract/schema/planning/proposedRun.ts';

/**
 * Params that the model may fill in. All others are removed: only a person may give a run more
 * power.
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

/** Members that give a run power or say where it belongs. */
const A_PERSONS: ReadonlySet<string> = new Set([
  'interactive',
  'autoApprove',
  'budget',
  'budgets',
  'unattended',
  'epicAllowed',
  'lane',
  'parentJobId',
  'investigationId',
  'findingsSha',
  'guardrails',
  'invariants',
  'provider',
  'executor',
  'model',
  'trigger',
]);

/** Longest value, characters, and longest list. */
const MAX_VALUE_CHARS = 100_000;
const MAX_VALUES = 50;
/** Longest kept value of a removed member, and longest name, characters. */
const MAX_SHOWN_CHARS = 256;
const MAX_REMOVED = 50;

export interface RunChoices {
  /** Paths of the workflows that may be chosen. */
  workflows: readonly string[];
  /** Paths of workflows that have errors. */
  broken: readonly string[];
  isRepo(slug: string): boolean;
}

function parseFilledValue(name: string, value: unknown): string | string[] | null {
  if (name === 'reviewers') {
    const names: readonly unknown[] = Array.isArray(value) ? value : [];
    const texts = names.filter((one): one is string => typeof one === 'string' && one !== '');
    return texts.length === 0 || texts.length > MAX_VALUES ? null : texts;
  }
  const one = toStringOrEmpty(value);
  return one === '' || one.length > MAX_VALUE_CHARS ? null : one;
}

const clipRemovedValue = (value: unknown): string | null =>
  typeof value === 'string' ? value.slice(0, MAX_SHOWN_CHARS) : null;

function explainWorkflowRemoval(
  value: unknown,
  { workflows, broken }: RunChoices,
): RemovalReason | null {
  if (typeof value !== 'string' || value === '') return 'unusable-value';
  if (broken.includes(value)) return 'broken-workflow';
  return workflows.includes(value) ? null : 'unknown-workflow';
}

function explainParamRemoval(
  name: string,
  value: unknown,
  { isRepo }: RunChoices,
): RemovalReason | null {
  if (A_PERSONS.has(name)) return 'only-a-person';
  if (!FILLED.has(name)) return 'not-a-field';
  if (parseFilledValue(name, value) === null) return 'unusable-value';
  return name === 'repoSlug' && !isRepo(toStringOrEmpty(value)) ? 'unknown-repository' : null;
}

/** The run proposed in a `<run>` block, without anything that a model must not decide. */
export function parseProposedRun(
  block: unknown,
  choices: RunChoices,
): Pick<ProposedRun, 'workflowPath' | 'params' | 'removed'> {
  const { workflowPath, params, ...rest } = toFields(block);
  const removedMembers: RemovedMember[] = [];
  const keptParams: ProposedRun['params'] = {};
  for (const [name, value] of Object.entries({ ...rest, ...toFields(params) })) {
    // Models write null for a missing value.
    if (value === null) continue;
    const reason = explainParamRemoval(name, value, choices);
    const clean = parseFilledValue(name, value);
    if (reason === null && clean !== null) keptParams[name] = clean;
    else
      removedMembers.push({
        name: name.slice(0, MAX_SHOWN_CHARS),
        reason: reason ?? 'unusable-value',
        value: name === 'repoSlug' ? clipRemovedValue(value) : null,
      });
  }
  const names = workflowPath ?? null;
  const reason = names === null ? null : explainWorkflowRemoval(names, choices);
  if (reason !== null)
    removedMembers.push({ name: 'workflowPath', reason, value: clipRemovedValue(workflowPath) });
  return {
    workflowPath: reason === null && typeof names === 'string' ? names : null,
    params: keptParams,
    removed: removedMembers.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MAX_REMOVED),
  };
}

const NO_CHOICES: RunChoices = { workflows: [], broken: [], isRepo: () => false };

/** svc 0.2 stored only the names. */
function parseStoredRemoval(one: RemovedMember | string): RemovedMember {
  if (typeof one !== 'string') return one;
  const reasons: Readonly<Record<string, RemovalReason>> = {
    workflowPath: 'unknown-workflow',
    repoSlug: 'unknown-repository',
  };
  const reason = Object.hasOwn(reasons, one)
    ? reasons[one]
    : explainParamRemoval(one, '', NO_CHOICES);
  return { name: one, reason: reason ?? 'unusable-value', value: null };
}

export function parseStoredRun(json: string): ProposedRun {
  const run: Omit<ProposedRun, 'removed'> & { removed: (RemovedMember | string)[] } =
    JSON.parse(json);
  return { ...run, removed: (run.removed ?? []).map(parseStoredRemoval) };
}
