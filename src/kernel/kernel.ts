import { canTakeEvent, simulateEvent, explainActorState } from './explainActorState.ts';
import type { DurableChart } from './chart.ts';
import { KernelError, type CommitNotice, type CreateKernel, type Kernel } from './contract.ts';
import { GroupCommit } from './groupCommit.ts';
import { HotActors } from './hotActors.ts';
import { Inspection } from './inspect.ts';
import { Mail } from './mail.ts';
import { Outbox } from './outbox.ts';
import { recoverEffects, describeRestartsUsedUp } from './recoverEffects.ts';
import { Timers } from './timers.ts';
import type { CommittedWork, Report, Submit } from './work.ts';
import type { AnyStateNode } from 'xstate';

/**
 * Rejects a chart that could not be restored after a crash, or with undescribed guards. Throws
 * Error with the state's path.
 */
export function checkChart({ id, machine }: DurableChart): void {
  const refuse = (node: AnyStateNode, why: string) => {
    throw new Error(`Chart ${id}, state ${node.path.join('.') || '(root)'}: ${why}`);
  };
  if (machine.options.maxIterations === undefined || machine.options.maxIterations === Infinity) {
    refuse(
      machine.root,
      'options.maxIterations is not set; a cycle of eventless transitions would never end',
    );
  }
  const look = (node: AnyStateNode): void => {
    if (node.invoke.length > 0)
      refuse(node, 'invoke is not durable; make it an effect with a port');
    if (node.after.length > 0) refuse(node, 'after is not durable; use the effect timer.set');
    for (const { guard } of [...[...node.transitions.values()].flat(), ...(node.always ?? [])]) {
      if (typeof guard === 'function')
        refuse(
          node,
          'a guard has no name; name it in setup() (and(), or(), not() and stateIn() have none)',
        );
    }
    for (const child of Object.values(node.states)) look(child);
  };
  look(machine.root);
}

/** Enough for a burst that wakes a thousand actors to step them without reading them again. */
const HOT_ACTORS = 1_200;
const RETRY_MS = [100, 1_000, 5_000];
const RESTART_LIMIT = 5;
/** Of a stop's grace, kept for the commit that marks effects as cleanly stopped, ms. */
const LAST_COMMIT_MS = 500;

