import { addUsage, isUsed, NO_USAGE, subtractUsage } from '../../shared/spending/usageSum.ts';
import type { Billing, UsageReport } from '../../contract/session/usageReport.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';
import type { Usage } from '../../contract/schema/session/usage.ts';
import { toCallRow, type CallTime, createSilentRow } from './toCallRow.ts';
import type { Price, PricedCall } from './computeCallPrice.ts';
import type { UsagePlace } from './usagePlace.ts';

/** A row that cannot be read keeps its number, so that none is written over it. */
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
/** Longest name of a model that is kept, characters. */
const MAX_MODEL_CHARS = 200;

type CallRow = Tables['usage_calls'];

export interface UsageDeps {
  rows: Pick<TypedRows<Tables>, 'all'>;
  /** Resolves after the commit. */
  writeRows(changes: RowChange[]): Promise<void>;
  /** Epoch ms. */
  now(): number;
  price(call: PricedCall): Price;
  /** Takes known secrets out of what an endpoint says. */
  screen(text: string): string;
}

/** What a session has come to. */
export interface EndedSession {
  /** The sum of its run as the executor says it; null = it does not. */
  usage: Usage | null;
  /** The agent has said or done something, so a model has answered. */
  hasAnswered: boolean;
}

/**
 * Writes the ledger of one session: a row for each reported call, numbered on from what an earlier
 * run of the session has left. A row is written once: its number is used up by its commit.
 */
export class UsageRecorder {
  readonly #place: UsagePlace;
  readonly #billing: Billing;
  readonly #deps: UsageDeps;
  /** Of earlier runs of the session. */
  readonly #before: readonly CallRow[];
  /** Sum of what the endpoint has reported in this run. */
  #reported: Usage | null = null;
  #isPriced = true;
  #seq: number;
  /** Milliseconds of the row that was written last; null = none was, in any run. */
  #lastMs: number | null;
  #since: number;
  /** One row after another: what fails uses up no number. */
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

  /** An earlier run of the session has left rows. */
  get isContinued(): boolean {
    return this.#before.length > 0;
  }

  /** Resolves after the commit of the call's row; rejects where it could not be written. */
  take(report: UsageReport): Promise<void> {
    const written = this.#written.then(() => this.#write(report));
    this.#written = written.catch(() => {});
    return written;
  }

  /** The cost of everything in this run is known. */
  get isPriced(): boolean {
    return this.#isPriced;
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    await this.#written;
  }

  /**
   * Rows that belong into the commit of the session's end: what its sum has beyond its calls; where
   * nothing was ever reported, that this is so; and the time since the last call. Nothing is
   * written before.
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

  /** What the endpoint has reported of the whole session, earlier runs included; null = nothing. */
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
    const said = report.model && this.#deps.screen(report.model).slice(0, MAX_MODEL_CHARS);
    const model = said || this.#billing.model;
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
