import type { RowChange, Submission } from '../../contract/records/changes.ts';
import type { Send } from '../../kernel/contract.ts';
import type { TriggerRule } from '../../contract/schema/forge/trigger.ts';
import { isRemote } from '../../contract/forge/remoteForge.ts';
import type { PrAddress } from '../../contract/forge/forge.ts';
import type { Forges } from '../../providers/forges.ts';
import type { WatchedPrReader } from '../../jobs/store/queries/watchedPrReader.ts';
import type {
  Delivery,
  Hook,
  PrSubject,
  ReadDelivery,
  WebhookAnswer,
} from '../../contract/forge/hook.ts';
import type { DeliveredEvent } from '../../contract/forge/deliveredEvent.ts';
import { hashDelivery } from '../../providers/hooks/createSignedReader.ts';
import { createEventRouter, type EventRouterDeps, type RoutedEvent } from './createEventRouter.ts';
import { listDeliveryKeys } from './listDeliveryKeys.ts';
import { isLastingError, SvcError, toErrorMessage } from '../../base/errors/errors.ts';
import type { ForwardedOutcome, ForwardedWebhook } from '../../contract/forge/forwardedWebhook.ts';
import type { FiredRule, TriggerOccasion, Triggers } from './triggers.ts';
import { collectUnheardLines, type UnheardDeps } from './collectUnheardLines.ts';

/**
 * How long deliveries are remembered, ms; a delivery with an older time has no effect.
 * GitHub sends again for three days.
 */
const KEPT_MS = 7 * 24 * 3_600_000;
const FORGOTTEN_AT_ONCE = 1_000;
const TABLE = 'webhook_deliveries';

interface DeliveryWork extends Pick<Submission, 'frames'> {
  rows: RowChange[];
  sends: Send[];
}

export interface WebhooksDeps extends UnheardDeps, EventRouterDeps {
  /** By plugin id; a plugin that is missing takes no deliveries. Asked at each use. */
  hooks(): Readonly<Record<string, Hook>>;
  /** The same for deliveries that the control plane has verified. */
  listForwardedHooks(): Readonly<Record<string, Hook>>;
  rows: EventRouterDeps['rows'];
  prs: Pick<WatchedPrReader, 'open' | 'jobs'>;
  commit(work: DeliveryWork): Promise<unknown>;
  forges: Forges;
  /** Why deliveries for a plugin are not accepted. */
  explainNoWebhooks(pluginId: string): string;
  /** Whether it may accept them in a moment; default: none does. */
  isPluginChanging: ((pluginId: string) => boolean) | undefined;
  nudge(forge: string): void;
  triggers: Pick<Triggers, 'ruleFor' | 'fire'>;
}

/** Whether the delivery of an event this old may have been forgotten. */
const isForgotten = ({ happenedAt }: DeliveredEvent, time: number): boolean =>
  happenedAt !== null && time - happenedAt > KEPT_MS;

/** A delivery whose signature is right. */
interface GenuineDelivery {
  plugin: string;
  hook: Hook;
  read: ReadDelivery;
  /** Of its bytes. */
  hash: string;
}

const NOT_FIRED: FiredRule = { jobId: null, reason: null };

/**
 * Accepts webhooks. A genuine delivery makes the runner poll its pull requests immediately; what
 * happened to them is read from the forge, so that neither the order nor duplicates nor losses of
 * deliveries change what a job receives. A comment on a job's ticket, which is not polled, goes
 * into its journal in the commit that remembers the delivery. So does a job that a rule creates for
 * it.
 */