/** Makes a kernel. Throws if a chart is not durable or two share an id. Runs from `start` on. */
export const createKernel: CreateKernel = (options) => {
  const { store, clock, ports } = options;
  const charts = new Map<string, DurableChart>();
  for (const chart of options.charts) {
    if (charts.has(chart.id)) throw new Error(`There are two charts with the id ${chart.id}`);
    checkChart(chart);
    charts.set(chart.id, chart);
  }
  const report: Report = (where, error) => options.onError?.(where, error);
  const hot = new HotActors(store, charts, options.hotActors ?? HOT_ACTORS, options.onUnreadable);
  const listeners = new Set<(notice: CommitNotice) => void>();
  const inspection = new Inspection(charts, report);
  let phase: 'new' | 'running' | 'stopping' | 'stopped' = 'new';

  const announce = ({ batch, notice, effects }: CommittedWork) => {
    if (notice.steps.length + notice.frames.length > 0) {
      for (const listener of listeners) {
        try {
          listener(notice);
        } catch (error) {
          report('commit listener', error);
        }
      }
      inspection.show(notice);
    }
    outbox.forget(batch.outboxDone);
    for (const row of effects) outbox.begin(row, false);
    mail.deliver(batch.mailPut);
    timers.set(batch.timersSet);
  };
  const group = new GroupCommit(
    { charts, ports, hot, store, screen: options.screen, followUp: options.followUp },
    clock,
    options.defer ?? setImmediate,
    announce,
  );

  // While the kernel stops, only requests from outside are refused.
  const submit: Submit = (work) =>
    phase === 'stopped'
      ? Promise.reject(new KernelError('stopping', 'The kernel has stopped'))
      : group.submit(work);
  const outbox = new Outbox({
    ports,
    hot,
    clock,
    retryMs: options.retryMs ?? RETRY_MS,
    getRetryDelays: (type, code) =>
      options.getRetryDelays?.(type, code) ?? options.retryMs ?? RETRY_MS,
    submit,
    report,
  });
  const mail = new Mail(submit, clock, report);
  const timers = new Timers(store, clock, submit, report, options.durations);

  /** Ends with `work`, but no later than `at`. Errors of `work` are reported. */
  const waitUntil = async (at: number, work: () => Promise<void>): Promise<void> => {
    let cancel = () => {};
    const over = new Promise<void>((resolve) => {
      cancel = clock.at(at, resolve);
    });
    const working = work().catch((error: unknown) => {
      if (phase !== 'stopped') report('stop', error);
    });
    await Promise.race([working, over]);
    cancel();
  };

  const stop = async (graceMs: number) => {
    phase = 'stopping';
    timers.stop();
    mail.stop();
    outbox.abort();
    const end = clock.now() + graceMs;
    await waitUntil(end - LAST_COMMIT_MS, async () => {
      await group.awaitFlushed();
      await outbox.awaitEnd();
    });
    // A commit may be acknowledged late or never. If the mark is not written, the next start counts
    // one more attempt, which does no harm.
    await waitUntil(Math.max(end, clock.now() + LAST_COMMIT_MS), async () => {
      await group.awaitFlushed();
      const pending = outbox.rows();
      if (pending.length === 0) return;
      await submit({ outbox: pending.map((row) => ({ ...row, cleanStop: true })) });
    });
    phase = 'stopped';
    group.stop();
  };
  let stopping: Promise<void> | undefined;

  const kernel: Kernel = {
    async start() {
      if (phase !== 'new') throw new KernelError('stopping', 'A kernel is started once');
      group.generation = store.claim();
      phase = 'running';
      // Read before any commit: this process's own messages are delivered as they are written.
      const pending = store.listPendingMail();
      const limit = options.restartLimit ?? RESTART_LIMIT;
      const restart = { limit, now: clock.now(), isTakeover: options.isTakeover?.() ?? false };
      const { run, givenUp } = await recoverEffects(store, hot, restart, submit, report);
      for (const row of givenUp) outbox.giveUp(row, row.broken ?? describeRestartsUsedUp(limit));
      for (const row of run) outbox.begin(row, true);
      mail.deliver(pending);
      await timers.fire();
      await group.awaitFlushed();
      return { effects: run.length, mail: pending.length, givenUp: givenUp.length };
    },

    stop(graceMs) {
      stopping ??= phase === 'running' ? stop(graceMs) : Promise.resolve();
      return stopping;
    },

    async submit(submission) {
      if (phase === 'new') throw new KernelError('stopping', 'The kernel has not been started');
      const { starts = [], sends = [] } = submission;
      // What an ending port only records, without starting anything.
      const isRecord = starts.length + sends.length === 0;
      if (phase !== 'running' && !isRecord)
        throw new KernelError('stopping', 'The kernel is stopping');
      return submit(submission);
    },

    async send(to, event, origin) {
      const { sends } = await kernel.submit({ sends: [{ to, event, ...origin }] });
      const [result] = sends;
      if (!result)
        throw new KernelError('commit-failed', `The event ${event.type} for ${to} got no answer`);
      return result;
    },

    state: (id) => hot.get(id)?.state,
    can(id, event) {
      const actor = hot.get(id);
      return actor !== undefined && canTakeEvent(actor, ports, event, clock.now());
    },
    why: (id) => explainActorState(hot.known(id), outbox.rows(), store.listTimers(id)),
    whatIf: (id, event) => simulateEvent(hot.known(id), ports, event, clock.now()),
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    inspect: (observer) => inspection.observe(observer),
    awaitFlushed: () => group.awaitFlushed(),
    countWaiting: () => group.waiting,
  };
  return kernel;
};
