import { addBounded, MAX_SUM } from '../../shared/spending/addBounded.ts';
import { type Amounts, NOTHING } from '../../shared/spending/budgetScopes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';
import type { JobFacts } from './readJobFacts.ts';

/** Calls of a phase that an estimate is made from, the newest first. */
const MOST_CALLS = 500;
/** Fewest sessions that say what the next one is likely to use. */
const FEWEST_SESSIONS = 5;
/** How long an estimate is used before it is made again, ms. */
const KEPT_MS = 10 * 60_000;
/** What a session may need more than those before it. */
const MARGIN = 1.5;
const SHARE = 0.95;

/** The largest call that is expected of a model, tokens. */
export const LARGEST_CALL = { input: 200_000, output: 32_000 };
/** What a session holds of minutes where nothing is known of its phase, ms. */
const FIRST_MS = 10 * 60_000;

/** The value that a share of them do not exceed. */
export function computeQuantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** What a session of this phase is likely to use at most: by those before it, else one call. */
export class Likely {
  readonly #rows: Pick<TypedRows<Tables>, 'all'>;
  readonly #kept = new Map<string, { at: number; amounts: Amounts | null }>();

  constructor(rows: Pick<TypedRows<Tables>, 'all'>) {
    this.#rows = rows;
  }

  /** `call`: what the largest call of the model costs, millionths of a dollar. */
  of({ workflowPath, phase }: JobFacts, call: number, now: number): Amounts {
    const name = phase?.name ?? '';
    const key = `${workflowPath}\n${name}`;
    let kept = this.#kept.get(key);
    if (!kept || now - kept.at > KEPT_MS) {
      kept = { at: now, amounts: this.#measured(workflowPath, name) };
      this.#kept.set(key, kept);
    }
    const tokens = LARGEST_CALL.input + LARGEST_CALL.output;
    return kept.amounts ?? { ...NOTHING, usd: call, tokens, sessions: 1, minutes: FIRST_MS };
  }

  #measured(workflow: string, phase: string): Amounts | null {
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
