import type { ModelServer } from '../../../demo/model/server.ts';

export const post = (
  server: ModelServer,
  path: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<Response> =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });

/** The events of a stream: name, where it has one, and data. */
export const readEvents = async (response: Response): Promise<unknown[]> =>
  (await response.text())
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1] ?? '';
      const parsed: unknown = data.startsWith('{') ? JSON.parse(data) : data;
      return event === undefined ? parsed : { event, data: parsed };
    });
