import type { RowChange, Submission } from '../../contract/records/changes.ts';
import type { Send } from '../../kernel/contract.ts';
import { SvcError } from '../../shared/errors/errors.ts';
import type { WebhookReply } from '../../contract/schema/forge/forge.ts';
import { isRemote } from '../../contract/forge/remoteForge.ts';
import type { PrAddress } from '../../contract/forge/forge.ts';
import type { Forges } from '../../providers/forges.ts';
import { findJobTracker, type Trackers } from '../../providers/trackers.ts';
import { isMarked } from '../../git/marks.ts';
import { mayWake } from '../../providers/rest/wakeRules.ts';
import type { RowReader } from '../../kernel/sqlite/rowReader.ts';
import type { WatchedPrReader } from '../../kernel/sqlite/watchedPrReader.ts';
import type { Delivery, Hook, PrSubject, ReadDelivery } from '../../contract/forge/hook.ts';
import type { HookEvent } from '../../contract/forge/hookEvent.ts';
import { toCommentEvent } from '../../providers/hooks/event.ts';
import { hashDelivery } from '../../providers/hooks/createSignedReader.ts';
import { toReference } from '../../../machines/index.ts';
import { explainAuthorFault } from './triggerRule.ts';
import type { Triggers } from './triggers.ts';
import { collectUnheardLines, type UnheardDeps } from './collectUnheardLines.ts';

/**
 * How long deliveries are remembered, ms; a delivery with an older time has no effect.
 * GitHub sends again for three days.
 */
const KEPT_MS = 7 * 24 * 3_600_000;
/** Most deliveries that are forgotten in one commit. */
const FORGOTTEN_AT_ONCE = 1_000;
const TABLE = 'webhook_deliveries';

interface DeliveryWork extends Pick<Submission, 'frames'> {
  rows: RowChange[];
  sends: Send[];
}

export interface WebhooksDeps extends UnheardDeps {
  /** By plugin id; a plugin that is missing takes no deliveries. Asked at each use. */
  hooks(): Readonly<Record<string, Hook>>;
  rows: RowReader;
  prs: Pick<WatchedPrReader, 'open' | 'jobs'>;
  commit(work: DeliveryWork): Promise<unknown>;
  forges: Forges;
  isLive(jobId: string): boolean;
  trackers: Trackers;
  /** Of a live job. */
  paramsOf(jobId: string): Readonly<Record<string, unknown>>;
  /** Why deliveries for a plugin are not accepted, where none are. */
  noWebhooks(pluginId: string): string;
  /** Asks the forge for news now. */
  nudge(forge: string): void;
  triggers: Pick<Triggers, 'ruleFor' | 'fire'>;
}

/**
 * What a delivery is known by when it comes again. The id is mostly not signed, so a copy under
 * another id is known by its bytes. One that reports no event is known by its id alone: a sender
 * that only names the pull request sends the same bytes for each thing that happens to it, and a
 * copy has no effect but a poll.
 */
function listDeliveryKeys({ id, event, translate }: ReadDelivery, bytes: string): string[] {
  if (event !== null || translate) return [...new Set([id, bytes])];
  return id === bytes ? [] : [id];
}

/**
 * Accepts webhooks. A genuine delivery makes the runner poll its pull requests immediately; what
 * happened to them is read from the forge, so that neither the order nor duplicates nor losses of
 * deliveries change what a job receives. A comment on a job's ticket, which is not polled, goes
 * into its journal in the commit that remembers the delivery. So does a job that a rule creates for
 * it.
 */
