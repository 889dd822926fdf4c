import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Forge, PrDetail } from '../../src/contract/forge/forge.ts';
import type { RowReader } from '../../src/contract/records/rowReader.ts';
import type { Requests } from '../../src/jobs/commands/requests.ts';
import { createReviewService } from '../../src/forges/reviews/reviewService.ts';
import type { Forges } from '../../src/providers/forges.ts';
import type { KernelUse } from '../../src/contract/records/changes.ts';
import type { Tables } from '../../src/contract/records/tables.ts';

const test = suite('an approval in svc after changes were requested');

const HEAD = 'a'.repeat(40);
const KEY = { forge: 'github', repo: 'acme/shop', number: 1, person: 'developer', head: HEAD };
const PR = { prId: 'github:acme/shop#1', state: 'open', headCommit: HEAD, url: '' };

/** Approves at `now`, where it was approved at 10; what is stored and sent. */
async function approvedAgain(requestedAt: number | null, now: number) {
  const known: Tables['svc_approvals'] = { ...KEY, at: 10, came: 'token' };
  const requested = { pr_id: PR.prId, author: 'developer', verdict: 'request_changes' };
  const submitted: Parameters<KernelUse['submit']>[0][] = [];
  const tables: Record<string, object[]> = {
    pr_mappings: [{ job_id: 'j1', pr_id: PR.prId, forge: 'github', repo: 'acme/shop', number: 1 }],
    reviews: requestedAt === null ? [] : [{ ...requested, at: requestedAt }],
  };
  const forge = { id: 'github', pullRequest: async () => PR as Partial<PrDetail> as PrDetail };
  const service = createReviewService({
    kernel: {
      submit: async (work: (typeof submitted)[number]) => submitted.push(work),
    } as object as KernelUse,
    rows: {
      all: (table: string) => tables[table] ?? [],
      one: () => known,
    } as Partial<Record<keyof RowReader, unknown>> as RowReader,
    forges: { get: () => forge as Partial<Forge> as Forge } as Partial<Forges> as Forges,
    requests: {
      runOnce: (_request: unknown, _view: unknown, work: (scope: object) => unknown) =>
        work({ claim: () => [] }),
    } as object as Requests,
    ids: { next: () => 'id', secret: () => 'secret' },
    now: () => now,
    readState: () => ({}),
  });
  const approval = await service.approveInSvc('j1', PR.prId, { head: HEAD }, { by: 'token' });
  const [{ rows = [], sends = [] } = {}] = submitted;
  return {
    at: Date.parse(approval.at),
    rows: rows.length,
    ids: sends.map((one) => one.externalId),
  };
}

test('of the same commit it counts as a later decision, and the job hears of it', async () => {
  assert.equal(await approvedAgain(20, 30), {
    at: 30,
    rows: 1,
    ids: [`${PR.prId}:approved:svc:developer:${HEAD}:30`],
  });
});

test('without such a request in between, a second approval of the same commit changes nothing', async () => {
  const once = { at: 10, rows: 0, ids: [`${PR.prId}:approved:svc:developer:${HEAD}`] };
  assert.equal(await approvedAgain(null, 30), once);
  assert.equal(await approvedAgain(5, 30), once);
});

test.run();
