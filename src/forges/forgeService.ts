import type { ActorState } from '../kernel/chart.ts';
import type { JobContext } from '../../machines/index.ts';
import type { WriteForgeDeps } from './outbound/writeForge.ts';
import type { Budgets } from '../policy/budgets/budgets.ts';
import type { Guardrails } from '../policy/guardrails/guardrails.ts';
import type { Clock } from '../base/time/clock.ts';
import { waitForAnswer } from '../base/time/waitForAnswer.ts';
import { toErrorMessage } from '../base/errors/errors.ts';
import type { Log } from '../base/system/log/log.ts';
import type { ForgeView } from '../contract/schema/forge/forge.ts';
import type { ProviderEvent } from '../contract/schema/forge/pr.ts';
import { isRemote } from '../contract/forge/remoteForge.ts';
import { AccountWriter } from '../providers/account/accountWriter.ts';
import type { Forges } from '../providers/forges.ts';
import { mayWakeLocally, parseWakeRules } from '../providers/rest/wakeRules.ts';
import type { OpenStore } from '../jobs/store/openStore.ts';
import type { Trackers } from '../providers/trackers.ts';
import type { Runner } from '../contract/runner/runner.ts';
import type { NewsScreen } from '../policy/decisions/newsScreen.ts';
import { listHookedPlugins } from './listHookedPlugins.ts';
import type { RemoteForgeSettings } from './remoteForgeSettings.ts';
import { withNewsScreen } from './inbound/withNewsScreen.ts';
import { toForgeAuthor, findPrOwner, toOwnerSends } from './localForgeService.ts';
import { LOCAL_FORGE } from '../providers/local/describe.ts';
import { createBranchLook } from './inbound/polling/createBranchLook.ts';
import { createPollTurns, Pollers, type WatchSettings } from './inbound/polling/pollers.ts';
import { PrSight } from './inbound/polling/prSight.ts';
import { translateKernelErrors } from '../jobs/commands/refusals.ts';
import type { CreateJob } from '../jobs/create/createJob.ts';
import type { KernelUse } from '../contract/records/changes.ts';
import { writeTracker } from '../jobs/tickets/writeTracker.ts';
import { Triggers } from './inbound/triggers.ts';
import type { SendReviewDeps } from './reviews/sendReview.ts';
import { createWebhooks } from './inbound/webhooks.ts';
import { WebhookPace } from './inbound/polling/webhookPace.ts';
import type {
  AskClaim,
  ForwardedOutcome,
  ForwardedWebhook,
} from '../contract/forge/forwardedWebhook.ts';
import { createWriteGuard } from './outbound/writeGuard.ts';
import { guardAgentMerge } from './outbound/guardAgentMerge.ts';
import { type KnownToScreen, createWriteScreen } from './outbound/createWriteScreen.ts';
import { createWriteAccess, type WriteAccess } from './outbound/writeAccess.ts';

/** How long a list of forges waits for the account of one, ms. */
const SELF_WAIT_MS = 5_000;

interface ForgeServiceDeps {
  forges: Forges;
  store: OpenStore;
  kernel: Pick<KernelUse, 'submit'>;
  clock: Clock;
  log: Log;
  remote: RemoteForgeSettings;
  readState(jobId: string): ActorState<JobContext>;
  /** Takes known secrets out of what forges and trackers say. */
  screen(text: string): string;
  trackers: Trackers;
  /**
   * What is never to go out with a branch; null = no secrets are known, so nothing is searched for.
   */
  secrets: KnownToScreen | null;
  createJob: CreateJob;
  /** Whether a rule may create a job, asked of the team; default: it may. */
  askClaim?: AskClaim | undefined;
  guardrails: Pick<Guardrails, 'check'>;
  /** The decision layer screens news before they are reported. */
  screenNews: NewsScreen;
  budgets: Pick<Budgets, 'usdLeft'>;
}

export type ForgeService = ReturnType<typeof createForgeService>;

/** Most watched pull requests of a forge that are counted where it is shown. */
const MOST_COUNTED = 10_000;

/** How often old deliveries are forgotten, ms. */
const TIDY_MS = 24 * 3_600_000;

