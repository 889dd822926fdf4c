import type { RowChange } from '../../contract/records/changes.ts';
import { isLastingError, toErrorMessage } from '../../base/errors/errors.ts';
import type { Log } from '../../base/system/log/log.ts';
import {
  TRIGGER_PLACEHOLDER,
  type TriggerRule,
  type TriggerView,
  type TriggerParams,
} from '../../contract/schema/forge/trigger.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { DeliveredEvent } from '../../contract/forge/deliveredEvent.ts';
import { explainAuthorFault, isAbout } from './triggerRule.ts';
import { toReference } from '../../../machines/index.ts';
import type { AskClaim } from '../../contract/forge/forwardedWebhook.ts';
import type { CreateJob } from '../../jobs/create/createJob.ts';
import { joinIntoOneLine, shorten } from '../../base/text/clip.ts';

const MAX_TEXT_CHARS = 4_000;
const MAX_LINE_CHARS = 300;

const toTemplateLine = (text: string): string => shorten(joinIntoOneLine(text), MAX_LINE_CHARS);

/** What stands for each placeholder. */
const VALUES: Readonly<Record<string, (event: DeliveredEvent) => string>> = {
  title: ({ title }) => toTemplateLine(title),
  text: ({ text }) => shorten(text.trim(), MAX_TEXT_CHARS),
  url: ({ url }) => toTemplateLine(url),
  ticket: ({ ref }) => toTemplateLine(ref ?? ''),
  repo: ({ repo }) => toTemplateLine(repo),
  number: ({ number }) => (number === null ? '' : String(number)),
  author: ({ author }) => toTemplateLine(author),
  label: ({ newLabels, labels }) => toTemplateLine(newLabels[0] ?? labels[0] ?? ''),
  labels: ({ labels }) => toTemplateLine(labels.join(', ')),
  event: ({ event }) => event,
};

/**
 * The params of a job, with the event's values in their texts. Values are put in once and never
 * looked at again, so that a title cannot bring in another value; each is cut to a length.
 */
export const renderTriggerParams = (
  params: TriggerParams,
  event: DeliveredEvent,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.map((one) => fillPlaceholders(one, event))
        : typeof value === 'string'
          ? fillPlaceholders(value, event)
          : value,
    ]),
  );

const fillPlaceholders = (text: string, event: DeliveredEvent): string =>
  text.replace(TRIGGER_PLACEHOLDER, (whole, key: string) =>
    Object.hasOwn(VALUES, key) ? (VALUES[key]?.(event) ?? '') : whole,
  );

const HOUR_MS = 3_600_000;
/** Providers write times to the second. */
const SECOND_MS = 1_000;
const TABLE = 'trigger_runs';

interface TriggersDeps {
  rules: readonly TriggerRule[];
  rows: RowReader;
  isLive(jobId: string): boolean;
  createJob: CreateJob;
  /** Asked before a job is created: of the runners of a team that have the rule, one may. */
  askClaim: AskClaim;
  log: Pick<Log, 'info' | 'warn'>;
  now(): number;
}

export interface TriggerOccasion {
  plugin: string;
  deliveryId: string;
  /** Of the delivery's bytes. */
  hash: string;
  event: DeliveredEvent;
  /** svc itself did it. */
  own: boolean;
}

/** What a rule has done: one of the two is null. */
export interface FiredRule {
  jobId: string | null;
  /** Why it has created no job. */
  reason: string | null;
}

/** Creates jobs from webhooks, by the rules of the configuration. */
export class Triggers {
  readonly #deps: TriggersDeps;
  readonly #refused = new Map<string, { count: number; last: string }>();
  #tail: Promise<unknown> = Promise.resolve();

  constructor(deps: TriggersDeps) {
    this.#deps = deps;
  }

  ruleFor(plugin: string, event: DeliveredEvent): TriggerRule | undefined {
    return this.#deps.rules.find((rule) => isAbout(rule, plugin, event));
  }

  /**
   * Creates the rule's job in one commit with `rows`, unless something prevents it; then it logs
   * the reason and returns it, and nothing is written. One at a time, so that two deliveries
   * about one ticket cannot both find no job. Throws on failures that may have passed when the
   * delivery is sent again.
   */
  fire(
    rule: TriggerRule,
    occasion: TriggerOccasion,
    rows: readonly RowChange[],
  ): Promise<FiredRule> {
    const run = this.#tail.then(() => this.#fire(rule, occasion, rows));
    this.#tail = run.catch(() => undefined);
    return run;
  }