export const createWebhooks = (deps: WebhooksDeps) => {
  const { rows, prs, commit, forges, isLive, nudge, triggers, now } = deps;
  const inHand = new Map<string, Promise<unknown>>();

  /** Open pull requests of live jobs; found by their key, however many there are. */
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

  const isOwn = async (
    { ownIds, selfIsPerson }: Hook,
    { text, identities, own }: HookEvent,
  ): Promise<boolean> => {
    if (own === true || isMarked(text)) return true;
    if (selfIsPerson) return false;
    const known = (await ownIds()).map((id) => id.toLowerCase());
    return identities.some((id) => known.includes(id.toLowerCase()));
  };

  /** Whether the job's ticket is known to be of another tracker than this one. */
  const isElsewhere = (plugin: string, jobId: string): boolean => {
    const { trackers, paramsOf } = deps;
    if (trackers.get(plugin) === undefined) return false;
    const own = findJobTracker(trackers, paramsOf(jobId));
    return own !== null && own.id !== plugin;
  };

  /**
   * Jobs whose params name what was commented on, except the job that owns the pull request, which
   * the forge notifies, and those whose ticket is one of another tracker with the same key.
   */
  const followers = (plugin: string, { ref, repo, number, event }: HookEvent): string[] => {
    if (ref === null) return [];
    const isPr = event.startsWith('pull_request.');
    const owner =
      isPr && number !== null
        ? rows.all('pr_mappings', { forge: plugin, repo, number })[0]?.job_id
        : undefined;
    const named = rows.all('job_references', { reference: toReference(ref) });
    return named
      .map(({ job_id: jobId }) => jobId)
      .filter((jobId) => jobId !== owner && isLive(jobId) && !isElsewhere(plugin, jobId));
  };

  const take = async (
    plugin: string,
    hook: Hook,
    { id, translate, ...read }: ReadDelivery,
    remembered: RowChange[],
  ): Promise<void> => {
    const event = translate ? await translate() : read.event;
    const time = now();
    if (event === null || (event.happenedAt !== null && time - event.happenedAt > KEPT_MS)) {
      await commit({ rows: remembered, sends: [] });
      return;
    }
    const said = toCommentEvent(plugin, event, time);
    const jobs = said ? followers(plugin, event) : [];
    const rule = triggers.ruleFor(plugin, event);
    // The provider is only asked who svc is where the answer matters.
    const own = jobs.length > 0 || rule ? await isOwn(hook, event) : false;
    const { bot, identities } = event;
    const authored = (member: boolean) => said && { event: said, own, bot, member, identities };
    const isHeardAs = (member: boolean) => {
      const one = authored(member);
      return one !== null && mayWake(one, hook.rules);
    };
    const mayMake = (member: HookEvent['member']) =>
      rule !== undefined && explainAuthorFault(rule, { ...event, member }, own) === null;
    // So is how the author belongs to the repository: a delivery does not show private members.
    const isOpen =
      (jobs.length > 0 && isHeardAs(true) && !isHeardAs(event.member === true)) ||
      (mayMake(true) && !mayMake(event.member));
    const member = isOpen && hook.isMember ? await hook.isMember(event) : event.member;
    const one = authored(member === true);
    const isHeard = one !== null && mayWake(one, hook.rules);
    const unheard = one === null ? [] : jobs.map((jobId) => ({ jobId, one }));
    const lines = collectUnheardLines(deps, unheard, hook.rules);
    const sends = (isHeard ? jobs : []).map(
      (to): Send => ({
        to,
        event: { type: 'forge.event', event: said },
        source: `webhook:${plugin}`,
        ...(said ? { externalId: said.externalId } : {}),
      }),
    );
    if (!rule) {
      await commit({ rows: [...remembered, ...lines.rows], sends, frames: lines.frames });
      return;
    }
    // First, and repeated without harm: were the delivery remembered before, a crash would lose
    // them.
    if (sends.length + lines.rows.length > 0)
      await commit({ rows: lines.rows, sends, frames: lines.frames });
    const made = await triggers.fire(
      rule,
      { plugin, deliveryId: id, event: { ...event, member }, own },
      remembered,
    );
    if (!made) await commit({ rows: remembered, sends: [] });
  };

  return {
    async webhook(pluginId: string, delivery: Delivery): Promise<WebhookReply> {
      const hooks = deps.hooks();
      const hook = Object.hasOwn(hooks, pluginId) ? hooks[pluginId] : undefined;
      if (!hook) {
        throw new SvcError('not-found', deps.noWebhooks(pluginId));
      }
      const read = hook.read({ ...delivery, receivedAt: now() });
      const { subject } = read;
      const keys = listDeliveryKeys(read, hashDelivery(delivery.rawBody)).map((key) => ({
        plugin_id: pluginId,
        delivery_id: key,
      }));
      const names = keys.map((key) => `${pluginId} ${key.delivery_id}`);
      for (;;) {
        const before = names
          .map((name) => inHand.get(name))
          .find((running) => running !== undefined);
        if (!before) break;
        await before.catch(() => undefined);
      }
      if (keys.some((key) => rows.count(TABLE, key) > 0))
        return { accepted: true, duplicate: true };
      const remembered = keys.map(
        (key): RowChange => ({ op: 'put', table: TABLE, row: { ...key, at: now() } }),
      );
      const taken = take(pluginId, hook, read, remembered);
      for (const name of names) inHand.set(name, taken);
      try {
        await taken;
      } finally {
        for (const name of names) inHand.delete(name);
      }
      const forge = forges.get(pluginId);
      if (subject && forge && isRemote(forge)) {
        const { repo, numbers } = subject;
        const watched = repo === null ? [] : watchedAmong(pluginId, repo, numbers);
        if (watched.length > 0) forge.touch(watched);
        // Of which one it is about, the forge's own poll finds out.
        if (watched.length > 0 || (repo === null && prs.jobs(pluginId, 1).length > 0))
          nudge(pluginId);
      }
      return { accepted: true, duplicate: false };
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
