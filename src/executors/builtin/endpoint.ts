import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import { isMarkupPage, parseRefusal } from '../process/refusal/parseRefusal.ts';
import type { BuiltinSettings } from './settings.ts';

const ASK_MS = 8_000;
const MAX_MODELS = 1_000;
const ANTHROPIC_VERSION = '2023-06-01';

export const NOT_SET_UP =
  'No model endpoint is configured: set plugins.installed.builtin.config.baseUrl, for example to http://127.0.0.1:11434, or apiKey for Anthropic’s own.';

interface ListedModel {
  id: string;
  title: string;
}

const buildEndpointHeaders = ({ api, apiKey }: BuiltinSettings): Record<string, string> => {
  if (api === 'anthropic')
    return {
      'anthropic-version': ANTHROPIC_VERSION,
      ...(apiKey === '' ? {} : { 'x-api-key': apiKey }),
    };
  return apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };
};

const requestModelList = (
  settings: BuiltinSettings,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<Response> =>
  fetch(`${settings.baseUrl}/models`, {
    headers: buildEndpointHeaders(settings),
    redirect: 'error',
    signal: AbortSignal.timeout(ASK_MS),
  });

const readRootMessage = (error: unknown): string =>
  toErrorMessage(error instanceof Error && error.cause ? error.cause : error);

function describePage({ headers }: Response, body: string): string | null {
  if (!isMarkupPage(body)) return null;
  const type = (headers.get('content-type') ?? '').split(';', 1)[0] || 'no content type';
  return `answers with ${type} instead of a list of models: ${parseRefusal(body).words}. Check plugins.installed.builtin.config.baseUrl, and what is between the runner and the endpoint.`;
}

/** Whether a session could begin now: the endpoint answers and takes the key. */
export async function checkEndpointHealth(
  settings: BuiltinSettings,
): Promise<{ ok: boolean; detail: string }> {
  const { baseUrl } = settings;
  if (baseUrl === null) return { ok: false, detail: NOT_SET_UP };
  try {
    const answer = await requestModelList(settings);
    const { status } = answer;
    if (status === 401 || status === 403) {
      const key = settings.apiKey === '' ? 'requires a key' : 'refuses the key';
      return {
        ok: false,
        detail: `${baseUrl} ${key} (${status}): see plugins.installed.builtin.config.apiKey.`,
      };
    }
    if (status >= 500) return { ok: false, detail: `${baseUrl} answers ${status}.` };
    const page = status === 200 ? describePage(answer, await answer.text()) : null;
    if (page !== null) return { ok: false, detail: `${baseUrl} ${page}` };
    return {
      ok: true,
      detail:
        status === 200
          ? `${baseUrl} answers.`
          : `${baseUrl} answers; it does not list its models (${status}).`,
    };
  } catch (error) {
    return { ok: false, detail: `${baseUrl} cannot be reached: ${readRootMessage(error)}` };
  }
}

/**
 * The models that the endpoint lists; none while no endpoint is set up. Throws SvcError
 * `not-possible-now` where it lists none, `unreachable` where it does not answer.
 */
export async function listEndpointModels(
  settings: BuiltinSettings,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<ListedModel[]> {
  if (settings.baseUrl === null) return [];
  let body: unknown;
  try {
    const response = await requestModelList(settings, fetch);
    if (!response.ok)
      throw new SvcError(
        'not-possible-now',
        `${settings.baseUrl} does not list its models (${response.status}).`,
      );
    const text = await response.text();
    const page = describePage(response, text);
    if (page !== null) throw new SvcError('not-possible-now', `${settings.baseUrl} ${page}`);
    body = JSON.parse(text);
  } catch (error) {
    if (error instanceof SvcError) throw error;
    throw new SvcError(
      'unreachable',
      `${settings.baseUrl} cannot be reached: ${readRootMessage(error)}`,
    );
  }
  const entries =
    typeof body === 'object' && body !== null && 'data' in body && Array.isArray(body.data)
      ? body.data
      : [];
  return entries.slice(0, MAX_MODELS).flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('id' in one) || typeof one.id !== 'string')
      return [];
    const title =
      'display_name' in one && typeof one.display_name === 'string' ? one.display_name : one.id;
    return [{ id: one.id, title }];
  });
}
