import type { ServerResponse } from 'node:http';
import { ERROR_CODES, type ErrorCode } from '../lib/errors.ts';

/** Answers with an RFC 9457 problem document. */
export function sendProblem(res: ServerResponse, code: ErrorCode, detail: string, headers: Record<string, string> = {}): void {
  const [status, title] = ERROR_CODES[code];
  res.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
  res.end(JSON.stringify({ type: 'about:blank', title, status, detail, code }));
}
