import { sha256 } from '../../base/system/ids/ids.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { isAncestor } from '../../git/history.ts';
import { findBranch } from '../../git/openRepository.ts';
import type { ForgeActor, ForgeChange, PrAddress } from '../../contract/forge/forge.ts';
import { toLocalEvent, toLocalMapping, formatLocalPrId } from './describe.ts';
import { NO_PLACE, type PrRow, readPrRow } from './rows.ts';
import { checkLocalBody, type LocalForgeWrites } from './writes.ts';

/**
 * Closes a pull request without a merge, or reopens it. A reason also becomes a comment. Throws
 * SvcError `conflict` where it is in this state already, was merged, or cannot be reopened.
 */
export async function setPrOpen(
  service: LocalForgeWrites,
  { repo, number, open, reason }: PrAddress & { open: boolean; reason: string },
  actor: ForgeActor,
): Promise<ForgeChange> {
  const pr = readPrRow(service.rows, repo, number);
  const prId = formatLocalPrId(repo, number);
  const state = open ? 'open' : 'closed';
  if (pr.state === 'merged' || pr.state === state)
    throw new SvcError(
      'conflict',
      `${prId} is ${pr.state} already${pr.state === 'merged' ? ', and stays so' : ''}.`,
      { data: { state: pr.state } },
    );
  if (open) await checkReopenable(service, pr);
  const row: PrRow = { ...pr, state };
  const mark = sha256(actor.operationId).slice(0, 12);
  const { author, at, operationId } = actor;
  const text = checkLocalBody(reason, true).trim();
  const mapping = toLocalMapping(row, service.webUrl);
  return {
    pr: mapping,
    result: { prId, number, url: mapping.url, state },
    rows: [
      { op: 'put', table: 'forge_prs', row },
      ...(text === ''
        ? []
        : [
            {
              op: 'put' as const,
              table: 'forge_comments' as const,
              row: {
                repo,
                number,
                id: `c${mark}`,
                operation_id: operationId,
                author,
                body: text,
                in_reply_to: null,
                at,
                ...NO_PLACE,
              },
            },
          ]),
    ],
    events: [
      toLocalEvent(row, service.webUrl, {
        kind: open ? 'reopened' : 'closed',
        id: mark,
        author,
        text,
        at,
      }),
    ],
  };
}

/**
 * Throws SvcError `conflict` where nothing is left to merge, or these branches have another open
 * pull request.
 */
async function checkReopenable({ repo, rows }: LocalForgeWrites, pr: PrRow): Promise<void> {
  const refuse = (why: string): SvcError =>
    new SvcError(
      'conflict',
      `${formatLocalPrId(pr.repo, pr.number)} cannot be opened again: ${why}.`,
    );
  const base = await findBranch(repo.repository, pr.base);
  if (base === undefined) throw refuse(`branch ${pr.base} no longer exists`);
  const head = await findBranch(repo.repository, pr.head);
  if (head === undefined) throw refuse(`branch ${pr.head} no longer exists`);
  if (await isAncestor(repo.repository, head, base))
    throw refuse(`${pr.base} has every commit of ${pr.head} already`);
  const other = rows.one('forge_prs', {
    repo: pr.repo,
    head: pr.head,
    base: pr.base,
    state: 'open',
  });
  if (other)
    throw refuse(`${formatLocalPrId(other.repo, other.number)} is open for the same branches`);
}
