import { toFields } from '../../base/json/untrusted.ts';
import { parseOutputLimit, parseTooLong } from '../process/refusal/parseLengths.ts';
import type { Refusal } from '../process/refusal/parseRefusal.ts';
import type { Wire } from './screenPiece.ts';

/** The replacement of a parameter that a model refuses; null = it is left out. */
const INSTEAD: Readonly<Record<Wire, Readonly<Record<string, string | null>>>> = {
  openai: {
    max_tokens: 'max_completion_tokens',
    max_completion_tokens: 'max_tokens',
    temperature: null,
    stream_options: null,
  },
  anthropic: { temperature: null },
};
const STATUSES: ReadonlySet<number> = new Set([400, 422]);
/** How servers say that they refuse a parameter, or any value but their own. */
const UNSUPPORTED =
  /\b(?:unsupported|unrecogni[sz]ed|unknown|unexpected|deprecated|extra_forbidden)\b|\b(?:not|n't) (?:be )?(?:supported?|permitted|allowed|accepted?|recogni[sz]ed)\b/i;

type Parameters = Readonly<Record<string, unknown>>;

const parse = (body: unknown): Parameters => {
  try {
    return toFields(JSON.parse(String(body)));
  } catch {
    return {};
  }
};

/**
 * The parameters that a model has refused by name. Reasoning models take another name for the
 * answer length than older servers, and no temperature; only their refusal shows it.
 */
export class RequestParameters {
  readonly #instead: Readonly<Record<string, string | null>>;
  readonly #refused = new Set<string>();

  constructor(wire: Wire) {
    this.#instead = INSTEAD[wire];
  }

  apply(body: unknown): string {
    const keptEntries = Object.entries(parse(body)).flatMap(
      ([name, value]): [string, unknown][] => {
        if (!this.#refused.has(name)) return [[name, value]];
        const instead = this.#instead[name] ?? null;
        return instead === null ? [] : [[instead, value]];
      },
    );
    return JSON.stringify(Object.fromEntries(keptEntries));
  }

  /**
   * Notes the parameter that a refusal of this request names. False if it names none, or one whose
   * two names were both refused.
   */
  learn(status: number, refusal: Refusal, body: unknown): boolean {
    if (!STATUSES.has(status) || !UNSUPPORTED.test(`${refusal.codes.join(' ')} ${refusal.words}`))
      return false;
    const sentBody = parse(body);
    const requestedTokens = Number(sentBody.max_tokens ?? sentBody.max_completion_tokens ?? 0);
    if (
      parseTooLong(refusal, status) !== null ||
      parseOutputLimit(refusal, requestedTokens) !== null
    )
      return false;
    const isNamed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(refusal.words);
    const name = Object.keys(this.#instead).find(
      (one) => Object.hasOwn(sentBody, one) && isNamed(one),
    );
    if (name === undefined || this.#refused.has(this.#instead[name] ?? name)) return false;
    this.#refused.add(name);
    return true;
  }
}
