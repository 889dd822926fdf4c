import { formatCount } from '../../../base/text/formatCount.ts';
import Type from 'typebox';
import { DEFAULT_LINES, type Loki, MAX_LINES } from '../../../providers/loki/loki.ts';
import {
  DEFAULT_SPANS,
  DEFAULT_TRACES,
  MAX_SPANS,
  MAX_TRACES,
  type Tempo,
} from '../../../providers/tempo/tempo.ts';
import { defineTool, createInputSchema, READS, type Tool, createTextField } from '../tool.ts';

const MAX_QUERY_CHARS = 5_000;

const outside = { ...READS, openWorldHint: true };

const times = {
  since: Type.Optional(
    createTextField(
      'How far back from the end: 30m, 1h, 2d. Default 1h. Not together with start.',
      12,
    ),
  ),
  start: Type.Optional(
    createTextField('Start: 2026-01-31T12:00:00Z, epoch seconds, or now-6h.', 40),
  ),
  end: Type.Optional(createTextField('End, written as start is; default now.', 40)),
};

const cursor = Type.Optional(
  createTextField('The cursor of an earlier answer: its next page.', 100),
);

const createLokiQueryTool = (loki: Loki): Tool =>
  defineTool({
    name: 'loki_query',
    title: 'Query the logs (Loki)',
    description:
      'Returns log lines, or numbers computed from them, for a LogQL query such as {app="shop"} |= "error". ' +
      'If the answer has a cursor, there is more: call again with it and the same query. A narrow query and a short time range are fastest.',
    input: createInputSchema({
      query: createTextField('The LogQL query.', MAX_QUERY_CHARS),
      ...times,
      direction: Type.Optional(
        Type.Enum(['backward', 'forward'], { description: 'backward, the default: newest first.' }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_LINES,
          description: `Most lines; default ${DEFAULT_LINES}.`,
        }),
      ),
      step: Type.Optional(
        createTextField('For queries that compute numbers: time between points, such as 5m.', 12),
      ),
      cursor,
    }),
    hints: outside,
    untrusted: true,
    async run(args, { signal }) {
      const result = await loki.query(args, signal);
      const range = `from ${result.from} to ${result.to}`;
      if (result.kind === 'numbers') {
        const more =
          result.leftOut === 0
            ? ''
            : ` ${result.leftOut} more are left out: sum or filter in the query.`;
        return {
          text: `${formatCount(result.series.length, 'series', 'series')} ${range}.${more}`,
          data: { ...result },
        };
      }
      const more =
        result.cursor === null ? ' That is all.' : ` There is more: cursor "${result.cursor}".`;
      return {
        text: `${formatCount(result.lines.length, 'line')} ${range}.${more}`,
        data: { ...result },
      };
    },
  });

const createTempoTraceTool = (tempo: Tempo): Tool =>
  defineTool({
    name: 'tempo_get_trace',
    title: 'Get a trace (Tempo)',
    description:
      'Returns the spans of one trace in the order in which they started: service, duration, status, attributes. ' +
      'If the answer has a cursor, there is more: call again with it.',
    input: createInputSchema({
      traceId: Type.String({
        pattern: '^[0-9a-fA-F]{1,32}$',
        description: 'Id of the trace, hexadecimal.',
      }),
      since: Type.Optional(
        createTextField('Only search this far back: 6h. Default: no limit.', 12),
      ),
      start: times.start,
      end: times.end,
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_SPANS,
          description: `Most spans; default ${DEFAULT_SPANS}.`,
        }),
      ),
      cursor,
    }),
    hints: outside,
    untrusted: true,
    async run(args, { signal }) {
      const trace = await tempo.trace(args, signal);
      const more = trace.cursor === null ? '' : ` There is more: cursor "${trace.cursor}".`;
      return {
        text: `${trace.spans.length} of ${formatCount(trace.total, 'span')}.${more}`,
        data: { ...trace },
      };
    },
  });

const createTempoSearchTool = (tempo: Tempo): Tool =>
  defineTool({
    name: 'tempo_search',
    title: 'Search traces (Tempo)',
    description:
      'Returns traces that match a TraceQL query such as { status = error && resource.service.name = "shop" }, with the matching spans. ' +
      'Tempo returns the first ones that it finds, not the newest, and has no pages: when the answer is full, narrow the query or the time.',
    input: createInputSchema({
      query: createTextField('The TraceQL query.', MAX_QUERY_CHARS),
      ...times,
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_TRACES,
          description: `Most traces; default ${DEFAULT_TRACES}.`,
        }),
      ),
    }),
    hints: outside,
    untrusted: true,
    async run(args, { signal }) {
      const traces = await tempo.search(args, signal);
      const more = traces.full ? ' There may be more: narrow the query or the time.' : '';
      return {
        text: `${formatCount(traces.traces.length, 'trace')} from ${traces.from} to ${traces.to}.${more}`,
        data: { ...traces },
      };
    },
  });

/** Tools of the configured services; null = not configured (TOOL-7). */
export const createObservabilityTools = ({
  loki,
  tempo,
}: {
  loki: Loki | null;
  tempo: Tempo | null;
}): Tool[] => [
  ...(loki ? [createLokiQueryTool(loki)] : []),
  ...(tempo ? [createTempoTraceTool(tempo), createTempoSearchTool(tempo)] : []),
];

export const OBSERVABILITY_TOOLS: readonly string[] = [
  'loki_query',
  'tempo_get_trace',
  'tempo_search',
];
