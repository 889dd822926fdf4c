import type { DecidesQuestions, DecisionQuestion } from '../../../contract/policy/decider.ts';
import type { DecisionReply } from '../../../contract/schema/policy/decision.ts';
import { fetchWithoutRedirects } from '../../../shared/system/network/fetchWithoutRedirects.ts';
import { parseStrictJson } from '../reply/parseStrictJson.ts';
import { readBoundedAnswer } from './readBoundedAnswer.ts';

/** Version of the wire format; docs/concepts/decision-layer.md describes it. */
export const WIRE_VERSION = 1;

interface WireSettings {
  /** Origin of the provider, with a path where it has one. */
  baseUrl: string;
  apiKey: string;
}

const toDecisionsUrl = (baseUrl: string): URL =>
  new URL('v1/decisions', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);

/**
 * The `decider` provider: one POST, never repeated, since the time is for all of it. Redirects are
 * refused: a key in a header must not follow them.
 */
export const createWireDecider = ({ baseUrl, apiKey }: WireSettings): DecidesQuestions => ({
  async decide(question: DecisionQuestion, signal: AbortSignal): Promise<DecisionReply> {
    const address = toDecisionsUrl(baseUrl);
    const response = await fetchWithoutRedirects(address, {
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
    const text = await readBoundedAnswer(response);
    if (response.status !== 200) throw new Error(`${address.origin} answers ${response.status}.`);
    // The caller checks what comes back.
    return parseStrictJson(text) as DecisionReply;
  },
});
