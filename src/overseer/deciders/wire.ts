import type { DecidesQuestions, DecisionQuestion } from '../../contract/decider.ts';
import type { DecisionReply } from '../../schema/decision.ts';
import { plainFetch } from '../../network/plainFetch.ts';
import { strictJson } from '../reply/strictJson.ts';
import { boundedAnswer } from './boundedAnswer.ts';

/** Version of the wire format; docs/concepts/decision-layer.md describes it. */
export const WIRE_VERSION = 1;

interface WireSettings {
  /** Origin of the provider, with a path where it has one. */
  baseUrl: string;
  apiKey: string;
}

const addressOf = (baseUrl: string): URL =>
  new URL('v1/decisions', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);

/**
 * The `decider` provider: one POST, never repeated, since the time is for all of it. Redirects are
 * refused: a key in a header must not follow them.
 */
export const wireDecider = ({ baseUrl, apiKey }: WireSettings): DecidesQuestions => ({
  async decide(question: DecisionQuestion, signal: AbortSignal): Promise<DecisionReply> {
    const address = addressOf(baseUrl);
    const response = await plainFetch(address, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        accept: 'application/json',
        'idempotency-key': question.id,
      },
      body: JSON.stringify({ version: WIRE_VERSION, ...question }),
      signal,
    });
    const text = await boundedAnswer(response);
    if (response.status !== 200) throw new Error(`${address.origin} answers ${response.status}.`);
    // The caller checks what comes back.
    return strictJson(text) as DecisionReply;
  },
});
