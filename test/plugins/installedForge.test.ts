import { mayAlwaysAct } from '../../src/base/concurrency/mayAct.ts';
import { execFileSync } from 'node:child_process';
import { readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type {
  ForgeChange,
  ForgeOperation,
  ForgeOperations,
} from '../../src/contract/forge/forge.ts';
import type { ScmPullRequestDetail } from '../../src/contract/forge/scmForge.ts';
import { ensureCheckout } from '../../src/git/checkout.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { createInstalledForge, checkGitAddress } from '../../src/plugins/installedForge/forge.ts';
import type { ScmCall } from '../../src/plugins/process/protocol.ts';
import { AccountWriter, type WriteRow } from '../../src/providers/account/accountWriter.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';
import { InstalledForgeStage } from '../support/forges/installedForgeStage.ts';
import { codeOfRefusal, catchRefusal } from '../support/refusal.ts';

const test = suite('plugins: a forge that is installed');

const CALLER = { jobId: 'job-1', phase: 'coding' };
/** Mistakes around a write: the request was made, or not, and no answer comes back. */
const FAULTS = ['exit-before', 'exit-after', 'nonsense', 'hang'] as const;

test('a write whose process dies, hangs or answers nonsense is neither lost nor doubled', async () => {
  const stage = await InstalledForgeStage.open();
  try {
    const repo = 'acme/shop';
    const project = stage.server.state.addProject(repo, ['svc-robot', 'ann']);
    const faults = join(stage.dir, 'faults.json');
    writeFileSync(faults, '{}');
    const forge = await stage.forge('faulty', { faults, consistencyMs: 40 });
    const source = await forge.source(repo, { fresh: true });
    assert.ok(source);
    const { absDir: checkoutDir } = await ensureCheckout({
      repoPath: source.path,
      jobDir: stage.dir,
      slug: repo,
      baseBranch: 'main',
    });
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: checkoutDir, stdio: 'pipe' });
    const rows = new Map<string, WriteRow>();
    const keep = (all: ForgeChange['rows']) => {
      for (const { table, row } of all)
        if (table === 'forge_writes') rows.set(row.operation_id, { number: null, ...row });
    };
    const writer = new AccountWriter({
      row: (id) => rows.get(id),
      clock: systemClock,
      commit: async (all) => keep(all),
    });
    const write = async <K extends ForgeOperation>(
      operation: K,
      args: ForgeOperations[K],
      operationId: string,
      plannedFaults: Record<string, string[]> = {},
    ): Promise<Record<string, unknown>> => {
      writeFileSync(faults, JSON.stringify(plannedFaults));
      const actor = { author: 'svc:job-1', at: Date.now(), operationId };
      // The file changes when the plugin makes its mistake.
      const textAfterHang = JSON.stringify(plannedFaults).replace('"hang"', '');
      let hangs = textAfterHang !== JSON.stringify(plannedFaults);
      const watcher = watch(faults, () => {
        if (!hangs || readFileSync(faults, 'utf8') !== textAfterHang) return;
        hangs = false;
        stage.endTime();
      });
      try {
        return (await writer.write(forge, operation, args, actor, CALLER)).result;
      } catch (error) {
        return { refused: error instanceof SvcError ? error.code : String(error) };
      } finally {
        watcher.close();
      }
    };

    for (const [n, fault] of FAULTS.entries()) {
      const head = `change-${fault}`;
      git('switch', '--quiet', '-c', head, 'origin/main');
      writeFileSync(join(checkoutDir, `${fault}.txt`), 'new\n');
      git('add', '--all');
      git('commit', '--quiet', '-m', 'A change');
      const created = { repo, head, base: '', title: head, body: '', checkoutDir, workItem: null };
      const opened = await write('create_pr', created, `open-${fault}`, {
        createPullRequest: [fault],
      });
      assert.is(opened.number, n + 1, fault);
      assert.is(project.mrs.length, n + 1, fault);

      const args = { repo, number: n + 1, body: 'Hello.' };
      const comment = await write('post_pr_comment', args, `say-${fault}`, { comment: [fault] });
      const isDone = fault === 'exit-after' || fault === 'nonsense';
      // A forge takes the same comment twice: what is not visible is left to a person.
      assert.is(comment.refused, isDone ? undefined : 'undecided', fault);
      const again = await write('post_pr_comment', args, `say-${fault}`);
      assert.equal(again, comment, fault);
      const notes = project.mrs[n]?.discussions.flatMap(({ notes: all }) => all) ?? [];
      assert.is(notes.filter(({ system }) => !system).length, isDone ? 1 : 0, fault);

      const merged = await write('merge_pr', { repo, number: n + 1 }, `merge-${fault}`, {
        merge: [fault],
      });
      assert.equal(merged.state, 'merged', fault);
      assert.equal(merged.mergedBy, 'svc-robot', fault);
    }
  } finally {
    await stage.stop();
  }
});

const PR: ScmPullRequestDetail = {
  repo: 'acme/shop',
  number: 1,
  title: 'A change',
  body: '',
  author: { login: 'svc-robot' },
  head: 'change',
  base: 'main',
  headCommit: 'a'.repeat(40),
  state: 'open',
  url: 'https://forge.test/1',
  createdAt: '2026-01-01T00:00:00Z',
  endedAt: null,
  endedBy: null,
  mergeCommit: null,
  mergeable: true,
  mergeState: null,
  comments: [],
  reviews: [],
  checks: [],
};