  views(): TriggerView[] {
    return this.#deps.rules.map((rule) => {
      const { id, enabled, plugin, events, workflow, perHour } = rule;
      const refusal = this.#refused.get(id);
      return {
        id,
        enabled,
        plugin,
        events: [...events],
        workflow,
        perHour,
        madeThisHour: this.#countMadeThisHour(rule),
        refused: refusal?.count ?? 0,
        lastRefusal: refusal?.last ?? null,
      };
    });
  }

  async #fire(
    rule: TriggerRule,
    occasion: TriggerOccasion,
    rows: readonly RowChange[],
  ): Promise<FiredRule> {
    const { log, createJob, now, askClaim } = this.#deps;
    const { plugin, deliveryId, event } = occasion;
    const subject = event.ref === null ? `delivery ${deliveryId}` : toReference(event.ref);
    const fault = this.#fault(rule, occasion, subject);
    if (fault !== null) return this.#refuse(rule, occasion, fault);
    const denial = await askClaim({
      rule: rule.id,
      pluginId: plugin,
      hash: occasion.hash,
      subject: rule.repeat === 'when-ended' ? subject : null,
    });
    if (denial !== null) {
      log.info({ rule: rule.id, plugin, deliveryId, why: denial }, 'a webhook creates no job here');
      return { jobId: null, reason: denial };
    }
    const at = now();
    const run = {
      rule: rule.id,
      subject,
      at,
      plugin_id: plugin,
      delivery_id: deliveryId,
      event: event.event,
      author: event.author,
    };
    const { author, url } = event;
    const where = event.ref ?? event.repo;
    try {
      const { jobId } = await createJob(
        {
          type: rule.type,
          workflowPath: rule.workflow,
          params: renderTriggerParams(rule.params, event),
        },
        undefined,
        {
          trigger: { rule: rule.id, plugin, event: event.event, author, url, deliveryId },
          line: `created by the rule ${rule.id}: ${event.event} of ${where} by ${author}`,
          rows: (id) => [...rows, { op: 'put', table: TABLE, row: { ...run, job_id: id } }],
        },
      );
      log.info(
        { rule: rule.id, jobId, plugin, event: event.event, author },
        'a webhook created a job',
      );
      return { jobId, reason: null };
    } catch (error) {
      // A wrong rule or wrong params would fail again with the next delivery.
      if (!isLastingError(error)) throw error;
      const details = error.errors
        .map(({ pointer, message }) => `${pointer} ${message}`)
        .join('; ');
      return this.#refuse(
        rule,
        occasion,
        details === '' ? toErrorMessage(error) : `${toErrorMessage(error)} ${details}`,
      );
    }
  }

  #fault(rule: TriggerRule, { event, own }: TriggerOccasion, subject: string): string | null {
    const fault = explainAuthorFault(rule, event, own);
    if (fault !== null) return fault;
    const live = rule.repeat === 'when-ended' ? this.#findLiveJob(rule.id, subject) : null;
    if (live !== null) return `${live} already works on ${subject}`;
    const later = rule.repeat === 'when-ended' ? this.#findLaterJob(rule.id, subject, event) : null;
    if (later !== null) return `${later} was created for ${subject} after this had happened`;
    const madeCount = this.#countMadeThisHour(rule);
    return madeCount < rule.perHour
      ? null
      : `the rule has created ${madeCount} jobs in the last hour (perHour)`;
  }

  #findLiveJob(rule: string, subject: string): string | null {
    const { rows, isLive } = this.#deps;
    const jobs = [
      ...rows.all(TABLE, { rule, subject }),
      ...rows.all('job_references', { reference: subject }),
    ];
    return jobs.find(({ job_id: id }) => isLive(id))?.job_id ?? null;
  }

  /**
   * The newest job about the same thing that was made after the event, whose delivery came late.
   */
  #findLaterJob(rule: string, subject: string, { happenedAt }: DeliveredEvent): string | null {
    const newest = { order: 'at', desc: true, limit: 1 } as const;
    const [run] = this.#deps.rows.all(TABLE, { rule, subject }, newest);
    return run && happenedAt !== null && happenedAt + SECOND_MS < run.at ? run.job_id : null;
  }

  #countMadeThisHour({ id, perHour }: TriggerRule): number {
    const newest = this.#deps.rows.all(
      TABLE,
      { rule: id },
      { order: 'at', desc: true, limit: perHour },
    );
    return newest.filter(({ at }) => this.#deps.now() - at < HOUR_MS).length;
  }

  #refuse(
    rule: TriggerRule,
    { plugin, event, deliveryId }: TriggerOccasion,
    why: string,
  ): FiredRule {
    this.#refused.set(rule.id, { count: (this.#refused.get(rule.id)?.count ?? 0) + 1, last: why });
    this.#deps.log.warn(
      { rule: rule.id, plugin, event: event.event, deliveryId, why },
      'a webhook created no job',
    );
    return { jobId: null, reason: why };
  }
}