const DEFAULT_WATCH: WatchSettings = { intervalMs: 60_000, rules: parseWakeRules('', '') };

export const createForgeService = ({
  forges,
  store,
  kernel,
  clock,
  log,
  remote,
  readState,
  createJob,
  askClaim = async () => null,
  trackers,
  screen,
  secrets,
  guardrails,
  budgets,
  screenNews,
}: ForgeServiceDeps) => {
  const { rows, durable } = store;
  const reports = withNewsScreen(kernel, screenNews);
  const isLive = (jobId: string): boolean => {
    const row = durable.actor(jobId);
    return row !== undefined && row.index.activity !== 'ended';
  };
  const service = new AccountWriter({
    row: (operationId) => rows.one('forge_writes', { operation_id: operationId }),
    commit: async (changes) => void (await kernel.submit({ rows: changes })),
    clock,
  });
  const place = (jobId: string): JobContext => readState(jobId).context;
  const pace = new WebhookPace(clock, () => {
    if (isStarted) pollers.takeUp();
  });
  const getWatchSettings = (id: string): WatchSettings => {
    const { intervalMs, rules } = remote.watch[id] ?? DEFAULT_WATCH;
    return { intervalMs: pace.slow(id, intervalMs), rules };
  };
  let isStarted = false;
  const listWatched = createPollTurns(store.prs);
  const sight = new PrSight({ rows, prs: store.prs });
  const pollers: Pollers = new Pollers({
    rows,
    sight,
    listWatched: listWatched,
    log,
    clock,
    random: remote.random,
    forges: () => forges.all(),
    kernel: reports,
    awaits: (jobId, kind) => place(jobId).awaited?.kinds?.includes(kind) === true,
    place,
    readSettings: getWatchSettings,
  });
  /**
   * The local forge reports its own events; remote forges are polled, and their news are chosen
   * there.
   */
  const tells = (event: ProviderEvent): boolean =>
    mayWakeLocally(event, getWatchSettings(event.forge).rules);
  let stopCleanup = (): void => {};
  let stopListening = (): void => {};
  const triggers = new Triggers({
    get rules() {
      return remote.triggers ?? [];
    },
    rows,
    isLive,
    createJob,
    askClaim,
    log,
    now: () => clock.now(),
  });
  const webhooks = createWebhooks({
    rows,
    prs: store.prs,
    forges,
    isLive,
    triggers,
    now: () => clock.now(),
    hooks: () => remote.webhooks,
    listForwardedHooks: () => remote.forwardedWebhooks,
    trackers,
    readParams: (jobId) => place(jobId).params,
    place,
    explainNoWebhooks: remote.explainNoWebhooks,
    isPluginChanging: remote.isPluginChanging,
    commit: (work) => translateKernelErrors('', () => reports.submit(work)),
    nudge: (forge) => pollers.nudge(forge),
  });
  const writeAccess = createWriteAccess({
    rows,
    prs: store.prs,
    forges,
    trackers,
    readContext: place,
  });
  const guard = createWriteGuard({
    guardrails,
    rows,
    forges,
    readContext: place,
    usdLeft: (jobId) => budgets.usdLeft(jobId),
    now: () => clock.now(),
    takesBranches: secrets !== null,
  });
  /** Asked at the call. A merge is checked when it is done, with what the forge has then. */
  const askedAccess: WriteAccess = async (jobId, provider, operation, args) => {
    const leave = await writeAccess(jobId, provider, operation, args);
    return operation === 'merge_pr' && leave.problem === null
      ? leave
      : guard.ask({ jobId, provider, operation, leave });
  };
  const writes: WriteForgeDeps = {
    async leave(jobId, id, operation, args) {
      const writeLeave = await writeAccess(jobId, id, operation, args);
      const forge = forges.get(id);
      const write = { jobId, provider: id, operation };
      if (forge && writeLeave.problem === null && operation === 'merge_pr') {
        const { detail, ...leave } = await guardAgentMerge(forge, rows, writeLeave.args);
        return guard.ask({ ...write, leave, detail });
      }
      // A branch is checked by its content, when that is taken.
      return operation === 'create_pr' ? writeLeave : guard.ask({ ...write, leave: writeLeave });
    },
    screenWrite: guard.screened(createWriteScreen({ forges, secrets })),
    write(id, operation, args, actor, caller) {
      const forge = forges.get(id);
      const tracker = forge ? undefined : trackers.get(id);
      if (tracker) return writeTracker(service, tracker, operation, args, actor, caller);
      if (!forge) return null;
      return isRemote(forge)
        ? service.write(forge, operation, args, actor, caller)
        : forge.write(operation, args, actor);
    },
    screen,
    author: toForgeAuthor,
    place,
    findOwner: (pr) => findPrOwner(rows, pr),
    buildSends: (events, actor) => toOwnerSends(rows, events.filter(tells), actor),
  };
  const reviews: SendReviewDeps = {
    rows,
    screen,
    forge: (id) => forges.get(id),
    now: () => clock.now(),
    async commit(changes) {
      await kernel.submit({ rows: changes });
    },
    async write(forge, part, actor, caller) {
      if (!isRemote(forge)) return forge.write(part.operation, part.args, actor);
      // A forge that was installed since the start is polled from its first write on.
      pollers.start();
      return service.write(forge, part.operation, part.args, actor, caller);
    },
  };
  const countWrites = (forge: string): ForgeView['writes'] => ({
    all: rows.count('forge_writes', { forge }),
    undecided: rows.count('forge_writes', { forge, state: 'undecided' }),
  });
  const view = async (id: string): Promise<ForgeView> => {
    const forge = forges.get(id);
    let [account, problem]: [string | null, string | null] = [null, remote.problems[id] ?? null];
    try {
      // A forge that does not answer must not hold up the list.
      if (forge) account = await waitForAnswer(forge.self(), SELF_WAIT_MS, clock);
    } catch (error) {
      problem = toErrorMessage(error);
    }
    account = account === null ? null : screen(account);
    problem = problem === null ? null : screen(problem);
    return {
      id,
      remote: forge?.capabilities.remote ?? true,
      account,
      problem,
      budget: forge && isRemote(forge) ? forge.budget() : null,
      watched: forge?.capabilities.remote ? store.prs.count(id, MOST_COUNTED) : 0,
      polls: pollers.polls(id),
      writes: countWrites(id),
    };
  };

  return {
    writes,
    reviews,
    writeAccess: askedAccess,
    tells,
    facade: {
      forges: () => Promise.all([...forges.ids(), ...Object.keys(remote.problems)].map(view)),
      webhook: webhooks.webhook,
      triggers: async () => triggers.views(),
    } satisfies Pick<Runner, 'forges' | 'webhook' | 'triggers'>,
    /** Takes a delivery that the control plane forwards. Never rejects. */
    async takeForwarded(delivery: ForwardedWebhook): Promise<ForwardedOutcome> {
      const outcome = await webhooks.forwarded(delivery);
      if (outcome.outcome === 'taken') pace.note(delivery.pluginId);
      return outcome;
    },
    /** `resync`: commits what has happened to pull requests of the local forge unobserved. */
    start(resync: () => Promise<number>): void {
      pollers.watchLocal({
        id: LOCAL_FORGE,
        look: createBranchLook({
          forge: forges.get(LOCAL_FORGE),
          resync,
          listWatched: listWatched,
          sight,
          kernel: reports,
          clock,
          log,
        }),
      });
      const hooked = listHookedPlugins(remote);
      for (const { id, enabled, plugin } of remote.triggers ?? []) {
        if (enabled && !hooked.includes(plugin))
          log.warn(
            { rule: id, plugin },
            'a rule needs webhooks that are not accepted: set webhookSecret of the plugin',
          );
      }
      isStarted = true;
      pollers.start();
      stopListening = remote.onChange?.(() => pollers.takeUp()) ?? stopListening;
      const tidy = (): void => {
        webhooks.tidy().catch((err: unknown) => log.error({ err }, 'cannot remove old deliveries'));
        stopCleanup = clock.at(clock.now() + TIDY_MS, tidy);
      };
      tidy();
    },
    stop(): void {
      stopCleanup();
      stopListening();
      pace.stop();
      pollers.stop();
    },
  };
};
