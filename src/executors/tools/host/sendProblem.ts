import type { ServerResponse } from 'node:http';
import { ERROR_CODES, type ErrorCode } from '../../../shared/errors/errors.ts';

/**
 * Answers with an RFC 9457 problem document, in the form of all others; the surface around has
 * numbered the request.
 */
export function sendProblem(
  res: ServerResponse,
  code: ErrorCode,
  detail: string,
  headers: Record<string, string> = {},
): void {
  const [status, title] = ERROR_CODES[code];
  const requestId = res.getHeader('X-Request-Id');
  res.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
  res.end(
    JSON.stringify({ type: `urn:svc:problem:${code}`, title, status, detail, code, requestId }),
  );
}
