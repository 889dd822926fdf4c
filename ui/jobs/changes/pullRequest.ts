import { createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js';
import type { PrMapping } from '../../../src/contract/schema/forge/pr.ts';
import type { JobPullRequest } from '../../../src/contract/schema/forge/review.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { yieldToBrowser } from '../../shell/signals/yieldToBrowser.ts';
import { useStore } from '../../shell/useStore.ts';
import { useJob } from '../page/jobView.ts';
import type { Diff } from './diff/diffFile.ts';
import { sortInTreeOrder } from './diff/fileTree.ts';
import { readInSlices } from './diff/readInSlices.ts';

/** Between two looks at a pull request of the local forge, and of one behind a network, ms. */
const LOCAL_LOOKS_MS = 2_000;
const REMOTE_LOOKS_MS = 30_000;

export type OpenPullRequest = ReturnType<typeof createPullRequest>;

/** A pull request as opened here: comments follow the forge, changes stay until asked for. */
export function createPullRequest(pr: PrMapping) {
  const { client, connection, shell, offers } = useDashboard();
  const { job } = useJob();
  const reconnects = useStore(shell, (context) => context.healed);
  const [detail, setDetail] = createSignal<JobPullRequest | null>(null);
  const [diff, setDiff] = createSignal<Diff | null>(null);
  const [head, setHead] = createSignal<string | null>(null);
  const [problem, setProblem] = createSignal<unknown>(null);
  const stop = new AbortController();
  onCleanup(() => stop.abort());

  async function attempt(read: () => Promise<void>): Promise<void> {
    try {
      await read();
      if (!stop.signal.aborted) setProblem(null);
    } catch (error) {
      if (stop.signal.aborted) return;
      connection.report(error);
      setProblem(() => error);
    }
  }

  const readDetail = () =>
    attempt(async () => {
      const reply = await client.jobPullRequest(job().id, pr.prId);
      if (!stop.signal.aborted) setDetail(reply);
    });

  /** Changes name their commit: if the facts are of another commit, they are read once more. */
  const readChanges = () =>
    attempt(async () => {
      const reply = await client.jobPullRequest(job().id, pr.prId);
      const { head: at, text } = await client.jobPullRequestDiff(job().id, pr.prId);
      const next = await readInSlices(text, stop.signal);
      if (!next) return;
      const facts =
        reply.headCommit === at ? reply : await client.jobPullRequest(job().id, pr.prId);
      const order = sortInTreeOrder(next.files.map(({ path }) => path));
      setDetail(facts);
      setHead(at);
      // Each part of the page is drawn in a task of its own.
      await yieldToBrowser();
      if (stop.signal.aborted) return;
      setDiff({ ...next, files: order.flatMap((index) => next.files[index] ?? []) });
    });

  // A busy job changes many times a second, and every look costs a forge several requests.
  const between = pr.forge === 'local' ? LOCAL_LOOKS_MS : REMOTE_LOOKS_MS;
  let isDue = false;
  const look = () => {
    // What a person does in the work tree that is in the way changes nothing of the job.
    if (detail()?.mergeRefusal !== undefined) isDue = true;
    if (!isDue || document.visibilityState === 'hidden') return;
    isDue = false;
    void readDetail();
  };
  const timer = setInterval(look, between);
  onCleanup(() => clearInterval(timer));
  void readChanges();
  // Whatever happens to the job may be about the pull request.
  createEffect(
    on(
      [() => job().updatedAt, reconnects],
      () => {
        isDue = true;
      },
      { defer: true },
    ),
  );

  return {
    pr,
    detail,
    diff,
    problem,
    /** The commit whose changes are shown; null before they are. */
    head,
    /** True once the branch has other commits than those that are shown. */
    isOutdated: createMemo(() => {
      const now = detail();
      return now !== null && head() !== null && now.headCommit !== head();
    }),
    /** It is open, and the person may review it. */
    takesReviews: () => (detail()?.state ?? pr.state) === 'open' && offers('reviewPullRequest'),
    readDetail,
    readChanges,
  };
}
