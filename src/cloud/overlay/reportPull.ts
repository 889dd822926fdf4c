import { SvcError } from '../../base/errors/errors.ts';
import { toIsoTime } from '../../base/time/toIsoTime.ts';
import type { OverlayPullReport } from '../../contract/schema/cloud/overlayPull.ts';
import type { TransactionSql } from '../database/database.ts';
import { addAudit } from '../server/audit/appendAudit.ts';
import type { CallingRunner } from '../server/cloudCall.ts';
import { toStorable } from '../server/formatStoredJson.ts';
import { makeVersion, type VersionParts } from './makeVersion.ts';
import { isFreeFor, readPullRow } from './overlayPulls.ts';
import { formatRepository } from './overlayRepository.ts';
import { parseContent, readProposal, type StoredProposal } from './proposalRows.ts';
import { noteOverlayChange } from './versionRows.ts';

type Report<State extends OverlayPullReport['state']> = Extract<
  OverlayPullReport,
  { state: State }
>;

interface PullReport {
  parts: VersionParts;
  runner: CallingRunner;
  row: StoredProposal;
  attempt: number;
}

/** Every change that a report makes is in the team's audit log, with the runner that is believed. */
async function auditPull(
  sql: TransactionSql,
  { parts: { context }, runner: { teamId, runnerId }, row }: PullReport,
  action: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const repository = row.pull === null ? {} : { repository: formatRepository(row.pull) };
  await addAudit(sql, teamId, {
    at: toIsoTime(context.clock.now()),
    userId: null,
    person: null,
    address: null,
    action,
    target: { proposalId: row.id, runnerId, ...repository, ...more },
    failed: null,
    refersTo: null,
  });
}

/** Rows where the pull request of this report is wanted, and this runner has it. */
const isTheirs = (sql: TransactionSql, { runner, row, attempt }: PullReport) => sql`
  team_id = ${runner.teamId} and id = ${row.id} and state = 'applying' and pull_attempts = ${attempt}
    and pull_runner_id = ${runner.runnerId}`;

async function take(reported: PullReport): Promise<boolean> {
  const { parts, runner, row, attempt } = reported;
  const { database } = parts.context;
  return database.confirm(() =>
    database.transaction(async (sql) => {
      const { count } = await sql`
        update proposals set pull_runner_id = ${runner.runnerId},
          problem = case when pull_number is null then problem end
        where team_id = ${runner.teamId} and id = ${row.id} and state = 'applying' and pull_attempts = ${attempt}
          and ${isFreeFor(sql, runner.runnerId)}`;
      return count > 0;
    }),
  );
}

async function noteOpen(reported: PullReport, { number, url }: Report<'open'>): Promise<boolean> {
  const { parts, row } = reported;
  const { database, clock } = parts.context;
  return database.confirm(() =>
    database.transaction(async (sql) => {
      const [known] = await sql<{ pull_number: number | null }[]>`
        select pull_number from proposals where ${isTheirs(sql, reported)} for no key update`;
      if (known === undefined) return false;
      if (known.pull_number !== null) return true;
      await sql`
        update proposals set pull_number = ${number}, link = ${toStorable(url)}, problem = null,
          changed_at = ${new Date(clock.now())}
        where team_id = ${reported.runner.teamId} and id = ${row.id}`;
      await auditPull(sql, reported, 'openOverlayPull', { number: String(number) });
      return true;
    }),
  );
}

/** The runner gives it back, so that another one opens it, or follows the one that is open. */
async function giveBack(reported: PullReport, reason: string): Promise<boolean> {
  const { parts, runner } = reported;
  const { database, clock } = parts.context;
  return database.confirm(() =>
    database.transaction(async (sql) => {
      const { count } = await sql`
        update proposals set pull_runner_id = null, problem = ${toStorable(reason)},
          pull_refused_by = pull_refused_by || to_jsonb(${runner.runnerId}::text),
          changed_at = ${new Date(clock.now())}
        where ${isTheirs(sql, reported)}`;
      if (count > 0) await noteOverlayChange(sql, runner.teamId);
      return count > 0;
    }),
  );
}

