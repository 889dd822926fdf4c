/** Wait after a secondary limit that names no time, as GitHub asks for: a minute. */
const UNNAMED_WAIT_MS = 60_000;

/** An answer whose body was read. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

const numberIn = (headers: Headers, name: string): number | null => {
  const value = headers.get(name);
  return value !== null && /^\d+$/.test(value) ? Number(value) : null;
};

/** What an answer says of the account's limit; null where it says nothing. */
export function limitIn({ headers }: Answer): { resource: string; limit: number; remaining: number; resetsAt: number } | null {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => numberIn(headers, `x-ratelimit-${name}`));
  if (limit == null || remaining == null || reset == null) return null;
  return { resource: headers.get('x-ratelimit-resource') ?? 'core', limit, remaining, resetsAt: reset * 1000 };
}

/** Whether the forge refuses because too much was asked, and until when it wants nothing more (epoch ms); null = it does not. */
export function refusedUntil(answer: Answer, now: number): number | null {
  const { status, headers, text } = answer;
  const graphql = status === 200 && text.includes('"RATE_LIMITED"');
  const retryAfter = headers.get('retry-after');
  const said = /rate limit|abuse detection/i.test(text);
  const spent = numberIn(headers, 'x-ratelimit-remaining') === 0;
  if (!graphql && status !== 429 && !(status === 403 && (retryAfter !== null || spent || said))) return null;
  if (retryAfter !== null) {
    const at = /^\d+$/.test(retryAfter) ? now + Number(retryAfter) * 1000 : Date.parse(retryAfter);
    if (Number.isFinite(at)) return at;
  }
  const reset = numberIn(headers, 'x-ratelimit-reset');
  return spent && reset !== null ? Math.max(reset * 1000, now + 1000) : now + UNNAMED_WAIT_MS;
}
