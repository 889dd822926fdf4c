import type { DecidesQuestions, DecisionQuestion } from '../../../contract/policy/decider.ts';
import type { DecisionReply } from '../../../contract/schema/policy/decision.ts';
import { fetchWithoutRedirects } from '../../../base/system/network/fetchWithoutRedirects.ts';
import { parseStrictJson } from '../reply/parseStrictJson.ts';

/** Largest answer of a provider, bytes. */
const MAX_ANSWER_BYTES = 16 * 1024;

async function readBoundedAnswer(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    bytes += next.value.byteLength;
    if (bytes > MAX_ANSWER_BYTES) {
      await reader.cancel().catch(() => undefined);
      throw new Error(`The answer has more than ${MAX_ANSWER_BYTES / 1024} KiB.`);
    }
    parts.push(next.value);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Version of the wire format; docs/concepts/decision-layer.md describes it. */
export const WIRE_VERSION = 1;

interface WireSettings {
  baseUrl: string;
  apiKey: string;
}

const toDecisionsUrl = (baseUrl: string): URL =>
  new URL('v1/decisions', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);

/**
 * The `decider` provider: one POST, never repeated, since the time limit covers everything.
 * Redirects are refused: a key in a header must not follow them.
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
    // The caller checks the answer.
    return parseStrictJson(text) as DecisionReply;
  },
});