const formatEnd = (state: 'closed' | 'conflicted', reason: string, link: string | null): string =>
  state === 'closed'
    ? `The pull request ${link ?? ''} was closed without a merge: ${reason}. Apply it again for a new one, or reject it.`
    : reason;

/** A person decides again. */
async function endPull(
  reported: PullReport,
  { state, reason }: { state: 'closed' | 'conflicted'; reason: string },
): Promise<boolean> {
  const { parts, row } = reported;
  const { database, clock } = parts.context;
  const problem = toStorable(formatEnd(state, reason, row.link));
  return database.confirm(() =>
    database.transaction(async (sql) => {
      const { count } = await sql`
        update proposals set state = 'conflicted', problem = ${problem}, changed_at = ${new Date(clock.now())}
        where ${isTheirs(sql, reported)}`;
      if (count > 0)
        await auditPull(sql, reported, state === 'closed' ? 'closeOverlayPull' : 'failOverlayPull');
      return count > 0;
    }),
  );
}

/** Throws SvcError `bad-argument` for other files than those of the proposal. */
function checkMergedFiles(row: StoredProposal, files: Report<'merged'>['files']): void {
  const sort = (list: readonly { path: string }[]) =>
    JSON.stringify(list.map(({ path }) => path).sort());
  if (sort(files) !== sort(parseContent(row)))
    throw new SvcError('bad-argument', 'The files are not those of the proposal.');
}

/** The merge makes the next version from the texts that the branch has. */
async function applyMerge(reported: PullReport, { files }: Report<'merged'>): Promise<boolean> {
  const { parts, runner, row, attempt } = reported;
  const { database } = parts.context;
  const { pull } = row;
  if (pull === null) return false;
  checkMergedFiles(row, files);
  const [author] = await database.sql`select id from users where id = ${pull.userId}`;
  const isStillTheirs = (one: StoredProposal) =>
    one.state === 'applying' &&
    one.pull_attempts === attempt &&
    one.pull_runner_id === runner.runnerId;
  const problem = await makeVersion(parts, {
    teamId: runner.teamId,
    author: { userId: author === undefined ? null : pull.userId, name: pull.person },
    states: ['applying'],
    async readRow() {
      const now = await readProposal(database.sql, runner.teamId, row.id);
      if (isStillTheirs(now)) return now;
      throw new SvcError('not-possible-now', 'The pull request is not wanted any more.');
    },
    join: () => new Map(files.map(({ path, text }) => [path, text])),
    finish: (sql, version) =>
      auditPull(sql, reported, 'mergeOverlayPull', { version: String(version) }),
  });
  if (problem !== null)
    await database.transaction((sql) => auditPull(sql, reported, 'failOverlayPull'));
  return true;
}

/**
 * Takes what a runner reports of a pull request for the overlay of its team. Whether it was taken: false = the pull
 * request is not wanted any more, or another runner has it. A repeat changes nothing. Throws SvcError `not-found`,
 * `bad-argument` and `not-possible-now`.
 */
export async function reportPull(
  parts: VersionParts,
  runner: CallingRunner,
  id: string,
  report: OverlayPullReport,
): Promise<boolean> {
  const row = await readPullRow(parts.context.database.sql, runner, id);
  if (row.hash !== report.hash)
    throw new SvcError('bad-argument', `Proposal ${id} has another content.`);
  const { attempt } = report;
  if (row.state !== 'applying' || row.pull_attempts !== attempt) return false;
  const reported = { parts, runner, row, attempt };
  if (report.state === 'taken') return take(reported);
  if (row.pull_runner_id !== runner.runnerId) return false;
  switch (report.state) {
    case 'open':
      return noteOpen(reported, report);
    case 'unable':
      return giveBack(reported, report.reason);
    case 'closed':
    case 'conflicted':
      return endPull(reported, { state: report.state, reason: report.reason });
    case 'merged':
      return applyMerge(reported, report);
  }
}
