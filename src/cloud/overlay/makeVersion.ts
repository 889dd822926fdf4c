import { SvcError } from '../../base/errors/errors.ts';
import type { Layer } from '../../workflows/overlay/layer.ts';
import { formatFirstError } from '../../workflows/proposals/compareStates.ts';
import type { Sql, TransactionSql } from '../database/database.ts';
import type { StoreContext } from '../server/cloudContext.ts';
import { compareOverlay } from './layerStates.ts';
import { readFiles, storeFile } from './overlayFiles.ts';
import { explainOverlaySize } from './overlayLimits.ts';
import type { StoredProposal, StoredState } from './proposalRows.ts';
import { insertVersion, type Manifest, readNewestVersion, toManifest } from './versionRows.ts';

export interface VersionParts {
  context: StoreContext;
  readBase(): Promise<Layer>;
}

/** The version that a proposal becomes. */
export interface WantedVersion {
  teamId: string;
  author: { userId: string | null; name: string };
  /** States from which the proposal becomes applied, or conflicted. */
  states: readonly StoredState[];
  /** The proposal as it is now. Throws SvcError where it is not in one of the states. */
  readRow(): Promise<StoredProposal>;
  /** The texts to write by path; null = removed. Throws {@link ProposalConflict}. */
  join(row: StoredProposal, present: ReadonlyMap<string, Uint8Array>): Map<string, string | null>;
  /** In the transaction that makes the version, after it. */
  finish(sql: TransactionSql, version: number): Promise<void>;
}

/** Attempts where other proposals of the team are applied at the same time. */
const MOST_ATTEMPTS = 8;

/** Why a proposal cannot be applied, for the person who asked for it. */
export class ProposalConflict extends Error {}

/** Another version was made, or another decision, since these were read. */
class NewerVersion extends Error {}

/** Throws {@link ProposalConflict} where the result has an error, or a warning that no one has accepted. */
export function checkMerged(
  base: Layer,
  row: StoredProposal,
  present: ReadonlyMap<string, Uint8Array>,
  merged: ReadonlyMap<string, string | null>,
): void {
  const { checks, errors } = compareOverlay(base, present, merged);
  const unsound = formatFirstError(errors);
  if (unsound !== null)
    throw new ProposalConflict(`Because of later changes, it has an error: ${unsound}`);
  const fresh = checks.warnings.find(({ id, allow }) => allow && !row.allowed.includes(id));
  if (fresh)
    throw new ProposalConflict(
      `Because of later changes, it does something that the approval does not cover: ${fresh.path}: ${fresh.says}`,
    );
}

/** Whether an error says why a proposal cannot be applied as things are. */
export const isProposalConflict = (error: unknown): error is Error =>
  error instanceof ProposalConflict ||
  (error instanceof SvcError && error.code === 'workflow-invalid');

/** `states` as SQL compares with them. */
const toStateList = (states: readonly StoredState[]): string => JSON.stringify(states);

/** The proposal waits for a person, who is shown the reason, if it is in one of the states. */
export async function markConflicted(
  sql: Sql,
  { teamId, id, states }: { teamId: string; id: string; states: readonly StoredState[] },
  { problem, now }: { problem: string; now: Date },
): Promise<void> {
  await sql`
    update proposals set state = 'conflicted', problem = ${problem}, changed_at = ${now}
    where team_id = ${teamId} and id = ${id}
      and state in (select jsonb_array_elements_text(${toStateList(states)}::text::jsonb))`;
}

async function makeOnce(parts: VersionParts, request: WantedVersion, row: StoredProposal) {
  const { database, clock } = parts.context;
  const { teamId, author, states } = request;
  const { id } = row;
  const newest = await readNewestVersion(database.sql, teamId);
  const present = await readFiles(database.sql, teamId, newest.files);
  const merged = request.join(row, present);
  checkMerged(await parts.readBase(), row, present, merged);
  const version = newest.version + 1;
  const now = new Date(clock.now());
  await database.confirm(() =>
    database.transaction(async (sql) => {
      const { count } = await sql`
        update proposals set state = 'applied', problem = null, version = ${version}, changed_at = ${now}
        where team_id = ${teamId} and id = ${id}
          and state in (select jsonb_array_elements_text(${toStateList(states)}::text::jsonb))`;
      // Someone else has decided: the next look reports it.
      if (count === 0) throw new NewerVersion();
      const files: Record<string, Manifest[string]> = { ...toManifest(newest.files) };
      for (const [path, text] of merged) {
        if (text === null) delete files[path];
        else files[path] = await storeFile(sql, teamId, new TextEncoder().encode(text));
      }
      const size = explainOverlaySize(
        Object.entries(files).map(([path, one]) => ({ path, ...one })),
      );
      if (size !== null) throw new ProposalConflict(size);
      const newVersion = { teamId, version, files, author, proposalId: id, now };
      if (!(await insertVersion(sql, { ...newVersion, restores: null }))) throw new NewerVersion();
      await request.finish(sql, version);
    }),
  );
}

/**
 * Makes the next version of the overlay from a proposal, all of its files or none: a compare-and-set of the newest
 * version. Where its texts cannot be used it becomes `conflicted`, nothing else happens, and the reason is returned.
 * Throws what `readRow` and `finish` throw, and SvcError `not-possible-now`.
 */
export async function makeVersion(
  parts: VersionParts,
  request: WantedVersion,
): Promise<string | null> {
  const { database, clock } = parts.context;
  for (let attempt = 1; ; attempt += 1) {
    const row = await request.readRow();
    try {
      await makeOnce(parts, request, row);
      return null;
    } catch (error) {
      if (error instanceof NewerVersion && attempt < MOST_ATTEMPTS) continue;
      if (error instanceof NewerVersion)
        throw new SvcError(
          'not-possible-now',
          'Others change the overlay at the same time. Apply it again.',
        );
      if (!isProposalConflict(error)) throw error;
      const { teamId, states } = request;
      const conflict = { problem: error.message, now: new Date(clock.now()) };
      await markConflicted(database.sql, { teamId, id: row.id, states }, conflict);
      return error.message;
    }
  }
}
