import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ErrorCode, McpError, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../../../base/time/clock.ts';
import { toListOrEmpty, toStringOrEmpty } from '../../../base/json/untrusted.ts';
import { type OfferedTool, parseTool, escapeShownName } from './parseTool.ts';

/** Most pages of a list of tools. */
const MAX_PAGES = 50;
const MAX_TOOLS = 1_000;
/** Longest list of tools of one server, characters of its JSON. */
const MAX_LIST_CHARS = 8 * 1024 * 1024;
/** Most lines about tools of one server that are left out. */
const MAX_PROBLEMS = 10;

export interface ListedTools {
  tools: OfferedTool[];
  problems: string[];
}

interface ListLimits {
  clock: Clock;
  /** Longest wait for all pages together, ms. */
  timeout: number;
  signal?: AbortSignal;
}

/**
 * The tools of a server, page by page. The client's own `listTools` would discard all of them for
 * one bad tool. Rejects if the first page does not come.
 */
export async function listTools(
  client: Client,
  { clock, timeout, signal }: ListLimits,
): Promise<ListedTools> {
  const endBy = clock.now() + timeout;
  // A new signal for each request: the client adds a listener and never removes it.
  const limits = () => ({
    timeout: Math.max(1, endBy - clock.now()),
    ...(signal ? { signal: AbortSignal.any([signal]) } : {}),
  });
  const tools: OfferedTool[] = [];
  const problems: string[] = [];
  const names = new Set<string>();
  const repeatedNames: string[] = [];
  const seenNames = new Set<string>();
  let n = 0;
  let chars = 0;
  let end: string | null = null;
  for (let cursor = '', pages = 1; end === null; pages += 1) {
    let page: Readonly<Record<string, unknown>>;
    try {
      const params = cursor === '' ? {} : { cursor };
      page = await client.request({ method: 'tools/list', params }, ResultSchema, limits());
    } catch (error) {
      if (signal?.aborted) throw error;
      if (pages > 1) end = `page ${pages} of its tools did not arrive`;
      else if (error instanceof McpError && error.code === ErrorCode.MethodNotFound)
        end = 'it has no tools';
      else throw error;
      break;
    }
    chars += JSON.stringify(page).length;
    if (!Array.isArray(page.tools)) problems.push(`page ${pages} of its tools is not a list`);
    for (const entry of toListOrEmpty(page.tools)) {
      n += 1;
      const parsed = parseTool(entry, n);
      if ('problem' in parsed) problems.push(`${parsed.problem}: it is left out`);
      else if (names.has(parsed.tool.name)) repeatedNames.push(parsed.tool.name);
      else {
        names.add(parsed.tool.name);
        tools.push(parsed.tool);
      }
    }
    cursor = toStringOrEmpty(page.nextCursor);
    if (tools.length > MAX_TOOLS) end = `it has more than ${MAX_TOOLS} tools`;
    else if (cursor === '') break;
    else if (seenNames.has(cursor)) end = 'its pages of tools repeat';
    else if (pages >= MAX_PAGES) end = `it has more than ${MAX_PAGES} pages of tools`;
    else if (chars >= MAX_LIST_CHARS)
      end = `its list of tools has more than ${MAX_LIST_CHARS} characters`;
    seenNames.add(cursor);
  }
  const offeredTools = tools.slice(0, MAX_TOOLS);
  if (repeatedNames.length > 0)
    problems.unshift(
      `it lists ${repeatedNames.length === 1 ? 'a tool' : `${repeatedNames.length} tools`} more than once, such as ${escapeShownName(repeatedNames[0] ?? '')}; the first of each is kept`,
    );
  if (end !== null)
    problems.unshift(
      offeredTools.length === 0 ? end : `${end}; the first ${offeredTools.length} are kept`,
    );
  const more = problems.length - MAX_PROBLEMS;
  return {
    tools: offeredTools,
    problems:
      more > 0 ? [...problems.slice(0, MAX_PROBLEMS), `${more} more lines like these`] : problems,
  };
}
