import { type CallToolResult, ContentBlockSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Fields, list } from '../lib/untrusted.ts';

/** What a tool has answered, in the protocol's own parts. */
export interface ServerAnswer {
  content: CallToolResult['content'];
  failed: boolean;
}

const asText = (value: unknown): CallToolResult['content'][number] => ({
  type: 'text',
  text: typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
});

/** A part as the protocol knows it; another one as the text of its JSON. */
const toPart = (part: unknown): CallToolResult['content'][number] => {
  const parsed = ContentBlockSchema.safeParse(part);
  return parsed.success ? parsed.data : asText(part);
};

/** The answer to a call, whatever a server has sent: it has at least one part. */
export function toAnswer(result: Fields): ServerAnswer {
  const { content, structuredContent, toolResult, isError } = result;
  const parts = typeof content === 'string' ? [asText(content)] : list(content).map(toPart);
  const rest = structuredContent ?? toolResult ?? {};
  return { content: parts.length > 0 ? parts : [asText(rest)], failed: isError === true };
}
