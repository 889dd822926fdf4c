import type { CustomFetch } from 'openid-client';
import { fetchWithoutRedirects } from '../../../base/system/network/fetchWithoutRedirects.ts';

/** Largest answer of an issuer, bytes. */
export const MOST_ISSUER_BYTES = 512 * 1024;

/** Sends a request to the issuer. Rejects for a redirect, and for an answer above {@link MOST_ISSUER_BYTES}. */
export const fetchFromIssuer: CustomFetch = async (url, { method, headers, body, signal }) => {
  const answer = await fetchWithoutRedirects(url, {
    method,
    headers,
    ...(body instanceof URLSearchParams ? { body: body.toString() } : {}),
    ...(signal === undefined ? {} : { signal }),
  });
  const { status, headers: answerHeaders } = answer;
  if (answer.body === null) return new Response(null, { status, headers: answerHeaders });
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body) {
    size += part.length;
    if (size > MOST_ISSUER_BYTES)
      throw new Error(`The issuer sent more than ${MOST_ISSUER_BYTES} bytes.`);
    parts.push(part);
  }
  return new Response(Buffer.concat(parts), { status, headers: answerHeaders });
};
