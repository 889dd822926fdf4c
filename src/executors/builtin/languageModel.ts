import type { JSONValue, LanguageModel } from 'ai';
import { screenSecrets } from '../../shared/secrets/screenSecrets.ts';
import { createModelFetch, type ModelCall } from './createModelFetch.ts';
import { RequestParameters } from './requestParameters.ts';
import type { BuiltinSettings } from './settings.ts';

/** A model as the AI SDK takes it, with the options sent beside the messages. */
export interface OpenModel {
  /** For one request. */
  model(call: Pick<ModelCall, 'isStreamed' | 'onBytes'>): LanguageModel;
  /** For each request. */
  options: Record<string, Record<string, JSONValue>>;
  /**
   * For the messages up to which the endpoint may keep what it has read; null where it does that by
   * itself.
   */
  cached: Record<string, Record<string, JSONValue>> | null;
}

/** Name of the provider for options that are for OpenAI-compatible endpoints. */
const OPENAI = 'openaiCompatible';
const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];

/** Loads the provider, which is needed only once a session runs. */
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
        // Without a key of ours the provider would take one out of the runner's environment.
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
