/** A model server on this machine with an OpenAI API. */
export interface LocalEndpoint {
  /** What usually listens on this port. */
  name: string;
  /** `http://127.0.0.1:<port>`. */
  url: string;
  /** The first conversation model that it lists. */
  model: string;
}

/** Default ports of model servers. */
const USUAL: readonly (readonly [port: number, name: string])[] = [
  [11434, 'Ollama'],
  [1234, 'LM Studio'],
  [8080, 'llama.cpp'],
  [8000, 'vLLM'],
];

/** Longest wait for all answers together, ms. */
export const PROBE_MS = 300;
/** Most bytes read of a model list. */
const MAX_LIST_BYTES = 256 * 1024;
/** Ids that are safe to paste into a shell. */
const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,127}$/;

/**
 * Port of OLLAMA_HOST (`127.0.0.1:11500`, `:11500`, `http://localhost:11500`) if it is on this
 * machine, else null.
 */
export function parseOllamaPort(host: string | undefined): number | null {
  if (host === undefined || host === '') return null;
  const address = host.includes('://')
    ? host
    : `http://${host.startsWith(':') ? `127.0.0.1${host}` : host}`;
  if (!URL.canParse(address)) return null;
  const { hostname, port } = new URL(address);
  return ['127.0.0.1', 'localhost', '0.0.0.0', '[::1]'].includes(hostname)
    ? Number(port || 11434)
    : null;
}

async function fetchModelList(url: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(`${url}/v1/models`, {
    signal,
    redirect: 'error',
    headers: { accept: 'application/json' },
  });
  if (!response.ok || response.body === null) return null;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body) {
    bytes += part.length;
    if (bytes > MAX_LIST_BYTES) return null;
    parts.push(part);
  }
  return JSON.parse(Buffer.concat(parts).toString('utf8'));
}

/** The first conversation model of a list with an id that is safe in a shell; null = none. */
export function pickFirstModel(list: unknown): string | null {
  const { data }: { data?: unknown } = Object(list);
  if (!Array.isArray(data)) return null;
  const ids = data
    .map((one) => Object(one).id)
    .filter((id): id is string => typeof id === 'string' && PLAIN_ID.test(id));
  return ids.find((id) => !/embed|rerank/i.test(id)) ?? null;
}

/**
 * Model servers that answer on this machine now, that of OLLAMA_HOST first. Asks the usual loopback
 * ports at once and gives up after {@link PROBE_MS}. Never rejects.
 */
export async function findLocalEndpoints(
  env: Readonly<Record<string, string | undefined>>,
): Promise<LocalEndpoint[]> {
  const own = parseOllamaPort(env.OLLAMA_HOST);
  const places = [
    ...(own === null ? [] : [[own, 'Ollama'] as const]),
    ...USUAL.filter(([port]) => port !== own),
  ];
  const signal = AbortSignal.timeout(PROBE_MS);
  const localEndpoints = await Promise.all(
    places.map(async ([port, name]): Promise<LocalEndpoint | null> => {
      const url = `http://127.0.0.1:${port}`;
      const model = await fetchModelList(url, signal).then(pickFirstModel, () => null);
      return model === null ? null : { name, url, model };
    }),
  );
  return localEndpoints.filter((one) => one !== null);
}
