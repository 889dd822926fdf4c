import type { FaultKind } from '../../../../src/executors/builtin/classifyAnswerError.ts';

export interface RefusalRow {
  server: string;
  status: number;
  body: unknown;
  type?: string;
  kind: FaultKind;
  says: RegExp;
  /** Tokens that the model takes, and that the request had; left out = it is not about that. */
  tooLong?: [window: number | null, asked: number | null];
  /** Tokens of the answer to ask for instead of 16,000. */
  output?: number;
}

const openai = (message: string, more: Record<string, unknown> = {}) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null, ...more },
});
const anthropic = (type: string, message: string) => ({ type: 'error', error: { type, message } });

const TOO_LONG: RefusalRow[] = (
  [
    [
      'OpenAI',
      400,
      openai(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 128994 tokens (128242 in the messages, 752 in the functions). Please reduce the length of the messages or functions.",
        { param: 'messages', code: 'context_length_exceeded' },
      ),
      [128_000, 128_242],
    ],
    [
      'OpenAI, a code alone',
      400,
      openai('Nope.', { code: 'context_length_exceeded' }),
      [null, null],
    ],
    [
      'OpenAI, newer models',
      400,
      openai(
        'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens. Please reduce the length of the messages.',
      ),
      [272_000, 300_000],
    ],
    [
      'OpenAI, its input',
      400,
      openai('Your input exceeds the context window of this model. Please adjust your input.'),
      [null, null],
    ],
    [
      'OpenAI, tokens a minute that no wait makes enough',
      429,
      openai(
        'Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 41520. The input or output tokens must be reduced in order to run successfully.',
        { type: 'tokens', code: 'rate_limit_exceeded' },
      ),
      [30_000, null],
    ],
    [
      'Azure',
      400,
      {
        error: {
          message:
            "This model's maximum context length is 8192 tokens, however you requested 10346 tokens.",
          code: 'context_length_exceeded',
        },
      },
      [8_192, 10_346],
    ],
    [
      'Anthropic',
      400,
      anthropic('invalid_request_error', 'prompt is too long: 208310 tokens > 200000 maximum'),
      [200_000, 208_310],
    ],
    [
      'Anthropic, with the answer',
      400,
      anthropic(
        'invalid_request_error',
        'input length and `max_tokens` exceed context limit: 190002 + 16000 > 200000, decrease input length or `max_tokens` and try again',
      ),
      [200_000, 190_002],
    ],
    [
      'Anthropic, bytes',
      413,
      anthropic('request_too_large', 'Request exceeds the maximum size'),
      [null, null],
    ],
    [
      'Anthropic, bytes with a number',
      413,
      anthropic(
        'request_too_large',
        'Request exceeds the maximum allowed number of bytes: 33554432 bytes',
      ),
      [null, null],
    ],
    [
      'nginx',
      413,
      '<html><head><title>413 Request Entity Too Large</title></head><body></body></html>',
      [null, null],
    ],
    [
      'Gemini',
      400,
      [
        {
          error: {
            code: 400,
            message:
              'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
      [1_048_575, 1_196_265],
    ],
    [
      'Groq',
      400,
      openai('Please reduce the length of the messages or completion.', {
        code: 'context_length_exceeded',
      }),
      [null, null],
    ],
    [
      'Groq, tokens a minute',
      413,
      openai(
        'Request too large for model `llama-3.3-70b-versatile` in organization `org_x` service tier `on_demand` on tokens per minute (TPM): Limit 12000, Requested 16500, please reduce your message size and try again.',
        { type: 'tokens', code: 'rate_limit_exceeded' },
      ),
      [12_000, null],
    ],
    [
      'xAI',
      400,
      {
        code: 'Client specified an invalid argument',
        error:
          "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      },
      [131_072, 537_812],
    ],
    ['Bedrock', 400, { message: 'Input is too long for requested model.' }, [null, null]],
    [
      'Bedrock, by its type',
      400,
      {
        __type: 'ValidationException',
        Message: 'prompt is too long: 210000 tokens > 200000 maximum',
      },
      [200_000, 210_000],
    ],
    [
      'Copilot',
      400,
      {
        error: {
          message: 'prompt token count of 391491 exceeds the limit of 128000',
          code: 'model_max_prompt_tokens_exceeded',
        },
      },
      [128_000, 391_491],
    ],
    [
      'GitHub Models',
      413,
      {
        error: {
          code: 'tokens_limit_reached',
          message: 'Request body too large for gpt-4o model. Max size: 8000 tokens.',
        },
      },
      [8_000, null],
    ],
    [
      'LiteLLM',
      400,
      {
        error: {
          message:
            "litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: OpenAIException - This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
          type: null,
          param: null,
          code: '400',
        },
      },
      [8_192, 9_000],
    ],
    [
      'OpenRouter',
      400,
      {
        error: {
          code: 400,
          message:
            "This endpoint's maximum context length is 32768 tokens. However, you requested about 41520 tokens (24000 of text input, 16000 in the output). Please reduce the length of either one.",
        },
      },
      [32_768, 41_520],
    ],
    [
      'OpenRouter, a provider’s own words',
      400,
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: {
            raw: JSON.stringify({
              error: { message: 'prompt is too long: 210000 tokens > 200000 maximum' },
            }),
            provider_name: 'Other',
          },
        },
      },
      [200_000, 210_000],
    ],
    [
      'vLLM',
      400,
      {
        error: {
          message:
            "This model's maximum context length is 32768 tokens. However, you requested 41520 tokens (25520 in the messages, 16000 in the completion). Please reduce the length of the messages or completion.",
          type: 'BadRequestError',
          param: null,
          code: 400,
        },
      },
      [32_768, 25_520],
    ],
    [
      'vLLM, older',
      400,
      {
        object: 'error',
        message:
          "This model's maximum context length is 6048 tokens. However, you requested 6616 tokens (568 in the messages, 6048 in the completion). Please reduce the length of the messages or completion.",
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
      [6_048, 568],
    ],
    [
      'vLLM, newer',
      400,
      {
        error: {
          message:
            "This model's maximum context length is 2048 tokens. However, your request has 1008 input tokens plus 16000 'max_tokens'. Please reduce one or the other. (parameter=input_tokens, max_tokens, value=(1008, 16000))",
          type: 'BadRequestError',
          param: 'input_tokens, max_tokens',
          code: 400,
        },
      },
      [2_048, 1_008],
    ],
    [
      'vLLM, no room for an answer',
      400,
      {
        object: 'error',
        message: 'max_tokens must be at least 1, got -186.',
        type: 'BadRequestError',
        code: 400,
      },
      [null, null],
    ],
    [
      'vLLM, the answer beside the conversation',
      400,
      {
        error: {
          message:
            "'max_tokens' or 'max_completion_tokens' is too large: 16000. This model's maximum context length is 8192 tokens and your request has 1100 input tokens (16000 > 8192 - 1100).",
          type: 'BadRequestError',
          code: 400,
        },
      },
      [8_192, 1_100],
    ],
    [
      'SGLang',
      400,
      {
        object: 'error',
        message:
          "Requested token count exceeds the model's maximum context length of 131072 tokens. You requested a total of 140000 tokens: 124000 tokens from the input messages and 16000 tokens for the completion.",
        type: 'BadRequest',
        code: 400,
      },
      [131_072, 124_000],
    ],
    [
      'SGLang, the input',
      400,
      {
        object: 'error',
        message:
          "The input (40000 tokens) is longer than the model's context length (32768 tokens).",
        type: 'BadRequestError',
        code: 400,
      },
      [32_768, 40_000],
    ],
    [
      'SGLang, the length',
      400,
      {
        object: 'error',
        message: 'Input length (40000 tokens) exceeds the maximum allowed length (32767 tokens).',
        code: 400,
      },
      [32_767, 40_000],
    ],
    [
      'TGI',
      422,
      {
        error:
          'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 16000 `max_new_tokens`',
        error_type: 'validation',
      },
      [4_096, 4_000],
    ],
    [
      'llama.cpp',
      400,
      {
        error: {
          code: 400,
          message:
            'request (33056 tokens) exceeds the available context size (32768 tokens), try increasing it',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 33_056,
          n_ctx: 32_768,
        },
      },
      [32_768, 33_056],
    ],
    [
      'llama.cpp, older',
      400,
      {
        error: {
          code: 400,
          message:
            'the request exceeds the available context size. try increasing the context size',
          type: 'invalid_request_error',
        },
      },
      [null, null],
    ],
    [
      'LM Studio',
      400,
      {
        error:
          'The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input',
      },
      [null, null],
    ],
    [
      'LM Studio, the first tokens',
      400,
      {
        error:
          'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
      },
      [4_096, null],
    ],
    [
      'Ollama',
      400,
      {
        error: {
          message: 'prompt too long; exceeded max context length by 1234 tokens',
          type: 'api_error',
        },
      },
      [null, null],
    ],
    [
      'Mistral',
      400,
      {
        object: 'error',
        message:
          'Prompt contains 40960 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
        type: 'invalid_request_prompt',
        code: '3051',
      },
      [32_768, 40_960],
    ],
    [
      'DeepSeek',
      400,
      openai(
        "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
        { code: 'invalid_request_error' },
      ),
      [131_072, 122_942],
    ],
    ['Moonshot', 400, openai('Your request exceeded model token limit: 131072'), [131_072, null]],
    [
      'DashScope',
      400,
      openai('Range of input length should be [1, 129024]', { code: 'invalid_parameter_error' }),
      [129_024, null],
    ],
    [
      'Cerebras',
      400,
      {
        message:
          'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      },
      [8_192, 9_000],
    ],
    ['MiniMax', 400, openai('invalid params, context window exceeds limit (2013)'), [null, null]],
    [
      'Cloudflare',
      400,
      {
        errors: [
          {
            message:
              'AiError: The estimated number of input and maximum output tokens (24000) exceeded this model context window limit (8000).',
            code: 8007,
          },
        ],
        success: false,
      },
      [8_000, null],
    ],
    [
      'a server that answers 500',
      500,
      { error: { message: 'the input length exceeds the context length', type: 'api_error' } },
      [null, null],
    ],
  ] as [string, number, unknown, [number | null, number | null]][]
).map(([server, status, body, tooLong]) => ({
  server: `${server}, ${status}`,
  status,
  body,
  tooLong,
  kind: 'request',
  says: /\w/,
}));

/** Refusals of the answer's length alone. */
const OUTPUT: RefusalRow[] = (
  [
    [
      'OpenAI',
      openai(
        'max_tokens is too large: 16000. This model supports at most 4096 completion tokens, whereas you provided 16000.',
        { param: 'max_tokens', code: 'invalid_value' },
      ),
      4_096,
    ],
    [
      'Anthropic',
      anthropic(
        'invalid_request_error',
        'max_tokens: 16000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet-20240620',
      ),
      8_192,
    ],
    [
      'Groq',
      openai(
        '`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model',
        { param: 'max_tokens' },
      ),
      8_192,
    ],
    [
      'DeepSeek',
      openai('Invalid max_tokens value, the valid range of max_tokens is [1, 8192]'),
      8_192,
    ],
    ['DashScope', openai('Range of max_tokens should be [1, 8192]'), 8_192],
    [
      'Gemini',
      [
        {
          error: {
            code: 400,
            message:
              'Unable to submit request because it has a maxOutputTokens value of 16000 but the supported range is from 1 (inclusive) to 8193 (exclusive). Update the value and try again.',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
      8_192,
    ],
    [
      'Bedrock',
      {
        message:
          'The maximum tokens you requested exceeds the model limit of 8192. Try again with a maximum tokens value that is lower than 8192.',
      },
      8_192,
    ],
    ['a server that names no number', openai('max_tokens is too large'), 8_000],
  ] as [string, unknown, number][]
).map(([server, body, output]) => ({
  server: `${server}, the length of the answer`,
  status: 400,
  body,
  output,
  kind: 'request',
  says: /max|tokens/i,
}));

const OTHERS: RefusalRow[] = (
  [
    ['{"error":{"message"}}', 400, openai('messages.0: wrong'), 'request', /^messages\.0: wrong$/],
    [
      '{"error":"text"}',
      400,
      { error: 'registry/model:8b does not support tools' },
      'request',
      /^registry\/model:8b does not support tools$/,
    ],
    [
      '{"object":"error"}',
      400,
      { object: 'error', message: 'No.', code: 400 },
      'request',
      /^No\.$/,
    ],
    ['{"message"}', 400, { message: 'Malformed input request' }, 'request', /^Malformed input/],
    ['{"detail":"text"}', 404, { detail: 'Not Found' }, 'request', /^Not Found$/],
    [
      '{"detail":[…]}',
      422,
      {
        detail: [
          { loc: ['body', 'messages'], msg: 'field required', type: 'value_error.missing' },
          { loc: ['body', 'model'], msg: 'str type expected', type: 'type_error.str' },
        ],
      },
      'request',
      /^body\.messages: field required; body\.model: str type expected$/,
    ],
    [
      'a gateway that wraps a refusal as text',
      400,
      { detail: '{"error":{"message":"tools are not supported"}}' },
      'request',
      /^tools are not supported$/,
    ],
    [
      '{"errors":[…]}',
      400,
      { errors: [{ message: 'one' }, { message: 'two' }] },
      'request',
      /^one; two$/,
    ],
    ['a list', 400, [{ error: { message: 'one' } }], 'request', /^one$/],
    ['{"error":{}} without words', 400, { error: { code: 7 } }, 'request', /"code":7/],
    ['text', 400, 'no luck\u0007 here', 'request', /^no luck\ufffd here$/],
    [
      'a page',
      502,
      '<!doctype html><html><head><title>502 Bad Gateway</title><style>b{}</style></head><body><h1>502 Bad Gateway</h1><script>x()</script>cloud &amp; co</body></html>',
      'passing',
      /^502 Bad Gateway cloud & co$/,
    ],
    ['nothing', 400, '', 'request', /^$/],
    [
      'binary data',
      400,
      '\u001f\u0000\u0001\u0002\u0003',
      'request',
      /^\d characters of binary data$/,
    ],
    [
      'very much text',
      400,
      'x'.repeat(100_000),
      'request',
      /^x{400,600} \[… \d+ characters left out …\] x+$/,
    ],
    [
      'the key',
      401,
      openai('Incorrect API key provided: key-of-the-endpoint.'),
      'account',
      /provided: \[secret\]\.$/,
    ],
    [
      'a page before the endpoint',
      403,
      '<html><title>Access denied</title></html>',
      'account',
      /^Access denied$/,
    ],
    [
      'moderation',
      403,
      { error: { code: 403, message: 'Your input was flagged by moderation' } },
      'request',
      /flagged/,
    ],
    [
      'content policy',
      400,
      openai("The response was filtered due to Azure's content management policy.", {
        code: 'content_filter',
      }),
      'request',
      /filtered/,
    ],
    [
      'a tool',
      400,
      openai(
        "Invalid schema for function 'x': prompt is too long in tools[3].function.description",
      ),
      'request',
      /Invalid schema/,
    ],
    [
      'a name',
      400,
      openai('tools.0.custom.name: String should have at most 64 characters'),
      'request',
      /tools\.0/,
    ],
    [
      'another parameter',
      400,
      openai(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ),
      'request',
      /Unsupported/,
    ],
    ['a model', 404, openai('model "x" not found, try pulling it first'), 'request', /not found/],
    [
      'OpenRouter’s money',
      402,
      {
        error: {
          code: 402,
          message:
            'This request requires more credits, or fewer max_tokens. You requested up to 16000 tokens, but can only afford 4035.',
        },
      },
      'account',
      /more credits/,
    ],
    [
      'Anthropic’s money',
      400,
      anthropic(
        'invalid_request_error',
        'Your credit balance is too low to access the Anthropic API.',
      ),
      'account',
      /credit balance/,
    ],
    [
      'a limit of tokens a minute',
      429,
      anthropic(
        'rate_limit_error',
        'This request would exceed the rate limit for your organization of 40,000 input tokens per minute.',
      ),
      'passing',
      /rate limit/,
    ],
    [
      'Bedrock’s limit',
      429,
      { message: 'Too many tokens, please wait before trying again.' },
      'passing',
      /Too many tokens/,
    ],
    [
      'a model that is loaded',
      503,
      { error: { message: 'Loading model', type: 'unavailable_error', code: 503 } },
      'passing',
      /Loading/,
    ],
    ['an endpoint without the method', 501, '', 'request', /^$/],
  ] as [string, number, unknown, FaultKind, RegExp][]
).map(([server, status, body, kind, says]) => ({
  server: `${server}, ${status}`,
  status,
  body,
  kind,
  says,
}));

export const REFUSALS: readonly RefusalRow[] = [...TOO_LONG, ...OUTPUT, ...OTHERS];
