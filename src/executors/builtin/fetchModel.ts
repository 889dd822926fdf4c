import { plainFetch } from '../../network/plainFetch.ts';
import { screenUsage } from './screenUsage.ts';

const DATA = 'data:';

/** A line of an event stream; its end is not part of it. */
const screenLine = (line: string): string =>
  line.startsWith(DATA) ? `${DATA} ${screenUsage(line.slice(DATA.length).trim())}` : line;

/** An event stream whose pieces are screened line by line, as they come. */
function screenEvents(): TransformStream<string, string> {
  let held = '';
  return new TransformStream({
    transform(text, controller) {
      const lines = (held + text).split('\n');
      held = lines.pop() ?? '';
      if (lines.length > 0) controller.enqueue(`${lines.map(screenLine).join('\n')}\n`);
    },
    flush(controller) {
      if (held !== '') controller.enqueue(screenLine(held));
    },
  });
}

/** An answer that comes as one. */
function screenWhole(): TransformStream<string, string> {
  const parts: string[] = [];
  return new TransformStream({
    transform: (text) => void parts.push(text),
    flush: (controller) => controller.enqueue(screenUsage(parts.join(''))),
  });
}

/**
 * The fetch of a model's provider: what an answer says of its tokens reaches the provider under a
 * name that it does not read, since svc checks it itself.
 */
export const fetchModel: typeof fetch = async (input, init) => {
  const answer = await plainFetch(input, init);
  if (!answer.ok || answer.body === null) return answer;
  const { status, headers, body } = answer;
  const isStream = (headers.get('content-type') ?? '').includes('event-stream');
  const content = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(isStream ? screenEvents() : screenWhole())
    .pipeThrough(new TextEncoderStream());
  return new Response(content, { status, headers });
};
