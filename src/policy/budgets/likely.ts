import { addBounded, MAX_SUM } from '../../base/spending/addBounded.ts';
import { type Amounts, NOTHING } from '../../base/spending/budgetScopes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';
import type { JobFacts } from './readJobFacts.ts';

/** Most calls of a phase that an estimate uses, newest first. */
const MOST_CALLS = 500;
/** Fewest sessions for an estimate. */
const FEWEST_SESSIONS = 5;
/** How long an estimate is reused, ms. */
const KEPT_MS = 10 * 60_000;
/** Factor for a session that needs more than earlier ones. */
const MARGIN = 1.5;
const SHARE = 0.95;

/** The largest expected call of a model, tokens. */
export const LARGEST_CALL = { input: 200_000, output: 32_000 };
/** Minutes that a session of an unknown phase holds, ms. */
const FIRST_MS = 10 * 60_000;

export function computeQuantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/**
 * The most that a session of a phase is likely to use, from earlier sessions, else from one call.
 */
export class Likely {
  readonly #rows: Pick<TypedRows<Tables>, 'all'>;
  readonly #kept = new Map<string, { at: number; amounts: Amounts | null }>();

  constructor(rows: Pick<TypedRows<Tables>, 'all'>) {
    this.#rows = rows;
  }

  /** `call`: price of the model's largest call, millionths of a dollar. */
  of({ workflowPath, phase }: JobFacts, call: number, now: number): Amounts {
    const name = phase?.name ?? '';
    const key = `${workflowPath}\n${name}`;
    let cached = this.#kept.get(key);
    if (!cached || now - cached.at > KEPT_MS) {
      cached = { at: now, amounts: this.#readMeasured(workflowPath, name) };
      this.#kept.set(key, cached);
    }
    const tokens = LARGEST_CALL.input + LARGEST_CALL.output;
    return cached.amounts ?? { ...NOTHING, usd: call, tokens, sessions: 1, minutes: FIRST_MS };
  }

  #readMeasured(workflow: string, phase: string): Amounts | null {
    const calls = this.#rows.all(
      'usage_calls',
      { workflow, phase },
      { order: 'at', desc: true, limit: MOST_CALLS },
    );
    const sessions = new Map<string, Amounts>();
    for (const call of calls) {
      const key = `${call.subject}/${call.visit}.${call.session}`;
      const sum = sessions.get(key) ?? { ...NOTHING, sessions: 1 };
      sum.usd = addBounded(sum.usd, call.micro_usd ?? 0);
      sum.tokens = addBounded(sum.tokens, call.input_tokens + call.output_tokens);
      sum.minutes = addBounded(sum.minutes, call.ms);
      sessions.set(key, sum);
    }
    if (sessions.size < FEWEST_SESSIONS) return null;
    const all = [...sessions.values()];
    const most = (metric: 'usd' | 'tokens' | 'minutes') =>
      Math.min(
        MAX_SUM,
        Math.max(
          1,
          Math.ceil(
            computeQuantile(
              all.map((one) => one[metric]),
              SHARE,
            ) * MARGIN,
          ),
        ),
      );
    return {
      ...NOTHING,
      usd: most('usd'),
      tokens: most('tokens'),
      sessions: 1,
      minutes: most('minutes'),
    };
  }
}
