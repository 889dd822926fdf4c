import { toIsoTime } from '../../base/time/toIsoTime.ts';
import { addAudit } from '../server/audit/appendAudit.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { ClaimBody, ClaimedHome } from '../../contract/schema/cloud/home.ts';
import type { TransactionSql } from '../database/database.ts';
import type { CallingRunner } from '../server/cloudCall.ts';
import type { StoreContext } from '../server/cloudContext.ts';
import { createNoHomeError } from './homeErrors.ts';
import { findAhead } from './enterHome.ts';
import { findHome, type HomeRow } from './homeRows.ts';
import { writeAhead } from './noteAhead.ts';
import { findTakeoverTime, readPresence } from './takeoverTime.ts';

const createMovedError = ({ generation, head, hash }: HomeRow): SvcError =>
  new SvcError(
    'home-claimed',
    'The home was claimed or written in between. Read GET /runner/home again.',
    { data: { generation, head, hash, holder: null } },
  );

/** Throws SvcError `conflict` for a home that this program, or this runner, must not continue. */
function checkClaim(home: HomeRow, { adoption }: CallingRunner, storeVersion: number): void {
  if (storeVersion < home.storeVersion)
    throw new SvcError(
      'conflict',
      `A newer version of svc has written this home: its schema is version ${home.storeVersion}, and this program knows ${storeVersion}. Install the newer version on this machine.`,
      { data: { reason: 'too-old', storeVersion: home.storeVersion } },
    );
  const isWanted = home.ahead?.isRestored === true && home.askedGeneration === home.generation;
  const isAhead = home.ahead !== null && !isWanted;
  if (adoption !== null && !adoption.isRunning && (home.state === 'seeding' || isAhead))
    throw new SvcError(
      'conflict',
      'The control plane does not have the newest state of this home; its own runner does.',
      { data: { reason: isAhead ? 'ahead' : 'seeding' } },
    );
}

const createAheadError = ({ generation, head }: HomeRow): SvcError =>
  new SvcError(
    'conflict',
    'This machine has entries that the control plane does not have: was its database restored? svc cloud reseed begins the log again from this machine.',
    { data: { reason: 'ahead', generation, head } },
  );

/** Refuses while another process may still act for the home. Throws SvcError `lease-running`. */
async function checkLease(
  sql: TransactionSql,
  home: HomeRow,
  { adoption }: CallingRunner,
  { file }: ClaimBody,
): Promise<void> {
  const isOwn = adoption === null || adoption.isRunning;
  // The folder of the newest claim: no other process has it, since the store is locked.
  if (isOwn && file?.generation === home.generation) return;
  const presence = await readPresence(sql, home.runnerId);
  if (home.state === 'released' && !presence.isConnected) return;
  const time = findTakeoverTime(presence, home.takeoverMs);
  if (time !== null && time <= presence.now) return;
  throw new SvcError(
    'lease-running',
    time === null
      ? 'The runner that has the home is connected.'
      : `The runner that had the home may still act until ${time.toISOString()}.`,
    { data: { until: time?.toISOString() ?? null } },
  );
}

/** Claims a home for a process: a compare-and-set of generation and newest entry. */
export async function claimHome(
  { database, clock }: StoreContext,
  runner: CallingRunner,
  body: ClaimBody,
): Promise<ClaimedHome> {
  const { generation, head, hash, instance } = body;
  const { runnerId, adoption, tokenHash } = runner;
  const claim = async (sql: TransactionSql): Promise<ClaimedHome | SvcError> => {
    // A hello locks the same row: one of them is first.
    await sql`select from runners where id = ${runnerId} for update`;
    const home = await findHome(sql, runnerId);
    if (home === null) throw createNoHomeError();
    const { takeoverMs } = home;
    const isRepeat =
      home.claimedBy === instance && home.generation === generation + 1 && home.head === head;
    if (isRepeat) return { generation: home.generation, takeoverMs };
    const ahead = body.file === null ? null : await findAhead(sql, home, body.file);
    if (ahead !== null) {
      await writeAhead(sql, runnerId, ahead);
      // Returned, not thrown: a throw would undo the rows written above.
      return createAheadError(home);
    }
    checkClaim(home, runner, body.storeVersion);
    if (home.generation !== generation || home.head !== head || home.hash !== hash)
      throw createMovedError(home);
    await checkLease(sql, home, runner, body);
    // Of one that is lost as well.
    await sql`
      delete from adoptions
      where runner_id = ${runnerId} and state = 'running' and token_hash <> ${tokenHash}`;
    if (adoption !== null && !adoption.isRunning) {
      const { count } = await sql`
        update adoptions set state = 'running', changed_at = clock_timestamp()
        where token_hash = ${tokenHash} and state in ('offered', 'accepted')`;
      if (count === 0) throw createMovedError(home);
    }
    const { count } = await sql`
      update homes set generation = generation + 1, claimed_by = ${instance},
        claimed_at = clock_timestamp(), asked_generation = null, ahead = null,
        state = case when state = 'seeding' then 'seeding' when ${adoption !== null} then 'adopted' else 'open' end
      where runner_id = ${runnerId} and generation = ${generation} and head = ${head} and hash = ${hash}`;
    if (count === 0) throw createMovedError(home);
    if (adoption !== null && !adoption.isRunning)
      await addAudit(sql, runner.teamId, {
        at: toIsoTime(clock.now()),
        userId: null,
        person: null,
        address: null,
        action: 'takeover',
        target: { runnerId, adopterId: adoption.adopterId, generation: String(generation + 1) },
        failed: null,
        refersTo: null,
      });
    return { generation: generation + 1, takeoverMs };
  };
  const claimResult = await database.confirm(() => database.transaction(claim));
  if (claimResult instanceof SvcError) throw claimResult;
  return claimResult;
}
