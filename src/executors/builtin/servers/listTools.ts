import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { list, text } from '../../../lib/untrusted.ts';
import { type OfferedTool, parseTool } from './parseTool.ts';

/** Most pages of a list of tools. */
const MAX_PAGES = 50;
/** Most tools of one server. */
const MAX_TOOLS = 1_000;
/** Most lines about tools of one server that are left out. */
const MAX_PROBLEMS = 10;

/** What a server offers, and what of it is left out, for people: each is a sentence without its end. */
export interface ListedTools {
  tools: OfferedTool[];
  problems: string[];
}

interface ListLimits {
  /** Longest wait for a page, and for all of them, ms. */
  timeout: number;
  signal?: AbortSignal;
}

/**
 * The tools of a server, page by page. Not the client's own `listTools`: one bad tool makes it throw
 * all of them away. Rejects where the first page does not come.
 */
export async function listTools(
  client: Client,
  { timeout, signal }: ListLimits,
): Promise<ListedTools> {
  const over = AbortSignal.timeout(timeout);
  // One for each request: the client adds a listener to it and keeps it there.
  const ofPage = () => ({ timeout, signal: AbortSignal.any(signal ? [signal, over] : [over]) });
  const tools: OfferedTool[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  let n = 0;
  for (let cursor = '', pages = 1; ; pages += 1) {
    let page: Readonly<Record<string, unknown>>;
    try {
      const params = cursor === '' ? {} : { cursor };
      page = await client.request({ method: 'tools/list', params }, ResultSchema, ofPage());
    } catch (error) {
      if (pages === 1 || signal?.aborted) throw error;
      problems.push(`page ${pages} of its tools did not come; the tools before it are kept`);
      break;
    }
    for (const entry of list(page.tools)) {
      n += 1;
      const parsed = parseTool(entry, n);
      if ('problem' in parsed) problems.push(`${parsed.problem}: it is left out`);
      else if (tools.length < MAX_TOOLS) tools.push(parsed.tool);
    }
    cursor = text(page.nextCursor);
    if (cursor === '') break;
    const why =
      tools.length >= MAX_TOOLS
        ? `it has more than ${MAX_TOOLS} tools`
        : seen.has(cursor)
          ? 'its pages of tools repeat'
          : pages >= MAX_PAGES
            ? `it has more than ${MAX_PAGES} pages of tools`
            : null;
    if (why !== null) {
      problems.push(`${why}; the tools until there are kept`);
      break;
    }
    seen.add(cursor);
  }
  const more = problems.length - MAX_PROBLEMS;
  return {
    tools,
    problems:
      more > 0 ? [...problems.slice(0, MAX_PROBLEMS), `${more} more lines like these`] : problems,
  };
}
