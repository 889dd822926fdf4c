import type { JSONValue, LanguageModel } from 'ai';
import { screenSecrets } from '../../base/secrets/screenSecrets.ts';
import { createModelFetch, type ModelCall } from './createModelFetch.ts';
import { RequestParameters } from './requestParameters.ts';
import type { BuiltinSettings } from './settings.ts';

export interface OpenModel {
  model(call: Pick<ModelCall, 'isStreamed' | 'onBytes'>): LanguageModel;
  options: Record<string, Record<string, JSONValue>>;
  /**
   * Provider options for messages up to which the endpoint may cache; null where it caches by
   * itself.
   */
  cached: Record<string, Record<string, JSONValue>> | null;
}

/** Name of the provider for options that are for OpenAI-compatible endpoints. */
const OPENAI = 'openaiCompatible';
const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];

export async function openModel(
  settings: Pick<BuiltinSettings, 'api' | 'baseUrl' | 'apiKey'>,
  id: string,
  effort: string | null,
): Promise<OpenModel> {
  const { api, baseUrl, apiKey } = settings;
  const baseURL = baseUrl ?? '';
  const screen = screenSecrets([apiKey]);
  const parameters = new RequestParameters(api);
  if (api === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return {
      model: (call) =>
        // Without a key the provider would take one from the runner's environment.
        createAnthropic({
          baseURL,
          apiKey: apiKey === '' ? 'none' : apiKey,
          fetch: createModelFetch({ ...call, wire: api, screen, parameters }),
        })(id),
      options: { anthropic: effort !== null && EFFORTS.includes(effort) ? { effort } : {} },
      cached: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    };
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return {
    model: (call) =>
      createOpenAICompatible({
        name: OPENAI,
        baseURL,
        includeUsage: true,
        fetch: createModelFetch({ ...call, wire: api, screen, parameters }),
        ...(apiKey === '' ? {} : { apiKey }),
      })(id),
    options: { [OPENAI]: effort === null ? {} : { reasoningEffort: effort } },
    cached: null,
  };
}
