import { listEndpointModels } from '../../executors/builtin/endpoint.ts';
import { readBuiltinSettings } from '../../executors/builtin/settings.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';

export interface EndpointAnswer {
  api: 'anthropic' | 'openai';
  baseUrl: string;
  /** Empty = no key is sent. */
  apiKey: string;
  fetch: typeof globalThis.fetch;
}

/** Models that cannot hold a conversation. */
const NOT_FOR_TALK = /embed|rerank/i;

/**
 * The conversation models that an endpoint lists; `problem`: why it lists none, null = it answered.
 * Throws SvcError `config-invalid` for an invalid address.
 */
export async function askEndpoint({
  api,
  baseUrl,
  apiKey,
  fetch,
}: EndpointAnswer): Promise<{ models: string[]; problem: string | null }> {
  const settings = readBuiltinSettings({ api, baseUrl, apiKey });
  try {
    const models = await listEndpointModels(settings, fetch);
    return {
      models: models.map(({ id }) => id).filter((id) => !NOT_FOR_TALK.test(id)),
      problem: null,
    };
  } catch (error) {
    return { models: [], problem: toErrorMessage(error) };
  }
}
