import { createHmac } from 'node:crypto';
import definitions from '@octokit/webhooks-examples';
import { requestBytes } from './httpConnection.ts';

export const HOOK_SECRET = 'the secret of the bench';
export const HOOK_REPO = 'acme/shop';

const examples: { name: string; examples: unknown[] }[] = Object(definitions);

const createExample = (
  event: string,
  fits: (payload: Record<string, unknown>) => boolean,
): Record<string, unknown> => {
  const payloads = examples.find(({ name }) => name === event)?.examples ?? [];
  const example = payloads.map((payload) => Object(payload)).find(fits);
  if (!example) throw new Error(`@octokit/webhooks-examples has no such ${event}`);
  return example;
};

function delivery(payload: object, n: number, path = '/webhooks/github'): Buffer {
  const text = JSON.stringify(payload);
  return requestBytes('POST', path, payload, {
    'X-GitHub-Delivery': `bench-delivery-${n}`,
    'X-Hub-Signature-256': `sha256=${createHmac('sha256', HOOK_SECRET).update(text).digest('hex')}`,
  });
}

/**
 * Comments of a member on the tickets 1 to `tickets` in turn, each another one, as GitHub sends
 * them (11 kB). `first`: number of the first one; `paths`: where they are sent to, by turns.
 */
export function commentDeliveries(
  count: number,
  tickets: number,
  { first = 0, paths = ['/webhooks/github'] }: { first?: number; paths?: readonly string[] } = {},
): Buffer[] {
  const example = createExample(
    'issue_comment',
    ({ action, issue }) => action === 'created' && Object(issue).pull_request === undefined,
  );
  const at = new Date().toISOString();
  return Array.from({ length: count }, (_, index) => {
    const n = first + index;
    const comment = {
      ...Object(example.comment),
      id: n,
      author_association: 'MEMBER',
      created_at: at,
      body: `Comment ${n}`,
    };
    const issue = { ...Object(example.issue), number: 1 + (n % tickets) };
    const repository = { ...Object(example.repository), full_name: HOOK_REPO };
    return delivery({ ...example, issue, comment, repository }, n, paths[n % paths.length]);
  });
}

/** Reviews of the pull requests 1 to `prs` in turn (20 kB). */
export function reviewDeliveries(count: number, prs: number): Buffer[] {
  const example = createExample('pull_request_review', ({ action }) => action === 'submitted');
  const at = new Date().toISOString();
  return Array.from({ length: count }, (_, n) => {
    const review = { ...Object(example.review), id: n, submitted_at: at };
    const pr = { ...Object(example.pull_request), number: 1 + (n % prs) };
    const repository = { ...Object(example.repository), full_name: HOOK_REPO };
    return delivery({ ...example, review, pull_request: pr, repository }, 1_000_000 + n);
  });
}
