/** Text of `src/client.ts` of a forge. */
export const SCM_CLIENT = `import type { GuardedRequest } from './contract.js';

/** What your server answers. Change these to what its API says, and the paths and the mapping in \`index.ts\`. */
export interface Pull {
  number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  merged: boolean;
  user: { login: string };
  head: { ref: string; sha: string };
  base: { ref: string; repo: { full_name: string } };
  mergeable: boolean | null;
  html_url: string;
  created_at: string;
  updated_at: string;
  merged_at: string | null;
  closed_at: string | null;
  merged_by: { login: string } | null;
  closed_by: { login: string } | null;
  merge_commit_sha: string | null;
}
export interface Note {
  id: number;
  /** Id of the comment that this one answers. */
  in_reply_to: number | null;
  user: { login: string };
  body: string;
  created_at: string;
  html_url: string;
  is_member: boolean;
}
export interface Review extends Note {
  state: 'APPROVED' | 'REQUEST_CHANGES' | 'DISMISSED';
  commit_id: string;
}
export interface Status {
  id: number;
  context: string;
  state: 'pending' | 'success' | 'failure' | 'error' | 'skipped';
  target_url: string;
  updated_at: string;
}

/** The codes that svc knows, by HTTP status. */
const CODES: Readonly<Record<number, string>> = {
  401: 'config-invalid',
  403: 'forbidden',
  404: 'not-found',
  405: 'conflict',
  409: 'conflict',
  429: 'rate-limited',
};
/** Most pull requests of a list, and of one page. */
const MAX_LISTED = 500;
const PAGE = 50;

/** A client of the server's API. Every call may be in a process of its own: it keeps nothing. */
export function createClient(request: GuardedRequest, api: string, token: string, now: () => number) {
  async function text(method: string, path: string, body?: object): Promise<string> {
    const answer = await request(\`\${api}\${path}\`, {
      method,
      headers: { authorization: \`Bearer \${token}\`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (answer.status < 300) return answer.text;
    const code = CODES[answer.status] ?? (answer.status < 500 ? 'bad-argument' : 'unreachable');
    const seconds = Number(answer.retryAfter ?? 60);
    const retryAt = now() + seconds * 1000;
    throw Object.assign(new Error(\`\${answer.status}: \${answer.text.slice(0, 300)}\`), { code, retryAt });
  }
  const json = async <T>(method: string, path: string, body?: object): Promise<T> =>
    JSON.parse(await text(method, path, body)) as T;
  async function list<T>(path: string): Promise<T[]> {
    const all: T[] = [];
    for (let page = 1; all.length < MAX_LISTED; page += 1) {
      const more = await json<T[]>('GET', \`\${path}?state=all&limit=\${PAGE}&page=\${page}\`);
      all.push(...more);
      if (more.length < PAGE) break;
    }
    return all;
  }
  return { text, json, list };
}
`;
