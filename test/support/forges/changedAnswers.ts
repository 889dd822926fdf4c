import { toFields } from '../../../src/base/json/untrusted.ts';

export interface ForgeRequest {
  path: string;
  /** Variables of a GraphQL question; empty for every other request. */
  variables: Readonly<Record<string, unknown>>;
}

/**
 * `fetch`, whose answers in JSON a test changes before svc sees them. `change` answers what to put in
 * the place of a body; undefined = it stays.
 */
export const changedAnswers =
  (change: (request: ForgeRequest, body: unknown) => unknown): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const text = await response.text();
    const { pathname, search } = new URL(input instanceof Request ? input.url : String(input));
    const bodyText = typeof init?.body === 'string' && init.body.startsWith('{') ? init.body : '{}';
    const variables = toFields(JSON.parse(bodyText).variables);
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const changed =
      response.ok && isJson
        ? change({ path: `${pathname}${search}`, variables }, JSON.parse(text))
        : undefined;
    const headers = new Headers(response.headers);
    for (const name of ['content-length', 'content-encoding', 'etag']) headers.delete(name);
    const body = changed === undefined ? text : JSON.stringify(changed);
    return new Response([204, 304].includes(response.status) ? null : body, {
      status: response.status,
      headers,
    });
  };
