import { addUsage, isUsed, NO_USAGE, subtractUsage } from '../../base/spending/usageSum.ts';
import type { Billing, UsageReport } from '../../contract/session/usageReport.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';
import type { Usage } from '../../contract/schema/session/usage.ts';
import { toCallRow, type CallTime, createSilentRow } from './toCallRow.ts';
import type { Price, PricedCall } from './computeCallPrice.ts';
import type { UsagePlace } from './usagePlace.ts';

/** An unreadable row keeps its number, so that no other row overwrites it. */
const NOTHING_USED = {
  at: 0,
  ms: 0,
  input_tokens: 0,
  output_tokens: 0,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  cache_write_1h_tokens: 0,
  reasoning_tokens: 0,
  micro_usd: null,
  metered: 0,
  source: 'none',
} as const;
/** Longest stored name of a model, characters. */
const MAX_MODEL_CHARS = 200;

type CallRow = Tables['usage_calls'];

export interface UsageDeps {
  rows: Pick<TypedRows<Tables>, 'all'>;
  writeRows(changes: RowChange[]): Promise<void>;
  now(): number;
  price(call: PricedCall): Price;
  /** Removes known secrets from an endpoint's text. */
  screen(text: string): string;
}

/** The result of a session. */
export interface EndedSession {
  /** The executor's sum for the run; null = none. */
  usage: Usage | null;
  /** The agent has said or done something, so a model has answered. */
  hasAnswered: boolean;
}

/**
 * Writes the ledger of one session: a row for each reported call, numbered after those of earlier
 * runs. A row is written once: its commit uses up its number.
 */
export class UsageRecorder {
  readonly #place: UsagePlace;
  readonly #billing: Billing;
  readonly #deps: UsageDeps;
  /** Rows of earlier runs of the session. */
  readonly #before: readonly CallRow[];
  #reported: Usage | null = null;
  #isPriced = true;
  #seq: number;
  /** Time of the last row of any run, ms; null = none. */
  #lastMs: number | null;
  #since: number;
  /** Rows are written one after another; a failed one uses up no number. */
  #written: Promise<unknown> = Promise.resolve();

  constructor(place: UsagePlace, billing: Billing, deps: UsageDeps) {
    this.#place = place;
    this.#billing = billing;
    this.#deps = deps;
    const { subject, visit, session } = place;
    this.#before = deps.rows.all(
      'usage_calls',
      { subject, visit, session },
      { instead: NOTHING_USED },
    );
    this.#seq = this.#before.at(-1)?.seq ?? 0;
    this.#lastMs = this.#before.at(-1)?.ms ?? null;
    this.#since = deps.now();
  }

  get isContinued(): boolean {
    return this.#before.length > 0;
  }

  /** Resolves after the commit of the call's row; rejects if it fails. */
  take(report: UsageReport): Promise<void> {
    const writing = this.#written.then(() => this.#write(report));
    this.#written = writing.catch(() => {});
    return writing;
  }

  /** Whether the cost of everything in this run is known. */
  get isPriced(): boolean {
    return this.#isPriced;
  }

  async awaitWritten(): Promise<void> {
    await this.#written;
  }

  /**
   * Rows for the commit of the session's end: the part of its sum that is not in its calls, a note
   * if nothing was ever reported, and the time since the last call. Nothing is written before.
   */
  endRows({ usage, hasAnswered }: EndedSession): RowChange[] {
    const rest = subtractUsage(usage ?? NO_USAGE, this.#reported ?? NO_USAGE);
    const time = this.#time();
    if (isUsed(rest)) {
      this.#reported = addUsage(this.#reported, rest);
      return [toCallPut(this.#row({ type: 'usage', usage: rest }, time))];
    }
    if (this.#lastMs === null) {
      if (!hasAnswered) return [];
      this.#isPriced = false;
      const { model } = this.#billing;
      const { metered } = this.#deps.price({ billing: this.#billing, model, usage: NO_USAGE });
      return [toCallPut(createSilentRow(this.#place, time, model, metered))];
    }
    const { subject, visit, session } = this.#place;
    const key = { subject, visit, session, seq: this.#seq };
    return [{ op: 'patch', table: 'usage_calls', key, set: { ms: this.#lastMs + time.ms } }];
  }

  /** The endpoint's count for the whole session, earlier runs included; null = none. */
  whole(): Usage | null {
    const earlier = this.#before.filter(({ source }) => source === 'reported');
    return earlier.reduce<Usage | null>(
      (sum, row) => addUsage(sum, toCallUsage(row)),
      this.#reported,
    );
  }

  async #write(report: UsageReport): Promise<void> {
    const time = this.#time();
    await this.#deps.writeRows([toCallPut(this.#row(report, time))]);
    this.#seq = time.seq;
    this.#since = time.at;
    this.#lastMs = time.ms;
    if (report.source !== 'estimated') this.#reported = addUsage(this.#reported, report.usage);
  }

  #time(): CallTime {
    const at = this.#deps.now();
    return { seq: this.#seq + 1, at, ms: Math.max(0, at - this.#since) };
  }

  #row(report: UsageReport, time: CallTime): CallRow {
    const modelName = report.model && this.#deps.screen(report.model).slice(0, MAX_MODEL_CHARS);
    const model = modelName || this.#billing.model;
    const price = this.#deps.price({ billing: this.#billing, model, usage: report.usage });
    if (price.microUsd === null) this.#isPriced = false;
    return toCallRow(this.#place, time, report, model, price);
  }
}

const toCallPut = (row: CallRow): RowChange => ({ op: 'put', table: 'usage_calls', row });

const toCallUsage = (row: CallRow): Usage => ({
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  cachedInputTokens: row.cached_input_tokens,
  cacheWriteTokens: row.cache_write_tokens,
  cacheWrite1hTokens: row.cache_write_1h_tokens,
  reasoningTokens: row.reasoning_tokens,
});
