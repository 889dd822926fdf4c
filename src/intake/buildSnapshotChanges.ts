import { MAX_ITEMS_CHARS } from '../base/limits/intakeLimits.ts';
import { SvcError } from '../base/errors/errors.ts';
import { sha256 } from '../base/system/ids/ids.ts';
import { screenTexts } from '../base/secrets/screenSecrets.ts';
import type { RowChange } from '../contract/records/changes.ts';
import type { Readiness } from '../contract/schema/planning/intake.ts';
import type { InvestigationBody } from '../contract/schema/planning/investigationBody.ts';
import {
  type InvestigationRow,
  parseStoredJson,
  createInvestigationRow,
  type TurnRow,
} from './investigationRows.ts';
import {
  listMissingTurns,
  type SeedEntry,
  buildSeedRows,
  type SeedTurn,
  toSeedTurns,
} from './seed.ts';

type Change = Partial<InvestigationRow>;

interface SnapshotInput {
  id: string;
  body: InvestigationBody;
  /** The stored row; undefined = none. */
  before: InvestigationRow | undefined;
  turns: readonly TurnRow[];
  now: number;
  screen(text: string): string;
}

/** No change of the model waits for a decision. */
const NOTHING_PROPOSED: Change = { findings_proposed: null, findings_cut: 0 };

/** An edit of a person; it also settles an older change of the model. */
function buildFindingsChange(
  { findings }: InvestigationBody,
  before: InvestigationRow,
  { screen, isNew }: Pick<SnapshotInput, 'screen'> & { isNew: boolean },
): Change {
  if (findings === undefined) return {};
  const givenFindings = typeof findings === 'string' ? { text: findings } : findings;
  // For a chat of another runner, its own text counts as the version that was read.
  const read = isNew ? undefined : givenFindings?.sha256;
  const replaces = givenFindings?.replaces === undefined ? read : givenFindings.replaces;
  if (replaces !== undefined && replaces !== before.findings_sha)
    throw new SvcError(
      'conflict',
      'The findings have changed since they were read. Read the session again.',
      { data: { reason: 'findings-changed', sha256: before.findings_sha } },
    );
  // Blank findings would be an empty plan.
  if (givenFindings === null || givenFindings.text.trim() === '')
    return { ...NOTHING_PROPOSED, findings: null, findings_sha: null, findings_by: null };
  const text = screen(givenFindings.text);
  if (text === before.findings) return {};
  return {
    findings: text,
    findings_sha: sha256(text),
    findings_by: 'person',
    ...NOTHING_PROPOSED,
  };
}

function buildProposalChange(
  { proposed }: InvestigationBody,
  { findings_proposed: text }: InvestigationRow,
): Change {
  if (proposed === undefined || text === null) return {};
  if (proposed === 'leave') return NOTHING_PROPOSED;
  return {
    findings: text,
    findings_sha: sha256(text),
    findings_by: 'model',
    findings_proposed: null,
  };
}

function buildItemsChange({ items }: InvestigationBody, screen: SnapshotInput['screen']): Change {
  if (items === undefined) return {};
  const text = JSON.stringify(items);
  // Screens the texts and not the JSON: a secret of digits may also be a number, which cannot be
  // replaced.
  if (text.length <= MAX_ITEMS_CHARS) return { items: JSON.stringify(screenTexts(items, screen)) };
  throw new SvcError(
    'too-large',
    `The items have ${text.length} characters of JSON; at most ${MAX_ITEMS_CHARS} are stored.`,
  );
}

function buildCountersChange({ counters }: InvestigationBody, before: InvestigationRow): Change {
  if (counters === undefined || before.input_tokens > 0 || before.output_tokens > 0) return {};
  const { usage, contextTokens, lookups } = counters;
  const counts = [...Object.values(usage), contextTokens ?? 0, lookups];
  if (!counts.every((count) => count === undefined || Number.isSafeInteger(count)))
    throw new SvcError('invalid', 'A number in /counters is too large.');
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cached_input_tokens: usage.cachedInputTokens,
    cache_write_tokens: usage.cacheWriteTokens ?? 0,
    context_tokens: contextTokens,
    lookups: Math.max(lookups, before.lookups),
  };
}

/**
 * The readiness in a snapshot; undefined = unchanged. GET shows it twice, as `readiness` (its
 * state) and as `status` (all of it): the one that differs from the stored one is the client's
 * change.
 */
function readGivenReadiness(
  { readiness, status }: InvestigationBody,
  before: Pick<InvestigationRow, 'readiness' | 'readiness_state'>,
): Readiness | null | undefined {
  if (typeof readiness === 'object' && readiness !== null) return readiness;
  const isOther = readiness !== undefined && readiness !== before.readiness_state;
  if (!isOther) return status;
  if (readiness === null) return null;
  const newReadiness =
    status ?? (before.readiness === null ? null : parseStoredJson<Readiness>(before.readiness));
  return { openQuestions: [], note: '', ...newReadiness, state: readiness };
}

function buildReadinessChange(
  body: InvestigationBody,
  before: InvestigationRow,
  screen: SnapshotInput['screen'],
): Change {
  const readiness = readGivenReadiness(body, before);
  if (readiness === undefined) return {};
  return {
    readiness_state: readiness?.state ?? null,
    readiness: readiness === null ? null : JSON.stringify(screenTexts(readiness, screen)),
  };
}

/** The turns of a snapshot, either transcript entries or as GET shows them. */
function readGivenTurns({ turns = [] }: InvestigationBody): SeedTurn[] {
  const entries = turns.filter((one): one is SeedEntry => 'role' in one);
  if (entries.length > 0) return toSeedTurns(entries);
  return turns.flatMap((one) =>
    'role' in one || one.message.trim() === ''
      ? []
      : [{ message: one.message, answer: one.answer }],
  );
}

function buildPlainChange({ title, model }: InvestigationBody, screen: SnapshotInput['screen']) {
  const change: Change = {};
  if (title !== undefined) change.title = screen(title);
  if (model !== undefined) {
    change.provider = model.provider;
    change.model = model.model;
  }
  return change;
}

/**
 * Changes from a snapshot of the dashboard; null = the chat is empty and is not stored. Throws
 * SvcError `conflict` with reason `findings-changed`, `too-large`, `invalid`.
 */
export function buildSnapshotChanges(options: SnapshotInput): RowChange[] | null {
  const { id, body, before, turns, now, screen } = options;
  const seedTurns = listMissingTurns(turns, readGivenTurns(body)).map(({ message, answer }) => ({
    message: screen(message),
    answer: screen(answer),
  }));
  const [first] = seedTurns;
  if (before === undefined && first === undefined && (body.items ?? []).length === 0) return null;
  const row = before ?? createInvestigationRow(id, first?.message ?? '', now);
  const seedRows = buildSeedRows(id, seedTurns, { first: turns.length + 1, at: now });
  const change: Change = {
    ...buildPlainChange(body, screen),
    ...buildReadinessChange(body, row, screen),
    ...buildItemsChange(body, screen),
    ...buildCountersChange(body, row),
    ...buildProposalChange(body, row),
    ...buildFindingsChange(body, row, { screen, isNew: before === undefined }),
    turns: turns.length + seedRows.length,
    updated_at: now,
  };
  const rowChange: RowChange = before
    ? { op: 'patch', table: 'investigations', key: { id }, set: change }
    : { op: 'put', table: 'investigations', row: { ...row, ...change } };
  return [
    rowChange,
    ...seedRows.map((turn): RowChange => ({ op: 'put', table: 'investigation_turns', row: turn })),
  ];
}
