import type { Reply, SeenRequest } from './server.ts';

/** One stream as a client has pushed it. Times are nanoseconds. */
export interface Stream {
  labels: Record<string, string>;
  entries: { at: bigint; line: string }[];
}

const MAX_ENTRIES = 5_000;

const plain = (status: number, body: string): Reply => ({
  status,
  type: 'text/plain; charset=utf-8',
  body,
});
const json = (value: unknown): Reply => ({
  status: 200,
  type: 'application/json; charset=UTF-8',
  body: JSON.stringify(value),
});

/** Only what the tests need of LogQL: matchers with `=`, and `|= "text"`. */
function parseLogQuery(
  query: string,
): { matches(stream: Stream): boolean; holds(line: string): boolean } | string {
  const [, selector, rest = ''] = /^\{([^}]*)\}(.*)$/s.exec(query) ?? [];
  if (selector === undefined)
    return 'parse error at line 1, col 1: syntax error: unexpected IDENTIFIER';
  const labels = [...selector.matchAll(/(\w+)="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  if (labels.length === 0)
    return 'parse error : queries require at least one regexp or equality matcher that does not have an empty-compatible value';
  const substring = /\|=\s*"([^"]*)"/.exec(rest)?.[1] ?? '';
  return {
    matches: (stream) => labels.every(([name, value]) => stream.labels[name] === value),
    holds: (line) => line.includes(substring),
  };
}

/** Loki's own answers to the paths that svc uses; texts of errors are its own. */
export function answerLoki(streams: readonly Stream[], { path, query }: SeenRequest): Reply {
  if (path === '/loki/api/v1/labels')
    return json({
      status: 'success',
      data: [...new Set(streams.flatMap(({ labels }) => Object.keys(labels)))].sort(),
    });
  if (path !== '/loki/api/v1/query_range') return plain(404, '404 page not found\n');
  const [start, end, limit] = [
    BigInt(query.start ?? '0'),
    BigInt(query.end ?? '0'),
    Number(query.limit ?? 100),
  ];
  if (limit > MAX_ENTRIES)
    return plain(
      400,
      `max entries limit per query exceeded, limit > max_entries_limit_per_query (${limit} > ${MAX_ENTRIES})`,
    );
  const countedQuery = /^sum\(count_over_time\((\{.*\}) *\[\w+\]\)\)$/s.exec(
    query.query ?? '',
  )?.[1];
  const logQuery = parseLogQuery(countedQuery ?? query.query ?? '');
  if (typeof logQuery === 'string') return plain(400, logQuery);
  const entries = streams.filter(logQuery.matches).flatMap((stream, n) =>
    stream.entries
      // A range takes its begin in and leaves its end out.
      .filter(({ at, line }) => at >= start && at < end && logQuery.holds(line))
      .map((entry) => ({ ...entry, stream, n })),
  );
  if (countedQuery !== undefined) {
    const values = [[Number(end / 1_000_000_000n), String(entries.length)]];
    return json({
      status: 'success',
      data: { resultType: 'matrix', result: [{ metric: {}, values }], stats: {} },
    });
  }
  const sign = query.direction === 'forward' ? 1 : -1;
  const first = entries.sort((a, b) => sign * Number(a.at - b.at) || a.n - b.n).slice(0, limit);
  const result = [...new Set(first.map(({ stream }) => stream))].map((stream) => ({
    stream: stream.labels,
    values: first.filter((one) => one.stream === stream).map(({ at, line }) => [String(at), line]),
  }));
  return json({
    status: 'success',
    data: { resultType: 'streams', result, stats: { summary: { totalLinesProcessed: 1 } } },
  });
}
