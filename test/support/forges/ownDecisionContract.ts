import { PrSight } from '../../../src/forges/inbound/polling/prSight.ts';
import type { Context, Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RemoteForge } from '../../../src/contract/forge/remoteForge.ts';
import type { Decision } from '../../../src/contract/forge/review.ts';
import type { Submission } from '../../../src/kernel/contract.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { pollForge } from '../../../src/forges/inbound/polling/pollForge.ts';
import { AccountWriter } from '../../../src/providers/account/accountWriter.ts';
import { parseWakeRules } from '../../../src/providers/rest/wakeRules.ts';
import { SimulatedClock } from '../charts/simulatedClock.ts';

/** A pull request 1 of another author, at a forge whose account a person uses as well. */
export interface SharedAccountStage {
  forge: RemoteForge;
  repo: string;
  /** The person decides at the forge, under the account that svc uses. */
  decideByHand(): Promise<void>;
  end(): Promise<void>;
}

const HOUR = 3_600_000;

/**
 * What every forge behind a network does about a decision of svc under an account that a person uses
 * too: the job was notified when the review was taken, and is not woken once more.
 */
export function ownDecisionContract(
  test: Test<Context>,
  decision: Decision,
  open: (clock: SimulatedClock) => Promise<SharedAccountStage>,
): void {
  const kind = decision === 'approve' ? 'approved' : 'changes_requested';

  test(`${decision} of a review in svc does not wake its job again; one by hand under the same account does`, async () => {
    const clock = new SimulatedClock();
    const stage = await open(clock);
    const store = openStore({ file: ':memory:', pid: 1, now: clock.now() });
    const generation = store.durable.claim();
    const commit = (rows: NonNullable<Submission['rows']>) =>
      store.durable.commit({
        generation,
        actors: [],
        journal: [],
        outboxPut: [],
        outboxDone: [],
        timersSet: [],
        timersDrop: [],
        inbox: [],
        mailPut: [],
        mailDone: [],
        frames: [],
        rows,
      });
    const { forge, repo } = stage;
    const pr = await forge.pullRequest(repo, 1);
    const at = { forge: forge.id, repo: pr.repo, number: 1, job_id: 'job', pr_id: pr.prId };
    const { title, head, base, url } = pr;
    const mapping = { ...at, title, head, base, url, state: 'open' as const };
    const review = { ...at, id: 'r1', head: pr.headCommit, author: 'developer', problem: null };
    await commit([
      { op: 'put', table: 'pr_mappings', row: { ...mapping, work_item: null, merged_at: null } },
      {
        op: 'put',
        table: 'reviews',
        row: {
          ...review,
          came: 'token',
          at: clock.now(),
          verdict: decision,
          content: '{}',
          state: 'queued',
          outcome: '{}',
        },
      },
    ]);
    const writer = new AccountWriter({
      row: (id) => store.rows.one('forge_writes', { operation_id: id }),
      commit: async (rows) => void (await commit(rows)),
      clock,
    });
    const parts = forge.reviewParts({
      repo,
      number: 1,
      head: pr.headCommit,
      verdict: decision,
      body: '',
      comments: [],
    });
    for (const { id, operation, args } of parts) {
      const actor = { author: 'developer', at: clock.now(), operationId: `review:r1/${id}` };
      const caller = { jobId: 'job', phase: 'review' };
      const change = await writer.write(forge, operation, args, actor, caller);
      await commit(change.rows);
    }

    const eventIds = new Set<string>();
    const kernel = {
      async submit({ sends = [], rows = [] }: Submission) {
        for (const { externalId } of sends)
          if (String(externalId).includes(`:${kind}:`)) eventIds.add(String(externalId));
        await commit(rows);
        return { started: [], sends: [] };
      },
    };
    const poll = async () => {
      clock.advance(HOUR);
      forge.touch([{ repo: pr.repo, number: 1 }]);
      await pollForge(
        {
          kernel,
          rows: store.rows,
          sight: new PrSight({ rows: store.rows, prs: store.prs }),
          listWatched: (id) => store.rows.all('pr_mappings', { forge: id }),
          log: silentLog,
          awaits: () => false,
          place: () => ({ phase: 'coding', visit: 1 }),
          now: () => clock.now(),
        },
        forge,
        parseWakeRules('*', ''),
      );
      return eventIds.size;
    };
    try {
      assert.is(await poll(), 0);
      await stage.decideByHand();
      assert.is(await poll(), 1);
    } finally {
      store.close();
      await stage.end();
    }
  });
}
