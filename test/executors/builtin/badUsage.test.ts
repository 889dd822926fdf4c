import { createServer } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { UsageReport } from '../../../src/contract/session/usageReport.ts';
import { askModel } from '../../../src/executors/builtin/askModel.ts';
import { openModel } from '../../../src/executors/builtin/languageModel.ts';

const test = suite('builtin: token counts of an endpoint that counts wrongly');

type Api = 'anthropic' | 'openai';
const SAID = 'Hello there, all is done.';
const ASKED = 'x'.repeat(1_000);

const event = (api: Api, piece: Record<string, unknown>) =>
  `${api === 'anthropic' ? `event: ${piece.type}\n` : ''}data: ${JSON.stringify(piece)}\n\n`;

/** The pieces of an answer; `usage`: JSON as the endpoint writes it, or null for none. */
function createAnswer(api: Api, usage: string | null, isCall = false): string {
  const mark = '"@usage"';
  const usageFields = usage === null ? {} : { usage: '@usage' };
  const pieces: Record<string, unknown>[] =
    api === 'openai'
      ? [
          {
            choices: [
              {
                index: 0,
                delta: isCall
                  ? {
                      tool_calls: [
                        {
                          index: 0,
                          id: 'c1',
                          type: 'function',
                          function: { name: 'look', arguments: '{"at":"here"}' },
                        },
                      ],
                    }
                  : { role: 'assistant', content: SAID },
              },
            ],
          },
          { choices: [{ index: 0, delta: {}, finish_reason: isCall ? 'tool_calls' : 'stop' }] },
          { choices: [], ...usageFields },
        ]
      : [
          {
            type: 'message_start',
            message: {
              id: 'm',
              type: 'message',
              role: 'assistant',
              model: 'm',
              content: [],
              stop_reason: null,
              stop_sequence: null,
              ...usageFields,
            },
          },
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: SAID } },
          { type: 'content_block_stop', index: 0 },
          {
            type: 'message_delta',
            delta: { stop_reason: 'end_turn', stop_sequence: null },
            ...usageFields,
          },
          { type: 'message_stop' },
        ];
  const text = pieces
    .map((piece) =>
      event(api, { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm', ...piece }),
    )
    .join('');
  return text.replaceAll(mark, usage ?? '') + (api === 'openai' ? 'data: [DONE]\n\n' : '');
}

/** Asks an endpoint that answers so, and answers what was reported of its tokens. */
async function playAndReadReports(api: Api, body: string) {
  const server = createServer((req, res) => {
    req.resume();
    res.writeHead(200, { 'content-type': 'text/event-stream' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const found: { report: UsageReport; why: string | null }[] = [];
  try {
    const open = await openModel(
      { api, baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k' },
      'm',
      null,
    );
    let said = '';
    const reply = await askModel({
      open,
      system: 'Be brief.',
      messages: [{ role: 'user', content: ASKED }],
      tools: [{ name: 'look', description: '', inputSchema: { type: 'object', properties: {} } }],
      maxOutputTokens: 100,
      signal: new AbortController().signal,
      onPart: async ({ text }) => {
        said += text;
      },
      onUsage: async (report, why) => void found.push({ report, why }),
    });
    return { said, reply, found };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const counts = (api: Api, input: string, output: string) =>
  api === 'openai'
    ? `{"prompt_tokens":${input},"completion_tokens":${output}}`
    : `{"input_tokens":${input},"output_tokens":${output}}`;

for (const api of ['openai', 'anthropic'] as const) {
  test(`${api}: good counts are reported, without a line in the log`, async () => {
    const { found } = await playAndReadReports(api, createAnswer(api, counts(api, '500', '7')));
    assert.equal(
      found.map(({ report, why }) => [
        report.usage.inputTokens,
        report.usage.outputTokens,
        report.source,
        why,
      ]),
      [[500, 7, undefined, null]],
    );
  });

  for (const wrong of [
    '-5000',
    '0.4',
    '1e999',
    '9007199254740993',
    '100000001',
    '"12"',
    'null',
    '{}',
    '[1]',
    'true',
    '0',
  ]) {
    test(`${api}: ${wrong} tokens of input and output are estimated, and the answer is kept`, async () => {
      const { said, found } = await playAndReadReports(
        api,
        createAnswer(api, counts(api, wrong, wrong)),
      );
      const [{ report, why } = { report: undefined, why: null }] = found;
      assert.is(said, SAID);
      assert.is(report?.source, 'estimated');
      assert.ok((report?.usage.inputTokens ?? 0) > 300, `input ${report?.usage.inputTokens}`);
      assert.is(report?.usage.outputTokens, Math.round(SAID.length * 0.3));
      assert.match(why ?? '', /estimated from the characters/);
    });
  }

  test(`${api}: what is counted well beside a wrong count is kept`, async () => {
    const { found } = await playAndReadReports(api, createAnswer(api, counts(api, '500', '-1')));
    assert.is(found[0]?.report.usage.inputTokens, 500);
    assert.is(found[0]?.report.source, 'estimated');
    assert.match(found[0]?.why ?? '', 'output tokens: -1');
  });

  test(`${api}: a usage that is no object is ignored`, async () => {
    const { said, found } = await playAndReadReports(api, createAnswer(api, '"many"'));
    assert.is(said, SAID);
    assert.is(found[0]?.report.source, 'estimated');
  });

  test(`${api}: an answer without usage is estimated, and the log says why`, async () => {
    const { said, found } = await playAndReadReports(api, createAnswer(api, null));
    assert.is(said, SAID);
    assert.is(found[0]?.report.source, 'estimated');
    assert.match(found[0]?.why ?? '', /No usable token counts/);
  });
}

test('an answer that is calls of tools alone, without usage, counts its input and its arguments', async () => {
  const { reply, found } = await playAndReadReports('openai', createAnswer('openai', null, true));
  assert.is(reply.calls.length, 1);
  assert.is(found[0]?.report.source, 'estimated');
  assert.ok((found[0]?.report.usage.inputTokens ?? 0) > 300);
  assert.ok((found[0]?.report.usage.outputTokens ?? 0) > 0);
});

test('an empty answer without usage counts its input', async () => {
  const body =
    'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  const { found } = await playAndReadReports('openai', body);
  assert.ok((found[0]?.report.usage.inputTokens ?? 0) > 300);
  assert.is(found[0]?.report.usage.outputTokens, 0);
});

test('a cache that held more than the input is ignored alone', async () => {
  const usage =
    '{"prompt_tokens":500,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":501}}';
  const { found } = await playAndReadReports('openai', createAnswer('openai', usage));
  const { usage: reportedUsage, source } = found[0]?.report ?? {};
  assert.equal(
    [reportedUsage?.inputTokens, reportedUsage?.cachedInputTokens, source],
    [500, 0, undefined],
  );
  assert.match(found[0]?.why ?? '', 'cached input tokens: 501 of 500');
});

test.run();
