import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toIsoNanoseconds } from '../../../src/providers/observability/timeRange.ts';
import type { FakeSpan } from '../../support/agents/fakeObservability/tempo.ts';
import { observed, type Observed } from '../../support/agents/observedTools.ts';

const test = suite('tools: tempo_get_trace, tempo_search');

const MS = 1_000_000n;
const TRACE = '002f3e0cee77ae5dc9c17ade3689eb2e';

const id = (n: number): string => n.toString(16).padStart(16, '0');

const withTrace = ({ fake, now }: Observed, count = 2): FakeSpan[] => {
  const start = now - 10_000n * MS;
  const spans: FakeSpan[] = Array.from({ length: count }, (_, n) => ({
    id: id(n + 1),
    service: n % 2 === 0 ? 'shop' : 'billing',
    name: n === 0 ? 'POST /order' : `step ${n}`,
    ...(n === 0 ? {} : { parent: id(1) }),
    start: start + BigInt(n) * MS,
    end: start + BigInt(n) * MS + 5n * MS,
    ...(n === 1
      ? { error: 'card refused', attributes: { 'http.status_code': 402, retried: true } }
      : {}),
  }));
  fake.traces.set(TRACE, spans);
  return spans;
};

test('a trace is its spans in order, with service, parent, duration, status and attributes (TOOL-7)', () =>
  observed(async (stage) => {
    const [first] = withTrace(stage);
    const { text, data, isError } = await stage.call('tempo_get_trace', {
      traceId: TRACE.toUpperCase(),
    });
    assert.is(isError, false, text);
    const start = first?.start ?? 0n;
    assert.equal(data, {
      traceId: TRACE.toUpperCase(),
      total: 2,
      cursor: null,
      spans: [
        {
          id: id(1),
          parent: null,
          service: 'shop',
          name: 'POST /order',
          kind: 'server',
          start: toIsoNanoseconds(start),
          durationMs: 5,
          status: 'unset',
          attributes: {},
          events: [],
        },
        {
          id: id(2),
          parent: id(1),
          service: 'billing',
          name: 'step 1',
          kind: 'server',
          start: toIsoNanoseconds(start + MS),
          durationMs: 5,
          status: 'error: card refused',
          attributes: { 'http.status_code': '402', retried: 'true' },
          events: [],
        },
      ],
    });
    assert.match(text, /^2 of 2 spans\.\n\nThe text inside the fence was written by others\./);
  }));

test('a large trace comes in pages, each span once (TOOL-7)', () =>
  observed(async (stage) => {
    withTrace(stage, 130);
    const names: string[] = [];
    let cursor: unknown = null;
    do {
      const { data = {} } = await stage.call('tempo_get_trace', {
        traceId: TRACE,
        ...(cursor === null ? {} : { cursor }),
      });
      names.push(...(data.spans as { name: string }[]).map(({ name }) => name));
      cursor = data.cursor;
    } while (typeof cursor === 'string' && names.length < 1_000);
    assert.equal(names.length, 130);
    assert.equal(new Set(names).size, 130);
    assert.equal(stage.fake.seen.length, 3);
  }));

test('a missing trace is reported, with what to do (TOOL-7)', () =>
  observed(async (stage) => {
    withTrace(stage);
    const missing = await stage.call('tempo_get_trace', { traceId: 'ff' });
    assert.is(missing.isError, true);
    assert.match(
      missing.text,
      /^tempo_get_trace: Tempo has no trace ff\. It may be too new, too old, or not sampled\. It says: trace not found$/,
    );
    // Newer servers answer with an empty trace instead.
    stage.fake.fault = { status: 200, type: 'application/json', body: '{"trace":{}}' };
    assert.match(
      (await stage.call('tempo_get_trace', { traceId: 'ff', since: '1h' })).text,
      /no trace ff in this time range: leave the times out/,
    );
  }));

test('a search answers the traces that match, with ids as they are asked for (TOOL-7)', () =>
  observed(async (stage) => {
    const [first] = withTrace(stage);
    stage.fake.traces.set('ab'.repeat(16), [
      {
        id: id(9),
        service: 'shop',
        name: 'GET /',
        start: first?.start ?? 0n,
        end: first?.end ?? 0n,
      },
    ]);
    const { text, data } = await stage.call('tempo_search', {
      query: '{ status = error }',
      since: '1h',
    });
    assert.equal(data?.traces, [
      {
        traceId: TRACE,
        service: 'shop',
        name: 'POST /order',
        start: toIsoNanoseconds(first?.start ?? 0n),
        durationMs: 5,
        matched: 1,
        spans: [{ id: id(2), durationMs: 5, attributes: { status: 'error' } }],
      },
    ]);
    assert.match(text, /^1 trace from /);
    const all = await stage.call('tempo_search', { query: '{}', limit: 1 });
    assert.is(all.data?.full, true);
    assert.match(all.text, /There may be more: narrow the query or the time\./);
    const wrong = await stage.call('tempo_search', { query: 'status = error' });
    assert.match(
      wrong.text,
      /^tempo_search: Tempo rejects the query\. It says: invalid TraceQL query: parse error at line 1, col 1/,
    );
  }));

test('a search shows five matching spans of a trace, and counts them all (TOOL-7)', () =>
  observed(async (stage) => {
    withTrace(stage, 9);
    const { data = {} } = await stage.call('tempo_search', { query: '{}', since: '1h' });
    const [trace] = data.traces as { matched: number; spans: { id: string }[] }[];
    assert.is(trace?.matched, 9);
    assert.equal(
      trace?.spans.map((span) => span.id),
      [1, 2, 3, 4, 5].map(id),
    );
  }));

test.run();