/** A forge whose plugin answers this, in this process. */
function forgeAnswering(answers: Partial<Record<ScmCall['method'], unknown>>) {
  const clock = new SimulatedClock();
  const calls: string[] = [];
  const forge = createInstalledForge({
    mayAct: mayAlwaysAct,
    id: 'it',
    clock,
    perJob: 600,
    async ask({ method }) {
      calls.push(method);
      const answer = answers[method];
      if (answer instanceof Error) throw answer;
      return answer;
    },
    screen: (text) => text.replaceAll('canary', '[secret]'),
    onSecret: () => {},
    mirrorsDir: '/nonexistent',
    selfIsPerson: false,
    allowHosts: [],
    can: { createRepo: false, changes: false },
    healthcheck: null,
  });
  return { forge, clock, calls };
}
const read = (pr: unknown) =>
  forgeAnswering({ self: 'svc-robot', pullRequest: pr }).forge.pullRequest('acme/shop', 1);

test('what a plugin answers is held to the contract, and its secrets are taken out', async () => {
  assert.is((await read({ ...PR, body: 'canary' })).body, '[secret]');
  const wrong: readonly [unknown, RegExp][] = [
    [null, /pullRequest\(\) broke its contract/],
    [{ ...PR, number: 2 }, /it is about number 2/],
    [{ ...PR, head: '--upload-pack=x' }, /broke its contract: head/],
    [{ ...PR, url: 'javascript:alert(1)' }, /broke its contract: url/],
    [{ ...PR, headCommit: 'main' }, /broke its contract: headCommit/],
    [{ ...PR, repo: '../../etc' }, /broke its contract: repo/],
  ];
  for (const [answer, why] of wrong) {
    const refusal = await catchRefusal(() => read(answer));
    assert.is(refusal.code, 'invalid');
    assert.match(refusal.message, why);
  }
});

test('the last word of a reviewer counts, and only for the commit that it was given to', async () => {
  const at = '2026-01-01T00:00:00Z';
  const review = (login: string, verdict: string, commit: string | null) => {
    return { id: `${login}-${verdict}`, author: { login }, verdict, commit, at };
  };
  const reviews = [
    review('ann', 'approved', PR.headCommit),
    review('bob', 'approved', PR.headCommit),
    review('bob', 'withdrawn', null),
    review('cyd', 'approved', 'b'.repeat(40)),
    review('dan', 'approved', null),
    review('eve', 'changes_requested', null),
    review('fay', 'changes_requested', null),
    review('fay', 'withdrawn', null),
  ];
  const { approvals, headApprovals, changesRequested } = await read({ ...PR, reviews });
  assert.equal(approvals, ['ann', 'cyd', 'dan']);
  assert.equal(headApprovals, ['ann']);
  assert.equal(changesRequested, ['eve']);
});

test('checks that may not be read, and those that are not required, never count as green', async () => {
  const check = { id: '1', name: 'ci', state: 'passed', required: false, url: '', at: null };
  const states = async (checks: unknown) => {
    const { checksState, requiredChecks } = await read({ ...PR, checks });
    return [checksState.state, requiredChecks.state];
  };
  assert.equal(await states(null), ['unreadable', 'unreadable']);
  assert.equal(await states([check]), ['green', 'none']);
  assert.equal(await states([{ ...check, required: true }]), ['green', 'green']);
});

test('only the commit that was judged is merged, and only by a forge that says which is the newest', async () => {
  const merge = (pr: unknown, head: string) => {
    const { forge, calls } = forgeAnswering({ self: 'svc-robot', pullRequest: pr, merge: pr });
    const args = { repo: 'acme/shop', number: 1, head };
    const actor = { author: 'svc', at: 1, operationId: 'op-1' };
    return { calls, code: codeOfRefusal(() => forge.write('merge_pr', args, actor)) };
  };
  const moved = merge(PR, 'b'.repeat(40));
  assert.equal(await moved.code, 'conflict');
  assert.equal(moved.calls, ['pullRequest']);
  const silent = merge({ ...PR, headCommit: '' }, PR.headCommit);
  assert.equal(await silent.code, 'conflict');
  assert.equal(silent.calls, ['pullRequest']);
});

test('a limit that the plugin reports holds every call back until it is over', async () => {
  const { forge, clock, calls } = forgeAnswering({
    self: new SvcError('rate-limited', 'slow down', {
      data: { retryAt: Date.UTC(2026, 0, 1, 0, 1) },
    }),
  });
  const first = await catchRefusal(() => forge.self());
  assert.equal(first.code, 'rate-limited');
  assert.equal(first.data.resetsAt, '2026-01-01T00:01:00.000Z');
  assert.is(await codeOfRefusal(() => forge.self()), 'rate-limited');
  assert.equal(calls, ['self']);
  clock.advance(60_000);
  await catchRefusal(() => forge.self());
  assert.equal(calls, ['self', 'self']);
});

test('git is sent to no address of this machine or its network, and never with a login in it', async () => {
  const at = (address: string, allowed: string[] = [], ipAddress = '93.184.216.34') =>
    codeOfRefusal(() =>
      checkGitAddress('it', address, allowed, async () => [{ address: ipAddress }]),
    ).catch(() => 'fine');
  assert.equal(
    await Promise.all([
      at('https://git.example.com/a.git'),
      at('https://127.0.0.1/a.git'),
      at('http://[::1]:3000/a.git'),
      at('https://metadata.example.com/a.git', [], '169.254.169.254'),
      at('https://127.0.0.1/a.git', ['127.0.0.1']),
      at('https://user:pass@git.example.com/a.git'),
      at('ssh://git.example.com/a.git'),
      at('ext::sh -c id'),
    ]),
    ['fine', 'forbidden', 'forbidden', 'forbidden', 'fine', 'forbidden', 'forbidden', 'forbidden'],
  );
});

test.run();
