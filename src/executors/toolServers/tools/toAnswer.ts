import { type CallToolResult, ContentBlockSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  type Fields,
  toFields,
  toListOrEmpty,
  toStringOrEmpty,
} from '../../../base/json/untrusted.ts';

/** Largest picture or sound, characters of its Base64: 5 MiB, the limit of Anthropic's endpoints. */
const MAX_MEDIA_CHARS = 6_990_508;

export interface ServerAnswer {
  content: CallToolResult['content'];
  failed: boolean;
}

const toTextContent = (value: unknown): CallToolResult['content'][number] => ({
  type: 'text',
  text: typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
});

/** Drops members that are null: many servers write them for empty ones. */
const withoutNulls = (part: unknown): unknown =>
  toFields(part) === part
    ? Object.fromEntries(Object.entries(toFields(part)).filter(([, value]) => value !== null))
    : part;

/**
 * A part in the protocol's form; an unknown one becomes its JSON as text. A picture that no
 * endpoint takes is only named: it would end the agent's session.
 */
const toPart = (part: unknown): CallToolResult['content'][number] => {
  const { type, data } = toFields(part);
  if (toStringOrEmpty(data).length > MAX_MEDIA_CHARS)
    return toTextContent(
      `[${toStringOrEmpty(type)} left out: it has more than ${MAX_MEDIA_CHARS} characters as Base64]`,
    );
  const parsed = ContentBlockSchema.safeParse(withoutNulls(part));
  return parsed.success ? parsed.data : toTextContent(part);
};

export function toAnswer(result: Fields): ServerAnswer {
  const { content, structuredContent, toolResult, isError } = result;
  const contentParts = toFields(content) === content ? [content] : toListOrEmpty(content);
  const parts = typeof content === 'string' ? [toTextContent(content)] : contentParts.map(toPart);
  const rest = structuredContent ?? toolResult ?? {};
  return {
    content: parts.length > 0 ? parts : [toTextContent(rest)],
    failed: isError === true || isError === 'true',
  };
}
