import type { Conversation } from './conversation.ts';
import type { Json } from './jsonBody.ts';
import { anthropic } from './wires/anthropic.ts';
import { gemini } from './wires/gemini.ts';
import { openaiChat } from './wires/openaiChat.ts';
import { openaiResponses } from './wires/openaiResponses.ts';
import type { Wire } from './wires/wire.ts';

export type Route =
  | { ask: 'reply'; wire: Wire; conversation(body: Json): Conversation }
  | { ask: 'count'; answer(tokens: number): unknown }
  | { ask: 'fixed'; status: number; answer: unknown };

/** The models that the endpoint says it has; it answers for every other one as well. */
const MODELS = ['claude-sonnet-4-5', 'scripted'];

const MODEL_LIST = {
  object: 'list',
  data: MODELS.map((id) => ({
    id,
    type: 'model',
    object: 'model',
    display_name: id,
    created_at: '2026-01-01T00:00:00Z',
    owned_by: 'svc',
  })),
  has_more: false,
  first_id: MODELS[0],
  last_id: MODELS.at(-1),
};

const createReplyRoute = (wire: Wire, address = { model: '', stream: false }): Route => ({
  ask: 'reply',
  wire,
  conversation: (body) => wire.conversation(body, address),
});

const GEMINI = /\/models\/([^/:]+):(streamGenerateContent|generateContent|countTokens)$/;

/** What a request asks for. Addresses may stand with and without `/v1`, and with any query. */
export function selectModelRoute(method: string, path: string): Route {
  const place = (path.split('?', 1)[0] ?? '').replace(/\/+$/, '');
  if (method === 'HEAD') return { ask: 'fixed', status: 200, answer: null };
  if (method === 'GET' && place.endsWith('/models'))
    return { ask: 'fixed', status: 200, answer: MODEL_LIST };
  const [, model = '', verb] = GEMINI.exec(place) ?? [];
  if (method === 'POST' && verb === 'countTokens')
    return { ask: 'count', answer: (tokens) => ({ totalTokens: tokens }) };
  if (method === 'POST' && verb)
    return createReplyRoute(gemini, { model, stream: verb === 'streamGenerateContent' });
  if (method === 'POST' && place.endsWith('/messages/count_tokens')) {
    return { ask: 'count', answer: (tokens) => ({ input_tokens: tokens }) };
  }
  if (method === 'POST' && place.endsWith('/messages')) return createReplyRoute(anthropic);
  if (method === 'POST' && place.endsWith('/chat/completions')) return createReplyRoute(openaiChat);
  if (method === 'POST' && place.endsWith('/responses')) return createReplyRoute(openaiResponses);
  const message = `The model endpoint does not know ${method} ${path}.`;
  return { ask: 'fixed', status: 404, answer: anthropic.failure(404, message) };
}