export const createWebhooks = (deps: WebhooksDeps) => {
  const { rows, prs, commit, forges, isLive, nudge, triggers, now } = deps;
  const routeEvent = createEventRouter(deps);
  /** Deliveries that are being handled, by their keys. */
  const inHand = new Map<string, Promise<unknown>>();

  /** Looked up by key, however many there are. */
  const watchedAmong = (
    forge: string,
    repo: string,
    numbers: PrSubject['numbers'],
  ): PrAddress[] => {
    if (numbers === null) return prs.open(forge, repo);
    const open = { forge, repo, state: 'open' } as const;
    return numbers
      .flatMap((number) => rows.all('pr_mappings', { ...open, number }))
      .filter(({ job_id: jobId }) => isLive(jobId))
      .map((row) => ({ repo: row.repo, number: row.number }));
  };

  const prepareReports = (plugin: string, hook: Hook, routedEvent: RoutedEvent): DeliveryWork => {
    const { report, jobs, isHeard } = routedEvent;
    if (report === null) return { rows: [], sends: [] };
    const unheard = jobs.map((jobId) => ({ jobId, one: report }));
    const { event } = report;
    const sends = (isHeard ? jobs : []).map(
      (to): Send => ({
        to,
        event: { type: 'forge.event', event },
        source: `webhook:${plugin}`,
        externalId: event.externalId,
      }),
    );
    return { ...collectUnheardLines(deps, unheard, hook.rules), sends };
  };

  /**
   * Lets the rule create its job in the commit that remembers the delivery; where it creates none,
   * the delivery is remembered alone.
   */
  const fireRule = async (
    rule: TriggerRule,
    occasion: TriggerOccasion,
    rememberedRows: RowChange[],
  ): Promise<FiredRule> => {
    const firedRule = await triggers.fire(rule, occasion, rememberedRows);
    if (firedRule.jobId === null) await commit({ rows: rememberedRows, sends: [] });
    return firedRule;
  };

  const findEvent = async (read: ReadDelivery): Promise<DeliveredEvent | null> => {
    const deliveredEvent = read.translate ? await read.translate() : read.event;
    return deliveredEvent === null || isForgotten(deliveredEvent, now()) ? null : deliveredEvent;
  };

  /** Does what a new delivery asks for and remembers the delivery: `rememberedRows`. */
  const take = async (
    { plugin, hook, read, hash }: GenuineDelivery,
    rememberedRows: RowChange[],
  ): Promise<FiredRule> => {
    const deliveredEvent = await findEvent(read);
    const time = now();
    if (deliveredEvent === null) {
      await commit({ rows: rememberedRows, sends: [] });
      return NOT_FIRED;
    }
    const routedEvent = await routeEvent(plugin, hook, deliveredEvent, time);
    const { event, own, rule } = routedEvent;
    const reports = prepareReports(plugin, hook, routedEvent);
    if (!rule) {
      await commit({ ...reports, rows: [...rememberedRows, ...reports.rows] });
      return NOT_FIRED;
    }
    // The reports are committed first, and repeating them does no harm: if the delivery were
    // remembered before, a crash would lose them.
    if (reports.sends.length + reports.rows.length > 0) await commit(reports);
    return fireRule(rule, { plugin, deliveryId: read.id, hash, event, own }, rememberedRows);
  };

  /** A delivery that is being taken and is known by one of these names. */
  const findCopyInHand = (names: readonly string[]): Promise<unknown> | undefined =>
    names.map((name) => inHand.get(name)).find((copy) => copy !== undefined);

  /** Takes a delivery, once, while all its copies wait. */
  const takeAlone = async (
    names: readonly string[],
    work: () => Promise<FiredRule>,
  ): Promise<FiredRule> => {
    const working = work();
    for (const name of names) inHand.set(name, working);
    try {
      return await working;
    } finally {
      for (const name of names) inHand.delete(name);
    }
  };

  const pollSubject = (plugin: string, subject: PrSubject | null): void => {
    const forge = forges.get(plugin);
    if (!subject || !forge || !isRemote(forge)) return;
    const { repo, numbers } = subject;
    const watchedPrs = repo === null ? [] : watchedAmong(plugin, repo, numbers);
    if (watchedPrs.length > 0) forge.touch(watchedPrs);
    // The forge's own poll finds out which pull request it is about.
    if (watchedPrs.length > 0 || (repo === null && prs.jobs(plugin, 1).length > 0)) nudge(plugin);
  };

  /** Takes a genuine delivery once, whichever way it comes; null = it is a copy of one that is known. */
  const takeOnce = async (genuine: GenuineDelivery): Promise<FiredRule | null> => {
    const { plugin, read, hash } = genuine;
    const keys = listDeliveryKeys(read, hash).map((key) => ({
      plugin_id: plugin,
      delivery_id: key,
    }));
    const names = keys.map((key) => `${plugin} ${key.delivery_id}`);
    // Nothing may come between the last look and `takeAlone`, where the next copy finds it.
    for (let copy = findCopyInHand(names); copy; copy = findCopyInHand(names))
      await copy.catch(() => undefined);
    if (keys.some((key) => rows.count(TABLE, key) > 0)) return null;
    const rememberedRows = keys.map(
      (key): RowChange => ({ op: 'put', table: TABLE, row: { ...key, at: now() } }),
    );
    const firedRule = await takeAlone(names, () => take(genuine, rememberedRows));
    pollSubject(plugin, read.subject);
    return firedRule;
  };

  /** The job that a rule has created for the delivery. */
  const findCreatedJob = ({ plugin, read }: GenuineDelivery): string | undefined =>
    rows.all('trigger_runs', { plugin_id: plugin, delivery_id: read.id })[0]?.job_id;

  /** Lets one rule create the job of a delivery that is known here, unless it has. */
  const takeOffer = async (genuine: GenuineDelivery, ruleId: string): Promise<FiredRule> => {
    const { plugin, hook, read, hash } = genuine;
    const created = findCreatedJob(genuine);
    if (created !== undefined) return { jobId: created, reason: null };
    const deliveredEvent = await findEvent(read);
    if (deliveredEvent === null) return NOT_FIRED;
    const { event, own, rule } = await routeEvent(plugin, hook, deliveredEvent, now());
    if (rule?.id !== ruleId) return { jobId: null, reason: `no rule ${ruleId} applies here` };
    return triggers.fire(rule, { plugin, deliveryId: read.id, hash, event, own }, []);
  };

  return {
    async webhook(pluginId: string, delivery: Delivery): Promise<WebhookAnswer> {
      const hooks = deps.hooks();
      const hook = Object.hasOwn(hooks, pluginId) ? hooks[pluginId] : undefined;
      if (!hook) {
        // After a 404 a sender gives up, and may switch the webhook off.
        if (deps.isPluginChanging?.(pluginId))
          throw new SvcError(
            'temporarily-unavailable',
            `The settings of ${pluginId} are being changed; send the delivery again.`,
          );
        throw new SvcError('not-found', deps.explainNoWebhooks(pluginId));
      }
      const read = hook.read({ ...delivery, receivedAt: now() });
      const { challenge } = read;
      // The sender may repeat it, and needs the answer each time: nothing is remembered of it.
      if (challenge !== undefined) return { accepted: true, duplicate: false, challenge };
      const hash = hashDelivery(delivery.rawBody);
      const firedRule = await takeOnce({ plugin: pluginId, hook, read, hash });
      return { accepted: true, duplicate: firedRule === null };
    },

    /** Takes a delivery that the control plane forwards. Never rejects. */
    async forwarded(delivery: ForwardedWebhook): Promise<ForwardedOutcome> {
      const { pluginId, rule } = delivery;
      const hooks = deps.listForwardedHooks();
      const hook = Object.hasOwn(hooks, pluginId) ? hooks[pluginId] : undefined;
      if (!hook && deps.isPluginChanging?.(pluginId))
        return { outcome: 'later', reason: `the settings of ${pluginId} are being changed` };
      // Not every runner of a team uses every plugin.
      if (!hook) return { outcome: 'taken' };
      let read: ReadDelivery;
      try {
        read = hook.read(delivery);
      } catch (error) {
        return { outcome: 'refused', reason: toErrorMessage(error) };
      }
      // A control plane of an earlier release does not answer it, and forwards it.
      if (read.challenge !== undefined) return { outcome: 'taken' };
      try {
        const hash = hashDelivery(delivery.rawBody);
        const genuine = { plugin: pluginId, hook, read, hash };
        const firedRule = rule === null ? await takeOnce(genuine) : await takeOffer(genuine, rule);
        const jobId = firedRule === null ? findCreatedJob(genuine) : (firedRule.jobId ?? undefined);
        const reason = firedRule?.reason ?? undefined;
        return {
          outcome: 'taken',
          ...(jobId === undefined ? {} : { jobId }),
          ...(reason === undefined ? {} : { reason }),
        };
      } catch (error) {
        const reason = toErrorMessage(error);
        return { outcome: isLastingError(error) ? 'refused' : 'later', reason };
      }
    },

    /** Forgets deliveries that will not be sent again. */
    async tidy(): Promise<void> {
      for (;;) {
        const oldest = rows.all(TABLE, {}, { order: 'at', limit: FORGOTTEN_AT_ONCE });
        const old = oldest.filter(({ at }) => now() - at > KEPT_MS);
        const drops = old.map(
          ({ plugin_id, delivery_id }): RowChange => ({
            op: 'drop',
            table: TABLE,
            key: { plugin_id, delivery_id },
          }),
        );
        if (drops.length > 0) await commit({ rows: drops, sends: [] });
        if (old.length < FORGOTTEN_AT_ONCE) return;
      }
    },
  };
};
